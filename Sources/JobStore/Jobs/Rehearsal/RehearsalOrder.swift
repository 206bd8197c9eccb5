import Postgres
import RealmJSON
import RealmModel
import StoreCore

/// The order of a job that tries the way to a declared version from each version that realms of an app may stand at.
public struct RehearsalOrder: Hashable, Sendable {
    /// The schema version to reach.
    public var targetVersion: UInt64
    /// Snapshots that are tried in place of the newest ones of their versions.
    public var samples: [RealmModel.UUID]
    /// Realms of each version that are tried, at most.
    public var realmsPerVersion: Int
    /// The levels and rules of findings that fail it, where any do.
    public var failOn: [String]?

    /// Describes an order.
    public init(
        targetVersion: UInt64, samples: [RealmModel.UUID] = [], realmsPerVersion: Int = 1, failOn: [String]? = nil
    ) {
        self.targetVersion = targetVersion
        self.samples = samples
        self.realmsPerVersion = realmsPerVersion
        self.failOn = failOn
    }
}

extension RehearsalOrder: JobOrderContent {
    static let kind = JobKind.rehearsal
    static let order: StaticString? =
        "NULL, NULL, NULL, to_version, request, NULL, NULL, NULL, NULL FROM rehearsal_job"

    /// The version has a column of its own.
    private struct Request: StoredDocument {
        let samples: [RealmModel.UUID]
        let realmsPerVersion: Int
        let failOn: [String]?

        init(_ order: RehearsalOrder) {
            samples = order.samples
            realmsPerVersion = order.realmsPerVersion
            failOn = order.failOn
        }

        init(json: JSONValue) throws(StoreError) {
            samples = try json.stored("samples", \.elements).map { (json) throws(StoreError) in
                guard let id = json.string.flatMap({ RealmModel.UUID($0) }) else { throw .damaged("a stored sample") }
                return id
            }
            realmsPerVersion = try json.storedIfAny("realmsPerVersion", \.int).map { Int($0) } ?? 1
            failOn = try json.storedIfAny("failOn") { $0.elements?.compactMap(\.string) }
        }

        var json: JSONValue {
            [
                "samples": .array(samples.map { .string("\($0)") }), "realmsPerVersion": .int(Int64(realmsPerVersion)),
                "failOn": failOn.map { .array($0.map { .string($0) }) } ?? .null,
            ]
        }
    }

    init(row: PostgresRow) throws {
        let request = try row.document("request", as: Request.self)
        self.init(
            targetVersion: try row.value("to_version", as: StoredVersion.self).number, samples: request.samples,
            realmsPerVersion: request.realmsPerVersion, failOn: request.failOn)
    }

    /// It changes no realm, and waits for none.
    func insert(_ job: NewJob, _ connection: PostgresConnection) throws -> Job {
        let rows = try connection.query(
            """
            WITH j AS (
                INSERT INTO job (job_id, kind, exclusive, parent_id, request_id, trace_parent, app_id, app_name, priority, run_at)
                SELECT \(job.id), \(Self.kind.rawValue), false, \(job.parent), \(job.requestID), \(job.traceParent), app_id, \(job.app),
                    \(job.priority), greatest(\(job.schedule.runAt), clock_timestamp())
                FROM app WHERE name = \(job.app)
                RETURNING *
            ), ordered AS (
                INSERT INTO rehearsal_job (app_id, job_id, to_version, request)
                SELECT app_id, job_id, \(StoredVersion(targetVersion)), \(StoredJSON.encode(Request(self))) FROM j
            )
            SELECT \(job: .queue) FROM j
            """)
        guard let row = rows.first else { throw StoreError.notFound(.app, job.app) }
        return try Job(row: row, order: .rehearsal(self))
    }

    func requireRetriable(_ job: Job, _ connection: PostgresConnection) throws {}
}

/// The outcome of an attempt of a rehearsal: its report.
public struct RehearsalOutcome: JobOutcome {
    private let report: JSONValue

    /// An outcome.
    public init(report: JSONValue) { self.report = report }

    /// Keeps the report.
    public func finish(_ ending: JobEnding) throws -> Job {
        try ending.commit { connection in
            let rows = try connection.query(
                """
                SELECT cancel_requested FROM job
                WHERE job_id = \(ending.lease.job.id) AND lease_token = \(ending.lease.token) FOR UPDATE
                """)
            guard let row = rows.first else { throw StoreError.leaseLost }
            guard try !row.value("cancel_requested") else { return .cancelled }
            try JobStore.keep(report, of: ending.lease.job, connection)
            return .succeeded(nil)
        }
    }

    /// Has nothing to let go of.
    public func close() {}
}
