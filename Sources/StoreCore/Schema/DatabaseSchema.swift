import Glibc
import Postgres

/// The service's own tables.
public enum DatabaseSchema {
    /// The schema that they live in, for `PostgresPool`; a database's URL may name another one in its `search_path`.
    public static let name = "realmshift"

    /// The version that this program brings databases to.
    public static var currentVersion: Int { (DatabaseChange.later.last ?? .baseline).number }

    /// Brings the tables up to date; safe to call from any number of processes at once.
    ///
    /// Each change is one transaction that first inserts its own row: of several processes one makes the change, and the
    /// others wait for that row and find it there. No lock outlives a transaction. A change waits for a lock for as long as whoever
    /// comes behind it may have to wait; then it is undone, and tried again.
    ///
    /// - Parameters:
    ///   - lockTimeout: how long one try waits for a lock.
    ///   - waits: is told who is in the way, each time.
    /// - Throws: `StoreError.databaseTooNew` where a newer program was here before, `databaseTooOld` where one was that is older than
    ///   the last one before the baseline, and `databaseForeign` where something else lives there; nothing was changed then.
    ///   `PostgresError`.
    public static func upgrade(
        _ pool: PostgresPool, lockTimeout: Duration = .seconds(2), waits: (String) -> Void = { _ in }
    ) throws {
        try pool.withConnection { connection in
            try DatabasePlace.prepare(connection)
            while let next = try DatabaseChange.next(after: version(connection)) {
                do {
                    try apply(next, lockTimeout, connection)
                } catch let error as PostgresError where error.sqlState == lockNotAvailable {
                    waits("change \(next.number) of the database waits for \(try holders(connection))")
                    usleep(pauseMicroseconds)
                }
            }
        }
    }

    /// PostgreSQL's code for a lock that was waited for too long.
    private static let lockNotAvailable = "55P03"
    /// Between two tries, so that those who came behind the first have their turn.
    private static let pauseMicroseconds: UInt32 = 500_000

    /// The sessions whose transactions have held locks on the tables for longest.
    private static func holders(_ connection: PostgresConnection) throws -> String {
        let rows = try connection.query(
            """
            SELECT a.pid, a.application_name AS name, extract(epoch FROM now() - min(a.xact_start))::float8 AS age,
                string_agg(DISTINCT c.relname, ', ') AS tables
            FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_stat_activity a USING (pid)
            WHERE l.granted AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
                AND a.pid <> pg_backend_pid() AND a.xact_start IS NOT NULL
            GROUP BY a.pid, a.application_name ORDER BY age DESC LIMIT 3
            """)
        let sessions = try rows.map { row in
            let (name, process) = (try row.value("name", as: String.self), try row.value("pid", as: Int32.self))
            let (age, tables) = (try row.value("age", as: Double.self), try row.value("tables", as: String.self))
            return "\(name.isEmpty ? "a session" : name) (process \(process)), which has had locks on \(tables) "
                + "for \(Int(age)) seconds"
        }
        return sessions.isEmpty ? "locks that are gone by now" : sessions.joined(separator: "; ")
    }

    /// The version of a database; 0 for one without tables.
    package static func version(_ connection: PostgresConnection) throws -> Int {
        try connection.query("SELECT coalesce(max(number), 0) AS version FROM database_migration")[0].value("version")
    }

    private static func apply(
        _ change: DatabaseChange, _ lockTimeout: Duration, _ connection: PostgresConnection
    ) throws {
        try connection.transaction(isLong: true) { connection in
            try connection.execute(
                "SELECT set_config('lock_timeout', \("\(Int(lockTimeout / .milliseconds(1)))ms"), true)")
            let inserted = try connection.execute(
                """
                INSERT INTO database_migration (number, name) VALUES (\(Int32(change.number)), \(change.name))
                ON CONFLICT (number) DO NOTHING
                """)
            guard inserted == 1 else { return }
            try connection.execute(script: change.sql)
        }
    }
}
