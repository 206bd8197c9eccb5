import Postgres

extension SnapshotStore {
    /// Asks the database for a sign of life and for tables that this program knows.
    ///
    /// - Throws: `PostgresError`; `StoreError.databaseTooNew`.
    public func ping() throws {
        let version = try pool.withConnection { try DatabaseSchema.version($0) }
        guard version <= DatabaseSchema.currentVersion else {
            throw StoreError.databaseTooNew(found: version, known: DatabaseSchema.currentVersion)
        }
    }

    /// Whether an error's cause is likely to go away by itself: lost connections, a server that restarts, conflicts.
    public func isTransient(_ error: any Error) -> Bool {
        (error as? PostgresError)?.isTransient ?? false
    }
}
