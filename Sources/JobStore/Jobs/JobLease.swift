import Postgres
import Problems
import RealmModel
import StoreCore

/// A job that this process runs, for as long as it renews the lease.
public struct JobLease: Hashable, Sendable {
    /// The job as it was claimed.
    public let job: Job
    /// The fencing token: every write of the attempt is refused once the job has another one, or none.
    public let token: RealmModel.UUID
    /// From the moment from which the job might begin to the claim.
    public let waited: Duration

    /// Asks that the attempt counts still, until the transaction ends.
    ///
    /// - Throws: `StoreError.leaseLost`.
    func require(_ connection: PostgresConnection) throws {
        let held = try connection.query(
            "SELECT FROM job WHERE job_id = \(job.id) AND lease_token = \(token) FOR UPDATE")
        guard !held.isEmpty else { throw StoreError.leaseLost }
    }

    /// Ends the job.
    ///
    /// - Throws: `StoreError.leaseLost`.
    func end(
        _ state: JobState, result: RealmModel.UUID? = nil, problem: ProblemDocument? = nil,
        progress: JobProgress? = nil, _ connection: PostgresConnection
    ) throws -> Job {
        let rows = try connection.query(
            """
            WITH ended AS (
                UPDATE job SET state = \(state.rawValue), problem = \(problem.map(StoredJSON.encode)),
                    progress = coalesce(\(progress.map { StoredJSON.encode($0) }), progress), finished_at = now(),
                    lease_token = NULL, lease_until = NULL, worker = NULL, cancel_requested = false, revision = revision + 1
                WHERE job_id = \(job.id) AND lease_token = \(token)
                RETURNING \(unsafeSQL: Self.ending)
            ), resulting AS (
                UPDATE migration_job SET result_id = \(result)
                WHERE \(result != nil) AND app_id = \(job.appID) AND job_id = \(job.id) AND EXISTS (SELECT FROM ended)
            )
            SELECT \(unsafeSQL: Self.ending) FROM ended
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return try ended(state, result: result, problem: problem, row: row)
    }

    /// The columns that only the end of a job sets; all others are known since it was claimed, and may be large.
    static let ending: StaticString = "progress, finished_at, revision"

    /// The job as it is after its end, of whose row there are the columns `ending`; its plan and its attempts are those with which it
    /// was claimed.
    func ended(
        _ state: JobState, result: RealmModel.UUID? = nil, problem: ProblemDocument? = nil, row: PostgresRow
    ) throws -> Job {
        var job = job
        (job.state, job.problem, job.isCancelRequested) = (state, problem, false)
        if case .migration(var order) = job.order {
            order.resultSnapshot = result
            job.order = .migration(order)
        }
        job.progress = try row.optionalDocument("progress")
        job.finishedAt = try row.optional("finished_at")
        job.revision = try row.value("revision")
        return job
    }

    /// Queues the job again, after a pause that grows with the attempts that were lost.
    ///
    /// - Parameters:
    ///   - isLost: whether the attempt was lost rather than handed back.
    ///   - hostDied: whether it was lost with the host that ran its script.
    /// - Returns: the job, and how long it waits.
    /// - Throws: `StoreError.leaseLost`.
    func requeue(
        isLost: Bool, hostDied: Bool = false, _ connection: PostgresConnection
    ) throws -> (job: Job, pause: Duration) {
        let rows = try connection.query(
            """
            UPDATE job j SET \(unsafeSQL: Job.requeued),
                run_at = CASE WHEN \(isLost) THEN now() + \(pauseAfter: "losses") ELSE now() END,
                losses = losses + \(Int32(isLost ? 1 : 0)), host_losses = host_losses + \(Int32(hostDied ? 1 : 0))
            WHERE job_id = \(job.id) AND lease_token = \(token)
            RETURNING \(job: .queue), \(unsafeSQL: Job.pause)
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return (try Job(row: row, order: job.order), .seconds(try row.value("pause", as: Double.self)))
    }

    /// Writes down how the attempt ends, in the transaction that ends it, and before.
    func record(_ problem: ProblemDocument, _ connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO job_attempt (app_id, job_id, attempt, started_at, worker, problem)
            SELECT app_id, job_id, attempt, attempt_started_at, worker, \(StoredJSON.encode(problem)) FROM job
            WHERE job_id = \(job.id) AND lease_token = \(token)
            ON CONFLICT (app_id, job_id, attempt) DO NOTHING
            """)
    }
}

extension Job {
    /// Puts a running job back into its lane; one that was asked to stop has stopped then.
    static let requeued: StaticString = """
        state = CASE WHEN cancel_requested THEN 'cancelled' ELSE 'queued' END,
            finished_at = CASE WHEN cancel_requested THEN now() END, progress = NULL, lease_token = NULL, lease_until = NULL,
            worker = NULL, cancel_requested = false, returned = true, revision = revision + 1
        """

    /// Seconds that a job waits after a loss, by how often it was lost before: none at first, then a quarter of a second, doubled
    /// with each further loss up to a minute.
    static let pauses = [0] + (0..<9).map { min(0.25 * Double(1 << $0), 60) }

    /// Seconds until a job that was queued again may be claimed.
    static let pause: StaticString = "extract(epoch FROM run_at - now())::double precision AS pause"
}

extension PostgresStatement.Interpolation {
    /// Appends how long a job waits after a loss; jobs that were lost together do not come back together.
    mutating func appendInterpolation(pauseAfter losses: StaticString) {
        appendLiteral("(")
        appendInterpolation(PostgresArray(Job.pauses))
        appendLiteral(")[least(\(losses), \(Job.pauses.count - 1)) + 1] * (0.75 + random() / 2) * interval '1 second'")
    }
}

/// Why an attempt ends without a result.
public enum JobRelease: Sendable {
    /// The job can't succeed.
    case failed(ProblemDocument)
    /// The job was asked to stop, and has.
    case cancelled
    /// The attempt lost something that it needed, and nobody who made the job is to blame: it is tried again after a pause.
    ///
    /// - Parameter hostDied: whether it was the host of the script, which may have killed it.
    case lost(ProblemDocument, hostDied: Bool)
    /// The worker is shutting down: another one goes on at once.
    case handBack
}
