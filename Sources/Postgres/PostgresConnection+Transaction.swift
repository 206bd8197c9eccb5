import CLibPQ
import Glibc

extension PostgresConnection {
    /// Runs a body in a transaction, again where PostgreSQL asks for that (SQLSTATE 40001 and 40P01).
    ///
    /// The body may run several times and must have no other effect than its statements. An error of the body rolls back.
    ///
    /// - Parameters:
    ///   - isLong: whether its statements may take any time: those that carry bulk, and maintenance.
    ///   - attempts: how often at most.
    public func transaction<Result>(
        isLong: Bool = false, attempts: Int = 6, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        for attempt in 1..<max(attempts, 1) {
            do {
                return try runTransaction(isLong, body)
            } catch let error as PostgresError where error.isRetryable {
                // Nothing tells when those that it collided with are through; jitter keeps them from colliding again.
                usleep(.random(in: 2_000...4_000) << attempt)
            }
        }
        return try runTransaction(isLong, body)
    }

    private func runTransaction<Result>(
        _ isLong: Bool, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        try execute(script: isLong ? "BEGIN; SET LOCAL statement_timeout = 0" : "BEGIN")
        do {
            let result = try body(self)
            try commit()
            return result
        } catch {
            // Fails only where the connection is lost, and PostgreSQL rolls back then by itself.
            try? execute(script: "ROLLBACK")
            throw error
        }
    }

    /// Commits; PostgreSQL answers with a rollback, and no error, where a body went on after a statement had failed.
    private func commit() throws(PostgresError) {
        let result = try check(PQexec(handle, "COMMIT"))
        defer { PQclear(result) }
        guard let tag = PQcmdStatus(result), String(cString: tag) == "COMMIT" else {
            throw PostgresError(sqlState: "25P02", message: "A statement of the transaction had failed.")
        }
    }
}
