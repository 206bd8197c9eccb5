import Postgres
import Problems
import RealmModel
import StoreCore

extension JobStore {
    /// The lanes in which jobs wait, those included that are not to begin yet.
    ///
    /// It goes from lane to lane in the index, whatever number of jobs each has; but through all rows of those that were taken which
    /// the database has to keep, and nobody who has something to do is to wait for it.
    public func lanes() throws -> [WaitingLane] {
        try pool.withConnection { connection in
            try connection.query(
                """
                WITH RECURSIVE lane (app_id, priority, returned, run_at) AS (
                    (
                        SELECT app_id, priority, returned, run_at FROM job
                        WHERE state = 'queued' ORDER BY app_id, priority, returned, run_at LIMIT 1
                    ) UNION ALL
                    SELECT next.* FROM lane CROSS JOIN LATERAL (
                        SELECT app_id, priority, returned, run_at FROM job
                        WHERE state = 'queued' AND (app_id, priority, returned) > (lane.app_id, lane.priority, lane.returned)
                        ORDER BY app_id, priority, returned, run_at LIMIT 1
                    ) AS next
                )
                SELECT app_id, priority, returned, run_at FROM lane
                """
            ).map { WaitingLane(lane: try JobLane(row: $0), since: try $0.value("run_at")) }
        }
    }

    /// The processes that have jobs, as they called themselves, and whether the lease of any of these jobs is over.
    ///
    /// One statement goes through the jobs that run, and through the rows of those that did which the database has to keep; there is
    /// seldom a reason for another one.
    public func workers() throws -> (names: [String], haveExpired: Bool) {
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT worker, coalesce(bool_or(lease_until < now()), false) AS expired FROM job
                WHERE state = 'running' GROUP BY worker
                """)
        }
        return (
            try rows.compactMap { try $0.optional("worker") },
            try rows.contains { try $0.value("expired", as: Bool.self) }
        )
    }

    /// Queues jobs again whose worker is lost: it let the lease expire, or is known to be gone.
    ///
    /// Those that were asked to stop have stopped, and those of other kinds are left to the programs that know them.
    ///
    /// - Parameter dead: processes that have ended.
    /// - Returns: their attempts.
    @discardableResult
    public func requeueLost(of dead: [String] = []) throws -> [LostAttempt] {
        let problem = StoredJSON.encode(ProblemDocument(.workerLost, "The worker that ran the job was lost."))
        let requeued = try pool.withConnection { connection in
            try connection.query(
                """
                WITH lost AS (
                    SELECT app_id AS lost_app, job_id AS lost_id, attempt AS lost_attempt, attempt_started_at AS began, worker AS lost_worker FROM job
                    WHERE state = 'running' AND kind = ANY(\(JobKind.known))
                        AND (lease_until < now() OR worker = ANY(\(PostgresArray(dead))))
                    FOR UPDATE SKIP LOCKED
                ), recorded AS (
                    INSERT INTO job_attempt (app_id, job_id, attempt, started_at, worker, problem)
                    SELECT lost_app, lost_id, lost_attempt, began, lost_worker, \(problem) FROM lost
                    ON CONFLICT (app_id, job_id, attempt) DO NOTHING
                )
                UPDATE job SET \(unsafeSQL: Job.requeued), run_at = now() + \(pauseAfter: "losses"), losses = losses + 1
                FROM lost WHERE job_id = lost_id
                RETURNING \(unsafeSQL: JobHint.columns), \(unsafeSQL: LostAttempt.columns)
                """
            ).map { (hint: try JobHint(row: $0), attempt: try LostAttempt(row: $0)) }
        }
        announce(requeued.map(\.hint))
        return requeued.map(\.attempt)
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

    /// A report need not be on disk: the attempt that it tells of has to end yet.
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
        announce(job)
        return job
    }

    /// Ends an attempt without a result; the realm stays as it is.
    ///
    /// - Returns: the job, cancelled where it was asked to stop and would have been queued again; and how long it waits where it is
    ///   queued.
    /// - Throws: `StoreError.leaseLost`.
    @discardableResult
    public func release(_ lease: JobLease, _ release: JobRelease) throws -> (job: Job, pause: Duration) {
        let (job, pause) = try pool.transaction { connection -> (Job, Duration) in
            switch release {
            case .failed(let problem):
                try lease.record(problem, connection)
                return (try lease.end(.failed, problem: problem, connection), .zero)
            case .cancelled: return (try lease.end(.cancelled, connection), .zero)
            case .lost(let problem, let hostDied):
                try lease.record(problem, connection)
                return try lease.requeue(isLost: true, hostDied: hostDied, connection)
            case .handBack:
                try lease.record(Self.handedBack, connection)
                return try lease.requeue(isLost: false, connection)
            }
        }
        announce(job, pause: pause)
        return (job, pause)
    }

    private static let handedBack = ProblemDocument(
        .workerStopped, "The worker that ran the job was stopped, and handed it back.")
}
