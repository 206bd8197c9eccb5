import Columns
import Postgres
import RealmModel
import RealmSync
import StoreCore

/// A class or a property of a realm that is to stand in for another one, and how far that is.
public struct Partner: Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The app's name.
    public var app: String
    /// The realm's name.
    public var realm: String
    /// The two sides, and the functions between them.
    public var definition: PartnerDefinition
    /// How far it is.
    public var state: PartnerState
    /// How far the objects that were there before have their partners.
    public var fill: Fill
    /// When it was asked for.
    public var createdAt: Timestamp
    /// The job that prepares it; nil where an earlier version of the program queued that.
    public var job: RealmModel.UUID?
    /// The side that has left the schema, as it was declared: a class, or the class with the properties that left; nil while both
    /// are there, and where an earlier version of the program ended it.
    public var retired: ObjectSchema?

    let appID: RealmModel.UUID

    /// How far a backfill is.
    public struct Fill: Hashable, Sendable {
        /// The purpose for which a backfill goes through all objects.
        public enum Pass: Int, Hashable, Sendable {
            /// Objects get their partners.
            case objects = 0
            /// Partners get the links to others, all of which are there now.
            case links = 1
        }

        /// The pass that it is in.
        public var pass: Pass
        /// The object key that it has come to; −1 at the beginning.
        public var key: Int64
        /// The last object key that there was when the pass began: later objects get their partners, and their links, at once.
        public var end: Int64
        /// Objects that were gone through.
        public var done: Int
        /// Objects that there were.
        public var total: Int

        /// A pass that begins.
        ///
        /// - Parameter stored: the class whose objects it goes through; nil where there are none.
        public init(_ pass: Pass, of stored: StoredClass?) {
            self.init(pass: pass, end: (stored?.nextSequence ?? 0) - 1, total: stored?.objectCount ?? 0)
        }

        /// Describes how far a backfill is.
        public init(pass: Pass = .objects, key: Int64 = -1, end: Int64, done: Int = 0, total: Int) {
            self.pass = pass
            self.key = key
            self.end = end
            self.done = done
            self.total = total
        }
    }

    /// How many findings there are of a partner.
    public struct Counts: Hashable, Sendable {
        /// Objects that break the law.
        public var violations: Int
        /// Those of them that nobody has accepted.
        public var unaccepted: Int
        /// Those of them for which a function fails.
        public var failing: Int
        /// Objects whose partners hold something else.
        public var divergent: Int
    }

    /// A schema version that has not heard of the partner, and when it was last seen.
    public struct OldVersion: Hashable, Sendable {
        /// The version.
        public var version: UInt64
        /// When a client last named it.
        public var seenAt: Timestamp
    }

    /// An object that was found, and whether somebody has accepted that.
    public struct Finding: Hashable, Sendable {
        /// The finding.
        public var finding: PartnerFinding
        /// Whether the cut-over may go over it.
        public var isAccepted: Bool
    }
}

extension Partner {
    static let columns: StaticString = """
        p.app_id, p.partner_id, p.realm_id, a.name AS app_name, r.name AS realm_name, p.class_name, p.property, p.partner,
        p.functions, p.cut_over_after, p.state, p.pass, p.filled_to, p.fill_end, p.filled_count, p.total_count, p.created_at, p.job_id,
        p.retired
        """

    struct Functions: Codable {
        var forward: String
        var backward: String
    }

    init(row: PostgresRow) throws {
        guard let state = PartnerState(rawValue: try row.value("state")),
            let pass = Fill.Pass(rawValue: try row.value("pass")),
            let partner = try SchemaColumn.decode(try row.value("partner")).classes.first
        else { throw StoreError.damaged("a partner") }
        let functions = try row.json("functions", as: Functions.self)
        self.init(
            id: try row.value("partner_id"), app: try row.value("app_name"), realm: try row.value("realm_name"),
            definition: PartnerDefinition(
                className: try row.value("class_name"), property: try row.optional("property"), partner: partner,
                forward: functions.forward, backward: functions.backward,
                cutOverAfterSeconds: try row.optional("cut_over_after")),
            state: state,
            fill: Fill(
                pass: pass, key: Int64(try row.value("filled_to", as: Int.self)),
                end: Int64(try row.value("fill_end", as: Int.self)),
                done: try row.value("filled_count"), total: try row.value("total_count")),
            createdAt: try row.value("created_at"), job: try row.optional("job_id"),
            retired: try row.optional("retired", as: PostgresBytes.self).flatMap {
                try SchemaColumn.decode($0).classes.first
            }, appID: try row.value("app_id"))
    }
}
