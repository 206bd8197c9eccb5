import Postgres
import Problems
import RealmModel

/// A job that this process runs, for as long as it renews the lease.
public struct JobLease: Hashable, Sendable {
    /// The job as it was claimed.
    public let job: Job
    /// The fencing token: every write of the attempt is refused once the job has another one, or none.
    public let token: RealmModel.UUID

    /// Ends the job.
    ///
    /// - Throws: `StoreError.leaseLost`.
    func end(
        _ state: JobState, result: RealmModel.UUID? = nil, problem: ProblemDocument? = nil,
        progress: JobProgress? = nil, _ connection: PostgresConnection
    ) throws -> Job {
        let rows = try connection.query(
            """
            UPDATE job SET state = \(state.rawValue), result_id = \(result),
                problem = \(problem.map(StoredJSON.encode)),
                progress = coalesce(\(progress.map { StoredJSON.encode($0) }), progress), finished_at = now(),
                lease_token = NULL, lease_until = NULL, cancel_requested = false, revision = revision + 1
            WHERE job_id = \(job.id) AND lease_token = \(token)
            RETURNING \(unsafeSQL: Job.columns)
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return try Job(row: row)
    }

    /// Queues the job again.
    ///
    /// - Throws: `StoreError.leaseLost`.
    func requeue(after delay: Duration, extraAttempts: Int32, _ connection: PostgresConnection) throws -> Job {
        let rows = try connection.query(
            """
            UPDATE job SET state = CASE WHEN cancel_requested THEN 'cancelled' ELSE 'queued' END,
                finished_at = CASE WHEN cancel_requested THEN now() END,
                run_at = now() + \(delay.inSeconds) * interval '1 second',
                attempt_limit = attempt_limit + \(extraAttempts), progress = NULL,
                lease_token = NULL, lease_until = NULL, cancel_requested = false, revision = revision + 1
            WHERE job_id = \(job.id) AND lease_token = \(token)
            RETURNING \(unsafeSQL: Job.columns)
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return try Job(row: row)
    }
}

/// Why an attempt ends without a result.
public enum JobRelease: Sendable {
    /// The job can't succeed.
    case failed(ProblemDocument)
    /// The job was asked to stop, and has.
    case cancelled
    /// The job is to be tried again after a while, at the cost of an attempt.
    case retry(after: Duration)
    /// The worker is shutting down: another one goes on at once, at no cost.
    case handBack
}
