import Postgres
import RealmModel
import StoreCore

extension JobStore {
    /// Removes a job that has ended, with its log, its report and what it set aside; its result stays.
    ///
    /// - Throws: `StoreError.notFound`; `jobActive` while it waits or runs.
    public func delete(_ id: RealmModel.UUID) throws {
        let row = try pool.transaction { connection in
            let deleted = try connection.query(
                """
                DELETE FROM job WHERE job_id = \(id) AND finished_at IS NOT NULL RETURNING app_name, kind, realm_name, fleet_id
                """)
            if let row = deleted.first { return row }
            let found = try connection.query("SELECT state::text AS state FROM job WHERE job_id = \(id)")
            guard let state = try found.first?.value("state", as: String.self) else {
                throw StoreError.notFound(.job, "\(id)")
            }
            throw StoreError.jobActive(state)
        }
        let change = AppChange.removedJob(
            id, kind: try row.value("kind"), realm: try row.optional("realm_name"), fleet: try row.optional("fleet_id"))
        note(change, of: try row.value("app_name"))
    }

    /// The bytes of text that a page begins its last item with at most.
    static let pageBytes = 4 << 20

    /// Queues a job, where the kind's law permits it.
    ///
    /// - Parameters:
    ///   - parent: the job that makes it.
    ///   - requestID: the request that asks for it, as the log calls that.
    ///   - traceParent: where that stands in a trace.
    ///   - schedule: when it is to begin.
    ///   - id: the id that it has; one that there is already stays as it is. Nil for a new one.
    /// - Throws: `StoreError`; `realmChanged` where the order has to be checked again.
    public func insert(
        _ order: JobOrder, of app: String, parent: RealmModel.UUID? = nil, requestID: String? = nil,
        traceParent: String? = nil,
        schedule: JobSchedule = JobSchedule(), as id: RealmModel.UUID? = nil
    ) throws -> Job {
        var new = NewJob(app: app, parent: parent, requestID: requestID, traceParent: traceParent, schedule: schedule)
        if let id { new.id = id }
        let job: Job
        do {
            job = try pool.withConnection { try order.content.insert(new, $0) }
        } catch let error as PostgresError where error.isUniqueViolation && id != nil {
            return try find(new.id)
        }
        announce(job, pause: .between(job.createdAt, job.runAt))
        return job
    }

    /// A job.
    ///
    /// - Throws: `StoreError.notFound`.
    public func find(_ id: RealmModel.UUID) throws -> Job {
        try pool.withConnection { try Self.job(id, $0) }
    }

