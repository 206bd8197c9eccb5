import Postgres
import Problems

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

    /// The problem to report for an error that is likely to go away by itself: lost connections, a server that restarts,
    /// conflicts.
    ///
    /// - Returns: nil where it is another error.
    public func problem(ofLoss error: any Error) -> ProblemDocument? {
        guard let error = error as? PostgresError, error.isTransient else { return nil }
        return ProblemDocument(ofLoss: error)
    }
}

extension ProblemDocument {
    /// The problem of a database that fails in a way that is likely to end.
    public init(ofLoss error: PostgresError) {
        let state = "(SQLSTATE \(error.sqlState))"
        if error.isReadOnly {
            self.init(
                503, "database_read_only",
                "The database takes no changes \(state): it is a standby, or set to read only.")
        } else if error.isDiskFull {
            self.init(503, "insufficient_storage", "A disk of the database is full \(state).")
        } else {
            self.init(503, "database_unavailable", "The database failed \(state).")
        }
    }
}
