import Postgres
import Problems
import RealmModel

extension SnapshotStore.Jobs {
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

    /// Takes the job that has waited longest in the first lane that has one of a kind that this program knows.
    ///
    /// One statement: of any number of workers exactly one gets a job. Its commit need not be on disk: where a crash of the
    /// database loses it, the job is queued as before, and the attempt has no lease.
    ///
    /// - Parameters:
    ///   - duration: how long the lease lasts unless it is renewed.
    ///   - lanes: in the order in which they are asked; nil for all, as they are found.
    ///   - starts: of lanes the moment before which no job is looked for, so that rows of those that were taken, which the
    ///     database may have to keep for long, are not gone through each time.
    ///   - worker: the process that takes it.
    /// - Throws: `StoreError.damaged` where the job can't be read; it has failed then.
    public func claim(
        lease duration: Duration, in lanes: [JobLane]? = nil, from starts: [JobLane: Timestamp] = [:],
        as worker: String? = nil
    ) throws -> JobLease? {
        let lanes = try lanes ?? self.lanes().map(\.lane).inTurn
        guard !lanes.isEmpty else { return nil }
        let apps = PostgresArray(lanes.map(\.app))
        let priorities = PostgresArray(lanes.map { Int32($0.priority.rank) })
        let returned = PostgresArray(lanes.map(\.isReturned))
        let moments = PostgresArray(lanes.map { starts[$0] ?? Timestamp(seconds: 0, nanoseconds: 0) })
        let token = RealmModel.UUID.version7()
        return try pool.withConnection { connection in
            let claimed = try connection.query(
                """
                UPDATE job SET state = 'running', attempt = attempt + 1, lease_token = \(token), worker = \(worker),
                    lease_until = now() + \(duration.inSeconds) * interval '1 second', attempt_started_at = now(),
                    started_at = coalesce(started_at, now()), progress = NULL, revision = revision + 1
                WHERE job_id = (
                    SELECT next.job_id
                    FROM unnest(\(apps), \(priorities), \(returned), \(moments)) AS lane (app_id, priority, returned, start)
                    CROSS JOIN LATERAL (
                        SELECT job_id FROM job
                        WHERE state = 'queued' AND app_id = lane.app_id AND priority = lane.priority AND returned = lane.returned
                            AND run_at >= lane.start AND run_at <= now()
                            -- In a CASE: the planner takes a kind of its own for rare, and would sort all jobs.
                            AND CASE WHEN kind = ANY(\(JobKind.known)) THEN true ELSE false END
                        ORDER BY run_at, job_id LIMIT 1 FOR UPDATE SKIP LOCKED
                    ) AS next
                    LIMIT 1
                )
                RETURNING \(unsafeSQL: Job.columns), extract(epoch FROM now() - run_at)::double precision AS waited,
                    set_config('synchronous_commit', 'off', true)
                """)
            do {
                return try claimed.first.map { row in
                    JobLease(
                        job: try Job(row: row), token: token, waited: .seconds(try row.value("waited", as: Double.self))
                    )
                }
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
                lease_token = NULL, lease_until = NULL, worker = NULL, cancel_requested = false, revision = revision + 1
            WHERE lease_token = \(token) AND state = 'running'
            """)
    }

    /// The processes that have jobs, as they called themselves.
    public func workers() throws -> [String] {
        try pool.withConnection { connection in
            try connection.query("SELECT DISTINCT worker FROM job WHERE state = 'running' AND worker IS NOT NULL")
                .map { try $0.value("worker") }
        }
    }

    /// Queues jobs again whose worker is lost: it let the lease expire, or is known to be gone.
    ///
    /// Those that were asked to stop have stopped, and those of other kinds are left to the programs that know them.
    ///
    /// - Parameter dead: processes that have ended.
    /// - Returns: their attempts.
    @discardableResult
    public func requeueLost(of dead: [String] = []) throws -> [LostAttempt] {
        let problem = StoredJSON.encode(ProblemDocument(500, "worker_lost", "The worker that ran the job was lost."))
        let requeued = try pool.withConnection { connection in
            try connection.query(
                """
                WITH lost AS (
                    SELECT job_id AS lost_id, attempt AS lost_attempt, attempt_started_at AS began, worker AS lost_worker FROM job
                    WHERE state = 'running' AND kind = ANY(\(JobKind.known))
                        AND (lease_until < now() OR worker = ANY(\(PostgresArray(dead))))
                    FOR UPDATE SKIP LOCKED
                ), recorded AS (
                    INSERT INTO job_attempt (job_id, attempt, started_at, worker, problem)
                    SELECT lost_id, lost_attempt, began, lost_worker, \(problem) FROM lost
                    ON CONFLICT (job_id, attempt) DO NOTHING
                )
                UPDATE job SET \(unsafeSQL: Job.requeued), run_at = now() + \(unsafeSQL: Job.backoff), losses = losses + 1
                FROM lost WHERE job_id = lost_id
                RETURNING \(unsafeSQL: JobHint.columns), \(unsafeSQL: LostAttempt.columns)
                """
            ).map { (hint: try JobHint(row: $0), attempt: try LostAttempt(row: $0)) }
        }
        for lost in requeued { announce(lost.hint) }
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
        503, "worker_stopped", "The worker that ran the job was stopped, and handed it back.")
}

extension Duration {
    /// Seconds with a fraction, for intervals.
    var inSeconds: Double { self / .seconds(1) }

    /// From one moment to a later one.
    static func between(_ start: Timestamp, _ end: Timestamp) -> Duration {
        .seconds(end.seconds - start.seconds) + .nanoseconds(Int64(end.nanoseconds - start.nanoseconds))
    }
}