    /// Those of some jobs that there are; one that can't be read keeps none of the others from it.
    public func find(_ ids: Set<RealmModel.UUID>) throws -> [RealmModel.UUID: Result<Job, any Error>] {
        guard !ids.isEmpty else { return [:] }
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT \(job: .whole) FROM job j \(Job.joinedOrder)
                WHERE j.job_id = ANY(\(PostgresArray(Array(ids))))
                """)
        }
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in (try row.value("job_id"), Result { try Job(row: row) }) })
    }

    /// The name of the app and of the realm that a job is of; nil where there is no such job, or it is of no realm alone.
    public func place(of id: RealmModel.UUID) throws -> (app: String, realm: String)? {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT app_name AS app, realm_name AS realm FROM job
                WHERE job_id = \(id) AND realm_name IS NOT NULL
                """
            ).first.map { (try $0.value("app"), try $0.value("realm")) }
        }
    }

    /// The jobs that are there and of one realm alone, among some.
    public func ofOneRealm(among ids: Set<RealmModel.UUID>) throws -> Set<RealmModel.UUID> {
        guard !ids.isEmpty else { return [] }
        return try pool.withConnection { connection in
            let rows = try connection.query(
                "SELECT job_id FROM job WHERE job_id = ANY(\(PostgresArray(Array(ids)))) AND realm_name IS NOT NULL")
            return Set(try rows.map { try $0.value("job_id") })
        }
    }

    /// A job's log in order.
    ///
    /// A line says how many are missing where lines are left out; a page ends where its lines are 4 MiB.
    ///
    /// - Parameter ordinal: lines up to this number are left out, for readers that have them; a cursor goes before it.
    /// - Throws: `StoreError.notFound`.
    public func log(
        of id: RealmModel.UUID, after ordinal: Int = 0, _ page: PageRequest = PageRequest()
    ) throws -> Page<JobLogLine> {
        let after = try Cursor.number(.log, page, as: Int.self) ?? ordinal
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT ordinal, attempt, level, line, created_at, found FROM (
                    SELECT *, count(*) OVER () AS found,
                        sum(octet_length(line)) OVER (ORDER BY ordinal) - octet_length(line) AS bytes_before
                    FROM (
                        SELECT * FROM job_log
                        WHERE app_id = (SELECT app_id FROM job WHERE job_id = \(id)) AND job_id = \(id) AND ordinal > \(after)
                        ORDER BY ordinal LIMIT \(page.rowLimit)
                    ) AS lines
                ) AS sized
                WHERE bytes_before < \(Self.pageBytes) ORDER BY ordinal
                """)
            if rows.isEmpty { _ = try Self.job(id, connection) }
            let lines = JobLog.fillGaps(try rows.map(JobLogLine.init(row:)), after: after)
            return try Page(lines, found: rows.first?.value("found") ?? 0, rows.count, page, .log) { "\($0.ordinal)" }
        }
    }

    /// Cancels a queued job at once, and asks a running one to stop.
    ///
    /// - Throws: `StoreError.notFound`; `jobState` where the job is finished.
    public func cancel(_ id: RealmModel.UUID) throws -> Job {
        let job = try pool.withConnection { connection in
            let rows = try connection.query(
                """
                WITH j AS (
                    UPDATE job SET state = CASE state WHEN 'queued' THEN 'cancelled' ELSE state END,
                        finished_at = CASE state WHEN 'queued' THEN now() END,
                        cancel_requested = (state = 'running'), revision = revision + 1
                    WHERE job_id = \(id) AND kind = ANY(\(JobKind.known)) AND state IN ('queued', 'running')
                    RETURNING *
                )
                SELECT \(job: .whole) FROM j \(Job.joinedOrder)
                """)
            guard let row = rows.first else { throw StoreError.jobState(try Self.job(id, connection).state) }
            return try Job(row: row)
        }
        announce(job)
        if job.state == .cancelled {
            var ended = EndedJobs()
            ended.count(EndedJobs.Series(app: job.appID, kind: job.order.kind, state: .cancelled), after: .zero)
            // The job is cancelled, whatever becomes of a chart.
            _ = try? add(ended)
        }
        return job
    }

    /// Queues a failed or cancelled job again, as if none of its attempts had been lost, where the kind's law permits it.
    ///
    /// - Throws: `StoreError.notFound`; `jobState` in every other state; of a migration `migrationActive`, and `realmChanged`
    ///   where the job's source is not the realm's current snapshot any more.
    public func retry(_ id: RealmModel.UUID) throws -> Job {
        let job = try pool.transaction { connection in
            let finished = try Self.job(id, connection)
            guard finished.state == .failed || finished.state == .cancelled else {
                throw StoreError.jobState(finished.state)
            }
            try finished.order.content.requireRetriable(finished, connection)
            let rows = try connection.query(
                """
                UPDATE job j SET state = 'queued', run_at = clock_timestamp(), progress = NULL, problem = NULL, finished_at = NULL,
                    losses = 0, host_losses = 0, returned = false, revision = revision + 1
                WHERE job_id = \(id) AND state IN ('failed', 'cancelled')
                RETURNING \(job: .queue)
                """)
            guard let row = rows.first else { throw StoreError.jobState(try Self.job(id, connection).state) }
            return try Job(row: row, order: finished.order)
        }
        announce(job)
        return job
    }

    /// The state and revision of jobs that are there.
    public func revisions(_ ids: [RealmModel.UUID]) throws -> [JobRevision] {
        try pool.withConnection { connection in
            try connection.query("SELECT job_id, revision, state FROM job WHERE job_id = ANY(\(PostgresArray(ids)))")
                .map(JobRevision.init(row:))
        }
    }

    static func job(_ id: RealmModel.UUID, _ connection: PostgresConnection) throws -> Job {
        let rows = try connection.query(
            "SELECT \(job: .whole) FROM job j \(Job.joinedOrder) WHERE j.job_id = \(id)")
        guard let row = rows.first else { throw StoreError.notFound(.job, "\(id)") }
        return try Job(row: row)
    }
}

/// The part of a job that tells whether anything happened to it.
public struct JobRevision: Hashable, Sendable {
    /// The job.
    public var id: RealmModel.UUID
    /// Grows with every change.
    public var revision: Int
    /// Where the job stands.
    public var state: JobState

    init(row: PostgresRow) throws {
        guard let state = JobState(rawValue: try row.value("state")) else { throw StoreError.damaged("a job's state") }
        id = try row.value("job_id")
        revision = try row.value("revision")
        self.state = state
    }
}

extension JobLogLine {
    init(row: PostgresRow) throws {
        ordinal = try row.value("ordinal")
        attempt = try row.value("attempt")
        createdAt = try row.value("created_at")
        level = LogLevel(rawValue: try row.value("level")) ?? .log
        text = try row.value("line")
    }
}
