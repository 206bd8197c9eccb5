import Postgres
import RealmModel
import StoreCore

/// Renews leases on a connection of its own, so that no busy pool can make them expire.
///
/// For one thread.
public final class JobHeartbeat {
    private let jobs: JobStore
    private var connection: PostgresConnection?

    /// Connects at the first beat.
    public init(_ jobs: JobStore) { self.jobs = jobs }

    /// Renews leases.
    ///
    /// Rows are locked in the order of their ids, as where several jobs end together.
    ///
    /// - Returns: for each token that still counts, whether its job was asked to stop; lost ones are missing.
    /// - Throws: `PostgresError`; the next beat connects anew.
    public func renew(
        _ tokens: [RealmModel.UUID], lease duration: Duration
    ) throws(PostgresError) -> [RealmModel.UUID: Bool] {
        do {
            let connection = try connect()
            let rows = try connection.query(
                """
                UPDATE job SET lease_until = now() + \(duration.inSeconds) * interval '1 second'
                FROM (
                    SELECT job_id AS held_id FROM job WHERE lease_token = ANY(\(PostgresArray(tokens))) AND state = 'running'
                    ORDER BY job_id FOR NO KEY UPDATE
                ) AS held
                WHERE job_id = held_id
                RETURNING lease_token, cancel_requested
                """)
            var answers: [RealmModel.UUID: Bool] = [:]
            for row in rows { answers[try row.value("lease_token")] = try row.value("cancel_requested", as: Bool.self) }
            return answers
        } catch {
            connection = nil
            throw error
        }
    }

    private func connect() throws(PostgresError) -> PostgresConnection {
        if let connection, !connection.isBroken { return connection }
        let fresh = try jobs.pool.connect()
        // A beat that a crash of the server loses costs no more than the crash itself. And its statement goes by the index, also
        // where the table was small when it was planned.
        try fresh.execute(
            script: "SET synchronous_commit = off; SET statement_timeout = '5s'; SET enable_seqscan = off")
        connection = fresh
        return fresh
    }
}
