import Columns
import Postgres
import Problems
import RealmModel

extension SnapshotStore {
    /// Takes the job that has waited longest, or one whose worker let its lease expire.
    ///
    /// One statement: of any number of workers exactly one gets a job. Its commit need not be on disk: where a crash of the
    /// database loses it, the job is queued as before, and the attempt has no lease.
    ///
    /// - Parameter duration: how long the lease lasts unless it is renewed.
    public func claimJob(lease duration: Duration) throws -> JobLease? {
        let token = RealmModel.UUID.version7()
        return try pool.withConnection { connection in
            try connection.query(
                """
                UPDATE job SET state = 'running', attempt = attempt + 1, lease_token = \(token),
                    lease_until = now() + \(duration.inSeconds) * interval '1 second',
                    started_at = coalesce(started_at, now()), progress = NULL, revision = revision + 1
                WHERE job_id = (
                    SELECT job_id FROM job
                    WHERE state IN ('queued', 'running') AND attempt < attempt_limit AND NOT cancel_requested
                        AND CASE state WHEN 'queued' THEN run_at <= now() ELSE lease_until < now() END
                    ORDER BY run_at, job_id LIMIT 1 FOR UPDATE SKIP LOCKED
                )
                RETURNING \(unsafeSQL: Job.columns), set_config('synchronous_commit', 'off', true)
                """
            ).first.map { JobLease(job: try Job(row: $0), token: token) }
        }
    }

    /// Ends jobs whose worker is lost and that are not to be claimed again: cancelled ones and those out of attempts.
    ///
    /// - Returns: how many.
    @discardableResult
    public func endLostJobs() throws -> Int {
        let problem = ProblemDocument(
            500, "worker_lost", "The workers that ran the job ended without a result, each time.")
        let ended = try pool.withConnection { connection in
            try connection.query(
                """
                UPDATE job SET state = CASE WHEN cancel_requested THEN 'cancelled' ELSE 'failed' END,
                    problem = CASE WHEN NOT cancel_requested THEN \(StoredJSON.encode(problem)) END,
                    finished_at = now(), lease_token = NULL, lease_until = NULL, cancel_requested = false,
                    revision = revision + 1
                WHERE state = 'running' AND lease_until < now() AND (cancel_requested OR attempt >= attempt_limit)
                RETURNING \(unsafeSQL: Job.columns)
                """
            ).map(Job.init(row:))
        }
        for job in ended { announce(job, isQueued: false) }
        return ended.count
    }

    /// The store that an attempt reads and writes; its batch bears the lease's token.
    public func segments(for lease: JobLease) -> PostgresSegmentStore {
        PostgresSegmentStore(
            self, appID: lease.job.appID, realmID: lease.job.realmID, owner: .attempt, batch: BatchID(lease.token))
    }

