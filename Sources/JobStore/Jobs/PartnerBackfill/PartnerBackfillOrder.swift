import Postgres
import RealmModel
import SnapshotStore
import StoreCore

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
    static let order: StaticString? =
        "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, partner_id FROM partner_backfill_job"

    init(row: PostgresRow) throws {
        self.init(
            partner: try row.value("partner_id"), realm: try row.value("realm_name"),
            realmID: try row.value("realm_id"))
    }

    /// Changes go on beside it: it is not exclusive, and commits small batches as they do.
    func insert(_ job: NewJob, _ connection: PostgresConnection) throws -> Job {
        let rows = try connection.query(
            """
            WITH j AS (
                INSERT INTO job (job_id, kind, exclusive, parent_id, request_id, trace_parent, app_id, realm_id, app_name, realm_name, priority, run_at)
                SELECT \(job.id), \(Self.kind.rawValue), false, \(job.parent), \(job.requestID), \(job.traceParent), app_id, \(realmID), \(job.app), \(realm),
                    \(job.priority), greatest(\(job.schedule.runAt), clock_timestamp())
                FROM app WHERE name = \(job.app)
                RETURNING *
            ), ordered AS (
                INSERT INTO partner_backfill_job (app_id, job_id, partner_id) SELECT app_id, job_id, \(partner) FROM j
            )
            SELECT \(job: .queue) FROM j
            """)
        guard let row = rows.first else { throw StoreError.notFound(.app, job.app) }
        return try Job(row: row, order: .partnerBackfill(self))
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
