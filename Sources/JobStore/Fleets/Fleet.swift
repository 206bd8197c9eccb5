import Postgres
import RealmFleet
import RealmMigration
import RealmModel
import StoreCore

/// Many realms of an app on their way to one schema version.
public struct Fleet: Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The app's name.
    public var app: String
    /// The request for the fleet.
    public var request: FleetRequest
    /// A migration for this fleet alone; nil for the one declared for its version.
    public var migration: DeclaredMigration?
    /// Where it stands, and how many of its realms stand where.
    public var machine: FleetMachine
    /// Until when the others wait after a canary that has ended well; nil where they don't.
    public var heldUntil: Timestamp?
    /// How fast it goes; nil before that is known.
    public var pace: Pace?
    /// When it was made.
    public var createdAt: Timestamp
    /// When it ended, if it has.
    public var finishedAt: Timestamp?

    let appID: RealmModel.UUID
    /// Whether a pause was found to be over, which is not written down yet.
    var isReleased = false

    /// How fast realms have their turns since it last began or went on.
    public struct Pace: Hashable, Sendable {
        /// Realms that have had their turn, a second.
        public var realmsPerSecond: Double
        /// Objects of those that were migrated, a second.
        public var objectsPerSecond: Double
    }

    /// The migration request for each realm.
    public var migrationRequest: MigrationOrder.Request {
        MigrationOrder.Request(
            targetVersion: request.targetVersion, migration: migration, mode: request.mode, dryRun: request.dryRun,
            onError: request.onError, limits: request.limits)
    }

    /// When all realms will have had their turn at this speed; nil where that is not known or over.
    public var etaSeconds: Double? {
        guard machine.state == .running || machine.state == .canary, let pace, pace.realmsPerSecond > 0 else {
            return nil
        }
        let left = machine.counts[.pending] + machine.counts[.running]
        return (Double(left) / pace.realmsPerSecond * 10).rounded() / 10
    }
}

extension Fleet {
    static let columns: StaticString = """
        f.app_id, f.fleet_id, f.target_version, f.request, f.migration, f.state, f.pause, f.has_passed_canary, f.held_until, f.forgiven,
        f.pending, f.running, f.succeeded, f.failed, f.unchanged, f.undone, f.kept, f.created_at, f.finished_at,
        extract(epoch FROM f.settled_at - f.stretch_at)::double precision AS stretch_seconds,
        f.total - f.pending - f.running - f.stretch_finished AS stretch_realms, f.objects - f.stretch_objects AS stretch_objects,
        f.held_until <= clock_timestamp() AS is_due
        """

    init(row: PostgresRow, app: String) throws {
        var request = try row.document("request", as: FleetRequest.self)
        request.targetVersion = try row.value("target_version", as: StoredVersion.self).number
        var counts = FleetCounts()
        for state in FleetMemberState.allCases { counts[state] = try row.value(state.rawValue) }
        guard let state = FleetState(rawValue: try row.value("state")) else {
            throw StoreError.damaged("a fleet's state")
        }
        let heldUntil: Timestamp? = try row.optional("held_until")
        let machine = FleetMachine(
            request.policy, state: state,
            pause: try row.optional("pause", as: String.self).flatMap(FleetMachine.Pause.init), counts: counts,
            hasPassedCanary: try row.value("has_passed_canary"), isHeld: heldUntil != nil,
            forgiven: try row.value("forgiven"))
        self.init(
            id: try row.value("fleet_id"), app: app, request: request,
            migration: try row.optionalDocument("migration"), machine: machine, heldUntil: heldUntil,
            pace: try Pace(row: row), createdAt: try row.value("created_at"),
            finishedAt: try row.optional("finished_at"), appID: try row.value("app_id"))
    }
}

extension Fleet.Pace {
    init?(row: PostgresRow) throws {
        let seconds: Double = try row.value("stretch_seconds")
        let realms: Int = try row.value("stretch_realms")
        guard seconds > 0, realms > 0 else { return nil }
        realmsPerSecond = (Double(realms) / seconds * 10).rounded() / 10
        objectsPerSecond = (Double(try row.value("stretch_objects", as: Int.self)) / seconds).rounded()
    }
}