    /// Writes down what an attempt runs, where the job does not say so already.
    ///
    /// It need not be on disk: where a crash of the database loses it, the attempt is lost as well.
    ///
    /// - Throws: `StoreError.leaseLost`.
    public func setPlan(_ plan: JobPlan, of lease: JobLease) throws {
        guard plan != lease.job.plan else { return }
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                UPDATE job SET plan = \(try StoredJSON.encode(plan)), revision = revision + 1
                WHERE job_id = \(lease.job.id) AND lease_token = \(lease.token)
                RETURNING set_config('synchronous_commit', 'off', true)
                """)
        }
        guard !rows.isEmpty else { throw StoreError.leaseLost }
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
            UPDATE job SET progress = coalesce(\(try progress.map { try StoredJSON.encode($0) }), progress),
                log_count = log_count + \(Int32(lineCount)), revision = revision + 1
            WHERE job_id = \(lease.job.id) AND lease_token = \(lease.token)
            RETURNING cancel_requested, log_count, set_config('synchronous_commit', 'off', true)
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return (try row.value("cancel_requested"), try row.value("log_count"))
    }

    /// Ends a job with a result, in one short transaction: the new snapshot, the realm's pointer to it, the job's state.
    ///
    /// - Parameters:
    ///   - store: what `segments(for:)` gave; nil where nothing was to be written.
    ///   - progress: how far the attempt is; nil where that was reported.
    /// - Returns: the job; `cancelled` rather than succeeded where it was asked to stop meanwhile.
    /// - Throws: `StoreError.leaseLost`, `realmChanged`; nothing is changed then.
    public func finish(
        _ lease: JobLease, _ outcome: JobOutcome, store: PostgresSegmentStore?, progress: JobProgress? = nil
    ) throws -> Job {
        if case .migrated = outcome { try store?.flushUnlessSmall() }
        let job = try pool.transaction { connection in
            let realm = try Self.lockRealm(lease.job.realm, in: lease.job.app, connection)
            guard try !Self.isCancelRequested(lease, connection) else {
                return try Self.end(lease, state: .cancelled, progress: progress, connection)
            }
            guard realm.currentSnapshot == lease.job.sourceSnapshot else { throw StoreError.realmChanged }
            switch outcome {
            case .migrated(let snapshot):
                try store?.commitBatch(to: realm, connection)
                let id = try Self.insert(snapshot, into: realm, origin: .migration(job: lease.job.id), connection)
                return try Self.end(lease, state: .succeeded, result: id, progress: progress, connection)
            case .unchanged:
                return try Self.end(
                    lease, state: .succeeded, result: realm.currentSnapshot, progress: progress, connection)
            case .dryRun: return try Self.end(lease, state: .succeeded, progress: progress, connection)
            }
        }
        store?.didCommit()
        announce(job, isQueued: false)
        return job
    }

    /// Ends an attempt without a result; the realm stays as it is.
    ///
    /// - Returns: the job; cancelled where it was asked to stop and would have been queued again.
    /// - Throws: `StoreError.leaseLost`.
    public func release(_ lease: JobLease, _ release: JobRelease) throws -> Job {
        let job = try pool.withConnection { connection in
            switch release {
            case .failed(let problem): try Self.end(lease, state: .failed, problem: problem, connection)
            case .cancelled: try Self.end(lease, state: .cancelled, connection)
            case .retry(let delay): try Self.requeue(lease, after: delay, extraAttempts: 0, connection)
            case .handBack: try Self.requeue(lease, after: .zero, extraAttempts: 1, connection)
            }
        }
        announce(job, isQueued: job.state == .queued)
        return job
    }

    private static func isCancelRequested(_ lease: JobLease, _ connection: PostgresConnection) throws -> Bool {
        let rows = try connection.query(
            """
            SELECT cancel_requested FROM job WHERE job_id = \(lease.job.id) AND lease_token = \(lease.token) FOR UPDATE
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return try row.value("cancel_requested")
    }

    private static func end(
        _ lease: JobLease, state: JobState, result: RealmModel.UUID? = nil, problem: ProblemDocument? = nil,
        progress: JobProgress? = nil, _ connection: PostgresConnection
    ) throws -> Job {
        let rows = try connection.query(
            """
            UPDATE job SET state = \(state.rawValue), result_id = \(result),
                problem = \(problem.map(StoredJSON.encode)),
                progress = coalesce(\(try progress.map { try StoredJSON.encode($0) }), progress), finished_at = now(),
                lease_token = NULL, lease_until = NULL, cancel_requested = false, revision = revision + 1
            WHERE job_id = \(lease.job.id) AND lease_token = \(lease.token)
            RETURNING \(unsafeSQL: Job.columns)
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return try Job(row: row)
    }

    private static func requeue(
        _ lease: JobLease, after delay: Duration, extraAttempts: Int32, _ connection: PostgresConnection
    ) throws -> Job {
        let rows = try connection.query(
            """
            UPDATE job SET state = CASE WHEN cancel_requested THEN 'cancelled' ELSE 'queued' END,
                finished_at = CASE WHEN cancel_requested THEN now() END,
                run_at = now() + \(delay.inSeconds) * interval '1 second',
                attempt_limit = attempt_limit + \(extraAttempts), progress = NULL,
                lease_token = NULL, lease_until = NULL, cancel_requested = false, revision = revision + 1
            WHERE job_id = \(lease.job.id) AND lease_token = \(lease.token)
            RETURNING \(unsafeSQL: Job.columns)
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return try Job(row: row)
    }
}

extension Duration {
    /// Seconds with a fraction, for intervals.
    var inSeconds: Double { self / .seconds(1) }
}
