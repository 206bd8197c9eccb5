import Postgres
import Problems

extension ProblemDocument {
    /// The problem to report for an error that is likely to go away by itself: lost connections, a server that restarts,
    /// conflicts.
    ///
    /// - Returns: nil where it is another error.
    public init?(ofTransient error: any Error) {
        guard let error = error as? PostgresError, error.isTransient else { return nil }
        self.init(ofLoss: error)
    }

    /// The problem of a database that fails in a way that is likely to end.
    public init(ofLoss error: PostgresError) {
        let state = "(SQLSTATE \(error.sqlState))"
        if error.isReadOnly {
            self.init(
                .databaseReadOnly,
                "The database takes no changes \(state): it is a standby, or set to read only.")
        } else if error.isDiskFull {
            self.init(.insufficientStorage, "A disk of the database is full \(state).")
        } else {
            self.init(.databaseUnavailable, "The database failed \(state).")
        }
    }
}
