import Postgres

/// The service's own tables.
public enum DatabaseSchema {
    /// The version that this program brings databases to.
    public static var currentVersion: Int { DatabaseChange.all.count }

    /// Brings the tables up to date; safe to call from any number of processes at once.
    ///
    /// Each change is one transaction that first inserts its own row: of several processes one makes the change, and the
    /// others wait for that row and find it there. No lock outlives a transaction.
    ///
    /// - Throws: `StoreError.databaseTooNew` where a newer program was here before; `PostgresError`.
    public static func upgrade(_ pool: PostgresPool) throws {
        try pool.withConnection { connection in
            try createLedger(connection)
            while let next = try nextChange(connection) { try apply(next, connection) }
        }
    }

    /// The version of a database; 0 for one without tables.
    static func version(_ connection: PostgresConnection) throws -> Int {
        try connection.query("SELECT coalesce(max(number), 0) AS version FROM database_migration")[0].value("version")
    }

    /// Makes the list of the changes made so far, which bears the name that it has always had.
    ///
    /// `IF NOT EXISTS` does not keep two sessions from colliding in the catalogue.
    private static func createLedger(_ connection: PostgresConnection) throws {
        let collisions = ["23505", "42P07", "42710"]
        for _ in 0..<4 {
            do {
                return try connection.execute(script: ledger)
            } catch {
                guard collisions.contains(error.sqlState) else { throw error }
            }
        }
        try connection.execute(script: ledger)
    }

    private static let ledger = """
        CREATE TABLE IF NOT EXISTS database_migration (
            number integer PRIMARY KEY,
            name text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        )
        """

    private static func nextChange(_ connection: PostgresConnection) throws -> DatabaseChange? {
        let version = try version(connection)
        guard version <= currentVersion else {
            throw StoreError.databaseTooNew(found: version, known: currentVersion)
        }
        return version < currentVersion ? DatabaseChange.all[version] : nil
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
