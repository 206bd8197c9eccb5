import Postgres

/// The service's own tables.
public enum DatabaseSchema {
    /// The schema that they live in, for `PostgresPool`; a database's URL may name another one in its `search_path`.
    public static let name = "realmshift"

    /// The version that this program brings databases to.
    public static var currentVersion: Int { DatabaseChange.baseline.number + DatabaseChange.later.count }

    /// Brings the tables up to date; safe to call from any number of processes at once.
    ///
    /// Each change is one transaction that first inserts its own row: of several processes one makes the change, and the
    /// others wait for that row and find it there. No lock outlives a transaction.
    ///
    /// - Throws: `StoreError.databaseTooNew` where a newer program was here before, `databaseTooOld` where one was that is older than
    ///   the last one before the baseline, and `databaseForeign` where something else lives there; nothing was changed then.
    ///   `PostgresError`.
    public static func upgrade(_ pool: PostgresPool) throws {
        try pool.withConnection { connection in
            try DatabasePlace.prepare(connection)
            while let next = try DatabaseChange.next(after: version(connection)) { try apply(next, connection) }
        }
    }

    /// The version of a database; 0 for one without tables.
    package static func version(_ connection: PostgresConnection) throws -> Int {
        try connection.query("SELECT coalesce(max(number), 0) AS version FROM database_migration")[0].value("version")
    }

    private static func apply(_ change: DatabaseChange, _ connection: PostgresConnection) throws {
        try connection.transaction(isLong: true) { connection in
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
