import Postgres
import Problems

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

    /// What to tell of an error whose cause is likely to go away by itself: lost connections, a server that restarts, conflicts.
    ///
    /// - Returns: nil where it is another error.
    public func problem(ofLoss error: any Error) -> ProblemDocument? {
        guard let error = error as? PostgresError, error.isTransient else { return nil }
        return ProblemDocument(503, "database_unavailable", "The database failed (SQLSTATE \(error.sqlState)).")
    }
}
