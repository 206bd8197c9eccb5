import Postgres
import RealmFleet
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore

extension JobStore.Fleets {
    /// Does what is asked of a fleet.
    ///
    /// - Parameters:
    ///   - migration: for `retryFailed`, what the fleet runs from now on; nil for what it ran before.
    ///   - requestID: the request that asks for it, as the log calls that.
    ///   - traceParent: where that stands in a trace.
    /// - Throws: `StoreError.notFound` (app, fleet); `fleetState` where its state does not permit that.
    public func take(
        _ verb: FleetMachine.Verb, _ id: RealmModel.UUID, in app: String, migration: DeclaredMigration? = nil,
        requestID: String? = nil, traceParent: String? = nil
    ) throws -> Fleet {
        let (fleet, hints) = try pool.transaction(isLong: true) { connection in
            let appID = try SnapshotStore.Apps.app(app, connection).id
            var fleet = try Self.lock(id, appID, app, connection)
            do throws(FleetMachine.Refused) {
                try fleet.machine.take(verb, ofRehearsal: fleet.request.dryRun)
            } catch {
                throw StoreError.fleetState(error)
            }
            if verb == .retryFailed { try Self.queueFailed(of: fleet, connection) }
            if let migration { fleet.migration = migration }
            fleet.heldUntil = nil
            try Self.write(fleet, beginsStretch: fleet.machine.state.isActive, connection)
            let held = try Self.endWaiting(of: fleet, connection)
            return (
                try Self.fleet(id, appID, app, connection),
                try held + Self.queueSlices(of: fleet, requestID: requestID, traceParent: traceParent, connection)
            )
        }
        jobs.announce(hints)
        if verb == .cancel { try stopSlices(of: fleet) }
        return fleet
    }

    /// Has the job begin that waits for the end of a canary's pause: it would take the place of one that is wanted now, or stay queued
    /// as long as a fleet that is paused.
    private static func endWaiting(of fleet: Fleet, _ connection: PostgresConnection) throws -> [JobHint] {
        try connection.query(
            """
            UPDATE job SET run_at = clock_timestamp()
            WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id) AND state = 'queued' AND NOT returned
                AND run_at > clock_timestamp()
            RETURNING \(unsafeSQL: JobHint.columns)
            """
        ).map(JobHint.init(row:))
    }

    private static func queueFailed(of fleet: Fleet, _ connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE fleet_member SET state = 'pending', source_id = NULL, quarantined_count = 0, reason = NULL, problem = NULL, finished_at = NULL
            WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id) AND state = 'failed'
            """)
    }

    /// Stops the jobs of a fleet; what they have is given back by `heal` at the latest.
    private func stopSlices(of fleet: Fleet) throws {
        let active = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT job_id FROM job
                WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id) AND state IN ('queued', 'running')
                """
            ).map { try $0.value("job_id", as: RealmModel.UUID.self) }
        }
        for job in active {
            do {
                _ = try jobs.cancel(job)
            } catch StoreError.jobState, StoreError.notFound {
                // It has ended meanwhile.
            }
        }
        try heal(fleet.id, of: fleet.appID, in: fleet.app)
    }

    // MARK: The row

    /// Keeps a fleet from being changed until the transaction ends; whoever takes this lock takes no other one afterwards but
    /// those of its realms that wait.
    static func lock(
        _ id: RealmModel.UUID, _ appID: RealmModel.UUID, _ app: String, _ connection: PostgresConnection
    ) throws -> Fleet {
        let rows = try connection.query(
            "SELECT \(unsafeSQL: Fleet.columns) FROM fleet f WHERE f.app_id = \(appID) AND f.fleet_id = \(id) FOR UPDATE"
        )
        guard let row = rows.first else { throw StoreError.notFound(.fleet, "\(id)") }
        var fleet = try Fleet(row: row, app: app)
        if try row.optional("is_due") == true {
            fleet.machine.release()
            fleet.heldUntil = nil
            fleet.isReleased = true
        }
        return fleet
    }

    /// Writes down where a fleet stands that the transaction has locked.
    ///
    /// - Parameters:
    ///   - objects: of realms that were migrated since it was locked.
    ///   - beginsStretch: whether it begins, or goes on after a stop.
    static func write(
        _ fleet: Fleet, objects: Int = 0, beginsStretch: Bool = false, _ connection: PostgresConnection
    ) throws {
        let (machine, counts) = (fleet.machine, fleet.machine.counts)
        // The pause begins when the canary has ended.
        let pause = machine.isHeld && fleet.heldUntil == nil ? fleet.request.policy.canary?.pauseSeconds : nil
        let isOver = !machine.state.isActive && machine.state != .paused
        try connection.execute(
            """
            UPDATE fleet SET migration = \(fleet.migration.map { StoredJSON.encode($0) }), state = \(machine.state.rawValue),
                pause = \(machine.pause?.rawValue), has_passed_canary = \(machine.hasPassedCanary),
                held_until = CASE WHEN \(machine.isHeld)
                    THEN coalesce(clock_timestamp() + \(pause) * interval '1 second', held_until) END,
                forgiven = \(Int32(machine.forgiven)), pending = \(Int32(counts[.pending])), running = \(Int32(counts[.running])),
                succeeded = \(Int32(counts[.succeeded])), failed = \(Int32(counts[.failed])),
                unchanged = \(Int32(counts[.unchanged])), undone = \(Int32(counts[.undone])), kept = \(Int32(counts[.kept])),
                objects = objects + \(objects), settled_at = clock_timestamp(),
                stretch_at = CASE WHEN \(beginsStretch) THEN clock_timestamp() ELSE stretch_at END,
                stretch_finished = CASE WHEN \(beginsStretch) THEN \(Int32(counts.finished)) ELSE stretch_finished END,
                stretch_objects = CASE WHEN \(beginsStretch) THEN objects ELSE stretch_objects END,
                finished_at = CASE WHEN \(isOver) THEN coalesce(finished_at, clock_timestamp()) END
            WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id)
            """)
    }
}
