import Postgres
import RealmModel

/// The order of a job that gives the objects of a class their partners.
public struct PartnerBackfillOrder: Hashable, Sendable {
    /// The partner.
    public var partner: RealmModel.UUID
    /// The realm's name.
    public var realm: String

    let realmID: RealmModel.UUID
}

extension PartnerBackfillOrder: JobOrderContent {
    static let kind = JobKind.partnerBackfill

    private struct Request: Codable {
        var partner: String
    }

    init(row: PostgresRow) throws {
        guard let id = RealmModel.UUID(try row.json("request", as: Request.self).partner) else {
            throw StoreError.damaged("the order of a backfill")
        }
        self.init(partner: id, realm: try row.value("realm_name"), realmID: try row.value("realm_id"))
    }

    /// Changes go on beside it: it is not exclusive, and commits small batches as they do.
    func insert(_ job: NewJob, _ connection: PostgresConnection) throws -> Job {
        let rows = try connection.query(
            """
            INSERT INTO job (job_id, kind, exclusive, parent_id, request_id, app_id, realm_id, app_name, realm_name, request, priority,
                run_at)
            SELECT \(job.id), \(Self.kind.rawValue), false, \(job.parent), \(job.requestID), app_id, \(realmID), \(job.app), \(realm),
                \(try StoredJSON.encode(Request(partner: "\(partner)"))), \(job.priority),
                greatest(\(job.schedule.runAt), clock_timestamp())
            FROM app WHERE name = \(job.app)
            RETURNING \(unsafeSQL: Job.columns)
            """)
        guard let row = rows.first else { throw StoreError.notFound(.app, job.app) }
        return try Job(row: row)
    }

    func requireRetriable(_ job: Job, _ connection: PostgresConnection) throws {
        _ = try SnapshotStore.Realms.lock(realm, in: job.app, connection)
    }
}

/// The outcome of an attempt of a backfill: everything is in the realm already.
public struct PartnerBackfillOutcome: JobOutcome {
    /// An outcome.
    public init() {}

    /// Ends the job.
    public func finish(_ ending: JobEnding) throws -> Job {
        try ending.commit { connection in
            let (_, isCancelRequested) = try ending.lockRealm(connection)
            return isCancelRequested ? .cancelled : .succeeded(nil)
        }
    }

    /// Has nothing to let go of.
    public func close() {}
}
