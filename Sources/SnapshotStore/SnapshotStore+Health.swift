import Postgres
import StoreCore

extension SnapshotStore {
    /// Asks the database for a sign of life, for tables that this program knows, and whether it takes changes.
    ///
    /// - Throws: `PostgresError`; `StoreError.databaseTooNew`.
    public func ping() throws {
        let version = try pool.withConnection { connection in
            try connection.requireWritable()
            return try DatabaseSchema.version(connection)
        }
        guard version <= DatabaseSchema.currentVersion else {
            throw StoreError.databaseTooNew(found: version, known: DatabaseSchema.currentVersion)
        }
    }

    /// The connections to the database that are in use, and how many there may be.
    public var connections: (lent: Int, limit: Int) { pool.usage }
}
