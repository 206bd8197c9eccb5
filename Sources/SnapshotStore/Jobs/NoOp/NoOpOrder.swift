import Postgres
import RealmModel

/// The order of a job that does nothing: the benchmark puts such jobs into the queue, and measures that.
public struct NoOpOrder: Hashable, Sendable {
    /// The realm's name, which need not be there.
    public var realm: String

    /// Orders nothing.
    public init(realm: String) { self.realm = realm }
}

extension NoOpOrder: JobOrderContent {
    static let kind = JobKind.noOp

    init(row: PostgresRow) throws {
        self.init(realm: try row.value("realm_name"))
    }

    func insert(_ job: NewJob, _ connection: PostgresConnection) throws -> Job {
        let rows = try connection.query(
            """
            INSERT INTO job (job_id, kind, exclusive, parent_id, request_id, app_id, realm_id, app_name, realm_name, request, priority, run_at)
            SELECT \(job.id), \(Self.kind.rawValue), true, \(job.parent), \(job.requestID), app_id, gen_random_uuid(), name, \(realm), '{}',
                \(job.priority), greatest(\(job.schedule.runAt), clock_timestamp())
            FROM app WHERE name = \(job.app)
            RETURNING \(unsafeSQL: Job.columns)
            """)
        guard let row = rows.first else { throw StoreError.notFound(.app, job.app) }
        return try Job(row: row)
    }

    func requireRetriable(_ job: Job, _ connection: PostgresConnection) throws {}
}

/// The outcome of an attempt of a job that does nothing.
public struct NoOpOutcome: JobOutcome {
    /// An outcome.
    public init() {}

    /// Ends the job, also where it was asked to stop meanwhile: there is nothing to stop.
    public func finish(_ ending: JobEnding) throws -> Job {
        guard let job = try JobLease.end([ending.lease], ending.pool).first?.value else { throw StoreError.leaseLost }
        return job
    }

    /// Has nothing to let go of.
    public func close() {}
}
