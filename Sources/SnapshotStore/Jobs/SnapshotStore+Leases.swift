import Postgres
import Problems
import RealmModel

extension SnapshotStore.Jobs {
    /// Takes the job that has waited longest, or one whose worker let its lease expire, of those kinds that this program knows.
    ///
    /// One statement: of any number of workers exactly one gets a job. Its commit need not be on disk: where a crash of the
    /// database loses it, the job is queued as before, and the attempt has no lease.
    ///
    /// - Parameter duration: how long the lease lasts unless it is renewed.
    /// - Throws: `StoreError.damaged` where the job can't be read; it has failed then.
    public func claim(lease duration: Duration) throws -> JobLease? {
        let token = RealmModel.UUID.version7()
        return try pool.withConnection { connection in
            let claimed = try connection.query(
                """
                UPDATE job SET state = 'running', attempt = attempt + 1, lease_token = \(token),
                    lease_until = now() + \(duration.inSeconds) * interval '1 second',
                    started_at = coalesce(started_at, now()), progress = NULL, revision = revision + 1
                WHERE job_id = (
                    SELECT job_id FROM job
                    WHERE state IN ('queued', 'running') AND attempt < attempt_limit AND NOT cancel_requested
                        -- In the CASE, and first: the planner takes a kind of its own for rare, and would sort all jobs.
                        AND CASE WHEN kind <> ALL(\(JobKind.known)) THEN false
                            WHEN state = 'queued' THEN run_at <= now() ELSE lease_until < now() END
                    ORDER BY run_at, job_id LIMIT 1 FOR UPDATE SKIP LOCKED
                )
                RETURNING \(unsafeSQL: Job.columns), set_config('synchronous_commit', 'off', true)
                """)
            do {
                return try claimed.first.map { JobLease(job: try Job(row: $0), token: token) }
            } catch {
                try Self.fail(holderOf: token, StoreError.damaged("the job's row"), connection)
                throw error
            }
        }
    }

    /// Ends a job that was claimed and can't be read: no attempt would get further.
    private static func fail(
        holderOf token: RealmModel.UUID, _ error: StoreError, _ connection: PostgresConnection
    ) throws {
        try connection.execute(
            """
            UPDATE job SET state = 'failed', problem = \(StoredJSON.encode(ProblemDocument(error))), finished_at = now(),
                lease_token = NULL, lease_until = NULL, cancel_requested = false, revision = revision + 1
            WHERE lease_token = \(token)
            """)
    }

    /// Ends jobs whose worker is lost and that are not to be claimed again: cancelled ones and those out of attempts.
    ///
    /// Those of other kinds are left to the programs that know them.
    ///
    /// - Returns: how many.
    @discardableResult
    public func endLost() throws -> Int {
        let problem = ProblemDocument(
            500, "worker_lost", "The workers that ran the job ended without a result, each time.")
        let ended = try pool.withConnection { connection in
            try connection.query(
                """
                UPDATE job SET state = CASE WHEN cancel_requested THEN 'cancelled' ELSE 'failed' END,
                    problem = CASE WHEN NOT cancel_requested THEN \(StoredJSON.encode(problem)) END,
                    finished_at = now(), lease_token = NULL, lease_until = NULL, cancel_requested = false,
                    revision = revision + 1
                WHERE state = 'running' AND kind = ANY(\(JobKind.known)) AND lease_until < now()
                    AND (cancel_requested OR attempt >= attempt_limit)
                RETURNING job_id
                """
            ).map { try $0.value("job_id", as: RealmModel.UUID.self) }
        }
        for job in ended { announce(job, isQueued: false) }
        return ended.count
    }

    /// Writes down how far an attempt is, and what it logged.
    ///
    /// - Parameter lines: the log's first and last are kept; those between are counted and left out.
    /// - Returns: whether the job was asked to stop.
    /// - Throws: `StoreError.leaseLost`.
    public func report(_ lease: JobLease, progress: JobProgress?, lines: JobLogLines = JobLogLines()) throws -> Bool {
        guard !lines.isEmpty else {
            return try pool.withConnection { try Self.report(lease, progress, lineCount: 0, $0).isCancelRequested }
        }
        return try pool.transaction { connection in
            let (isCancelRequested, count) = try Self.report(lease, progress, lineCount: lines.count, connection)
            try JobLog.append(lines, of: lease, after: count - lines.count, connection)
            return isCancelRequested
        }
    }

    /// What is reported need not be on disk: the attempt that it tells of has to end yet.
    private static func report(
        _ lease: JobLease, _ progress: JobProgress?, lineCount: Int, _ connection: PostgresConnection
    ) throws -> (isCancelRequested: Bool, logCount: Int) {
        let rows = try connection.query(
            """
            UPDATE job SET progress = coalesce(\(progress.map { StoredJSON.encode($0) }), progress),
                log_count = log_count + \(Int32(lineCount)), revision = revision + 1
            WHERE job_id = \(lease.job.id) AND lease_token = \(lease.token)
            RETURNING cancel_requested, log_count, set_config('synchronous_commit', 'off', true)
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return (try row.value("cancel_requested"), try row.value("log_count"))
    }

    /// Ends a job with a result.
    ///
    /// - Parameter progress: how far the attempt is; nil where that was reported.
    /// - Returns: the job; `cancelled` rather than succeeded where it was asked to stop meanwhile.
    /// - Throws: `StoreError.leaseLost`, and what the kind's law does not permit; nothing is changed then.
    public func finish(_ lease: JobLease, _ outcome: some JobOutcome, progress: JobProgress? = nil) throws -> Job {
        let job = try outcome.finish(JobEnding(lease: lease, progress: progress, pool: pool))
        announce(job.id, isQueued: false)
        return job
    }

    /// Ends an attempt without a result; the realm stays as it is.
    ///
    /// - Returns: the job; cancelled where it was asked to stop and would have been queued again.
    /// - Throws: `StoreError.leaseLost`.
    public func release(_ lease: JobLease, _ release: JobRelease) throws -> Job {
        let job = try pool.withConnection { connection in
            switch release {
            case .failed(let problem): try lease.end(.failed, problem: problem, connection)
            case .cancelled: try lease.end(.cancelled, connection)
            case .retry(let delay): try lease.requeue(after: delay, extraAttempts: 0, connection)
            case .handBack: try lease.requeue(after: .zero, extraAttempts: 1, connection)
            }
        }
        announce(job.id, isQueued: job.state == .queued)
        return job
    }
}

extension Duration {
    /// Seconds with a fraction, for intervals.
    var inSeconds: Double { self / .seconds(1) }
}
