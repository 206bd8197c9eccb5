import Postgres
import Problems
import RealmFleet
import RealmModel
import StoreCore

/// A realm of a fleet.
public struct FleetMember: Hashable, Sendable {
    /// The realm's name.
    public var realm: String
    /// The schema version that it had when the fleet was made; nil where it had none.
    public var fromVersion: UInt64?
    /// Where it stands.
    public var state: FleetMemberState
    /// How often it had its turn.
    public var attempt: Int
    /// The job that has it, or had it last.
    public var job: RealmModel.UUID?
    /// The snapshot that was migrated; nil before its turn has come to an end.
    public var sourceSnapshot: RealmModel.UUID?
    /// The snapshot that the migration made, if any.
    public var resultSnapshot: RealmModel.UUID?
    /// Objects that were set aside, or would be by a fleet that commits nothing.
    public var quarantinedCount: Int
    /// The job that has them, and can be asked to retry them; nil where there are none.
    public var quarantineJob: RealmModel.UUID?
    /// The cause by which failures are grouped; nil of what has not failed.
    public var reason: String?
    /// The failure itself.
    public var problem: ProblemDocument?
    /// When its turn was over.
    public var finishedAt: Timestamp?
}

extension FleetMember {
    init(row: PostgresRow) throws {
        guard let state = FleetMemberState(rawValue: try row.value("state")) else {
            throw StoreError.damaged("the state of a realm of a fleet")
        }
        self.init(
            realm: try row.value("realm_name"),
            fromVersion: try row.optional("from_version", as: StoredVersion.self)?.number, state: state,
            attempt: try row.value("attempt"), job: try row.optional("job_id"),
            sourceSnapshot: try row.optional("source_id"), resultSnapshot: try row.optional("result_id"),
            quarantinedCount: try row.value("quarantined_count"),
            quarantineJob: try row.optional("quarantine_job_id"), reason: try row.optional("reason"),
            problem: try row.optional("problem", as: PostgresJSON.self).map(StoredJSON.problem),
            finishedAt: try row.optional("finished_at"))
    }
}

/// Which realms of a fleet a list shows: those that agree with everything that is set.
public struct FleetMemberFilter: Hashable, Sendable {
    /// Where they stand.
    public var state: FleetMemberState?
    /// Why they failed.
    public var reason: String?

    /// All, unless something is set.
    public init(state: FleetMemberState? = nil, reason: String? = nil) {
        self.state = state
        self.reason = reason
    }

    /// The condition of the state, which the statement names rather than a parameter: indexes have members of some states alone.
    var stateCondition: StaticString {
        switch state {
        case nil: reason == nil ? "" : " AND state IN ('failed', 'kept')"
        case .pending: " AND state = 'pending'"
        case .running: " AND state = 'running'"
        case .succeeded: " AND state = 'succeeded'"
        case .failed: " AND state = 'failed'"
        case .unchanged: " AND state = 'unchanged'"
        case .undone: " AND state = 'undone'"
        case .kept: " AND state = 'kept'"
        }
    }
}

/// Realms of a fleet that failed for the same reason.
public struct FleetFailure: Hashable, Sendable {
    /// The reason, in the same words for all of them.
    public var reason: String
    /// How many.
    public var count: Int
    /// The names of some.
    public var sample: [String]
}

/// Realms of a fleet that had the same schema version when it was made.
public struct FleetVersion: Hashable, Sendable {
    /// The version; nil of realms without one.
    public var version: UInt64?
    /// How many of them stand where.
    public var counts: FleetCounts
}
