import Postgres
import RealmModel
import StoreCore

/// The kinds of jobs that this program knows; its workers claim no others.
public enum JobKind: String, Hashable, Sendable, CaseIterable {
    /// One migration of one realm.
    case migration
    /// Values for objects of a synced realm that lack one.
    case backfill
    /// The objects of a class get their partners.
    case partnerBackfill = "partner_backfill"
    /// The migration of some realms of a fleet.
    case fleet
    /// A rehearsal of a migration on the realms of all versions of an app.
    case rehearsal

    var content: any JobOrderContent.Type {
        switch self {
        case .migration: MigrationOrder.self
        case .backfill: BackfillOrder.self
        case .partnerBackfill: PartnerBackfillOrder.self
        case .fleet: FleetOrder.self
        case .rehearsal: RehearsalOrder.self
        }
    }

    /// All of them, for the statements that leave the jobs of newer programs alone.
    static var known: PostgresArray<String> { PostgresArray(allCases.map(\.rawValue)) }
}

/// The order of a job with its result: a case a kind.
public enum JobOrder: Hashable, Sendable {
    /// One migration of one realm.
    case migration(MigrationOrder)
    /// Values for objects of a synced realm that lack one.
    case backfill(BackfillOrder)
    /// The objects of a class get their partners.
    case partnerBackfill(PartnerBackfillOrder)
    /// The migration of some realms of a fleet.
    case fleet(FleetOrder)
    /// A rehearsal of a migration on the realms of all versions of an app.
    case rehearsal(RehearsalOrder)

    /// The kind.
    public var kind: JobKind { type(of: content).kind }

    var content: any JobOrderContent {
        switch self {
        case .migration(let order): order
        case .backfill(let order): order
        case .partnerBackfill(let order): order
        case .fleet(let order): order
        case .rehearsal(let order): order
        }
    }

    /// - Throws: `StoreError.damaged`.
    init(row: PostgresRow) throws {
        guard let kind = JobKind(rawValue: try row.value("kind")) else {
            throw StoreError.damaged("a job of a kind that this program does not know")
        }
        switch kind {
        case .migration: self = .migration(try MigrationOrder(row: row))
        case .backfill: self = .backfill(try BackfillOrder(row: row))
        case .partnerBackfill: self = .partnerBackfill(try PartnerBackfillOrder(row: row))
        case .fleet: self = .fleet(try FleetOrder(row: row))
        case .rehearsal: self = .rehearsal(try RehearsalOrder(row: row))
        }
    }
}

/// The order of a kind in the database, beside the columns that all jobs have.
protocol JobOrderContent: Hashable, Sendable {
    static var kind: JobKind { get }
    /// The columns `source_id`, `result_id`, `from_version`, `to_version`, `request`, `schema`, `migration`, `plan` and `partner_id` of
    /// an order, `NULL` where the kind has none, and its table; nil where the queue's row says all.
    static var order: StaticString? { get }

    /// The order in a row with the columns of `JobColumns.whole`.
    init(row: PostgresRow) throws

    /// Inserts a job in one statement, where the kind's law permits it at that moment.
    ///
    /// - Throws: `StoreError`, which says what does not permit it; `realmChanged` where the order has to be checked again.
    func insert(_ job: NewJob, _ connection: PostgresConnection) throws -> Job

    /// Keeps a finished job from being queued again where the kind's law does not permit it, until the transaction ends.
    ///
    /// Locks come in the order app, realm, job; nobody has the job's row yet.
    func requireRetriable(_ job: Job, _ connection: PostgresConnection) throws
}

/// The envelope of a job that is to be inserted.
struct NewJob {
    var id = RealmModel.UUID.version7()
    /// The app's name.
    let app: String
    let parent: RealmModel.UUID?
    /// The request that asks for it.
    var requestID: String?
    /// Where that request stands in a trace.
    var traceParent: String?
    /// When it is to begin.
    var schedule = JobSchedule()

    /// The priority as the column has it.
    var priority: Int32 { Int32(schedule.priority.rank) }
}
