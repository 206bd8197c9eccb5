import Columns
import Postgres
import Problems
import RealmFleet
import RealmModel
import SnapshotStore
import StoreCore

/// The outcome of an attempt of a job of a fleet: the result of each realm that it had.
public struct FleetOutcome: JobOutcome {
    /// The result of a realm.
    public enum Result {
        /// It was migrated, but for some objects.
        case migrated(Snapshot, OpenMember, quarantined: [QuarantinedObject])
        /// It could be migrated, but for a number of objects, and is what it was.
        case rehearsed(from: OpenSnapshot, quarantined: Int, findings: [Finding], isUnchanged: Bool)
        /// It was what it should be.
        case unchanged(OpenSnapshot)
        /// It stays what it was; with what a rehearsal found, where that is why.
        case failed(Failure, findings: [Finding] = [])
    }

    /// Why a realm stays what it was.
    public struct Failure: Sendable {
        let problem: ProblemDocument
        let cause: FailureCause

        /// Describes a failure.
        ///
        /// - Parameter cause: the same for all realms that fail for the same reason.
        public init(_ problem: ProblemDocument, _ cause: FailureCause) {
            self.problem = problem
            self.cause = cause
        }
    }

    /// A finding of a rehearsal, and the number of objects that it is about.
    public typealias Finding = (finding: FleetFinding, objects: Int)

    private let jobs: JobStore
    private let slice: FleetSlice
    private let results: [(realm: FleetSlice.Claimed, result: Result)]
    private let overtaken: (FleetSlice.Claimed, _ isGone: Bool) -> Failure?
    private let kept: Failure
    private let gone: Failure

    /// An outcome.
    ///
    /// - Parameters:
    ///   - results: of realms of the slice; the others wait for their turn again.
    ///   - overtaken: says of a realm that is found to be another one, or gone, why it fails; nil where it waits for its turn again.
    ///   - kept: why a realm is not put back that has changed since it was migrated.
    ///   - gone: why a realm is not put back that was deleted since.
    public init(
        _ results: [(realm: FleetSlice.Claimed, result: Result)], of slice: FleetSlice, in jobs: JobStore,
        overtaken: @escaping (FleetSlice.Claimed, _ isGone: Bool) -> Failure?, kept: Failure, gone: Failure
    ) {
        self.overtaken = overtaken
        self.kept = kept
        self.gone = gone
        self.results = results
        self.slice = slice
        self.jobs = jobs
    }

    /// Makes what was migrated current where it was not changed meanwhile, counts what became of each realm, and has the fleet's
    /// next job queued: all of it or nothing.
    public func finish(_ ending: JobEnding) throws -> Job {
        for case .migrated(_, let member, _) in results.map(\.result) { try member.segments.flushUnlessSmall() }
        var hints: [JobHint] = []
        let job = try ending.commit { connection in
            let lease = ending.lease
            let realms = try lockRealms(connection)
            // A fleet that undoes does nothing else any more, whatever is asked of it meanwhile.
            let undoes = slice.fleet.machine.state == .undoing
            let migrated = undoes ? try lockMigrated(connection) : []
            try lease.require(connection)
            let settlement = try settle(realms, lease.job, connection)
            let undone = try undo(migrated, connection)
            var fleet = try JobStore.Fleets.lock(
                slice.fleet.id, slice.fleet.appID, lease.job.app, connection)
            for (state, count) in settlement.counts { fleet.machine.counts.move(count, from: .running, to: state) }
            for (state, count) in undone { fleet.machine.counts.move(count, from: .succeeded, to: state) }
            fleet.machine.settle()
            try JobStore.Fleets.write(fleet, objects: settlement.objects, connection)
            // Where other jobs have all that is left to undo, they go on.
            if !undoes || !undone.isEmpty {
                hints = try JobStore.Fleets.queueSlices(of: fleet, besides: lease.job.id, connection)
            }
            return .succeeded(nil)
        }
        jobs.announce(hints)
        for case .migrated(_, let member, _) in results.map(\.result) { member.segments.didCommit() }
        return job
    }

    /// Lets go of what was not committed.
    public func close() {
        for case .migrated(_, let member, _) in results.map(\.result) { member.segments.close() }
    }

    /// The realms that are there still, by their ids, and which of them a job has to itself.
    private func lockRealms(_ connection: PostgresConnection) throws -> [RealmModel.UUID: (Realm, isTaken: Bool)] {
        let ids = PostgresArray(results.map(\.realm.realmID))
        let rows = try connection.query(
            """
            SELECT \(unsafeSQL: Realm.columns), EXISTS (
                SELECT FROM job j WHERE j.app_id = r.app_id AND j.realm_id = r.realm_id AND j.state IN ('queued', 'running')
                    AND j.exclusive) AS is_taken
            FROM realm r WHERE r.app_id = \(slice.fleet.appID) AND r.realm_id = ANY(\(ids))
            ORDER BY r.realm_id FOR UPDATE OF r
            """)
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in
                let realm = try Realm(row: row, app: slice.fleet.app)
                return (realm.id, (realm, try row.value("is_taken")))
            })
    }

    // MARK: Realms

    /// How many realms went where, and how many objects those have that were migrated.
    private struct Settlement {
        var counts: [FleetMemberState: Int] = [:]
        var objects = 0
        /// The objects that were set aside, by the job that is to have them.
        var quarantined: [(job: EndedMigration, objects: [QuarantinedObject])] = []
        var findings: [(realm: String, findings: [Finding])] = []
        var migrated: [(replacement: SnapshotStore.Snapshots.Replacement, segments: PostgresSegmentStore)] = []
    }

    /// The end of a realm's turn, as it is stored.
    private struct Ended {
        let realm: RealmModel.UUID
        var source: RealmModel.UUID?
        var result: RealmModel.UUID?
        var quarantinedCount = 0
        var quarantineJob: RealmModel.UUID?
        var failure: Failure?
    }

    private func settle(
        _ realms: [RealmModel.UUID: (Realm, isTaken: Bool)], _ job: Job, _ connection: PostgresConnection
    ) throws -> Settlement {
        var settlement = Settlement()
        var ended: [FleetMemberState: [Ended]] = [:]
        for (claimed, result) in results {
            let realm = realms[claimed.realmID]
            let (state, end) = end(claimed, result, realm, job, &settlement)
            ended[state, default: []].append(end)
        }
        // Those that had no turn, for want of time.
        let done = Set(results.map(\.realm.realmID))
        for claimed in slice.realms where !done.contains(claimed.realmID) {
            ended[.pending, default: []].append(Ended(realm: claimed.realmID))
        }
        try commit(settlement.migrated, job, connection)
        for (ended, objects) in settlement.quarantined {
            try ended.insert(connection)
            try JobStore.keep(objects, of: ended.id, in: job.appID, retryOf: nil, connection)
        }
        try JobStore.Fleets.keep(settlement.findings, of: slice.fleet, connection)
        for (state, ends) in ended {
            try write(ends, as: state, job, connection)
            settlement.counts[state] = ends.count
        }
        return settlement
    }

    /// The new state and the end of a realm, now that nobody else can change it.
    private func end(
        _ claimed: FleetSlice.Claimed, _ result: Result, _ locked: (Realm, isTaken: Bool)?, _ job: Job,
        _ settlement: inout Settlement
    ) -> (FleetMemberState, Ended) {
        func isCurrent(_ source: OpenSnapshot) -> Bool {
            locked.map { $0.currentSnapshot == source.info.id && !$1 } ?? false
        }
        func again() -> (FleetMemberState, Ended) {
            let failure = overtaken(claimed, locked == nil)
            return (failure == nil ? .pending : .failed, Ended(realm: claimed.realmID, failure: failure))
        }
        switch result {
        case .migrated(let snapshot, let member, let quarantined):
            guard let (realm, _) = locked, isCurrent(member.source) else { return again() }
            let replacement = SnapshotStore.Snapshots.Replacement(realm: realm, snapshot: snapshot)
            settlement.migrated.append((replacement, member.segments))
            settlement.objects += snapshot.classes.reduce(0) { $0 + $1.objectCount }
            var ended = Ended(realm: claimed.realmID, source: member.source.info.id, result: replacement.id)
            if !quarantined.isEmpty {
                let job = EndedMigration(
                    slice.fleet.migrationRequest, of: member.source.info, to: replacement.id, in: job)
                settlement.quarantined.append((job, quarantined))
                (ended.quarantinedCount, ended.quarantineJob) = (quarantined.count, job.id)
            }
            return (.succeeded, ended)
        case .rehearsed(let source, let quarantined, let findings, let isUnchanged):
            guard isCurrent(source) else { return again() }
            settlement.findings.append((claimed.name, findings))
            let ended = Ended(realm: claimed.realmID, source: source.info.id, quarantinedCount: quarantined)
            return (isUnchanged ? .unchanged : .succeeded, ended)
        case .unchanged(let source):
            guard isCurrent(source) else { return again() }
            return (.unchanged, Ended(realm: claimed.realmID, source: source.info.id))
        case .failed(let failure, let findings):
            settlement.findings.append((claimed.name, findings))
            return (.failed, Ended(realm: claimed.realmID, failure: failure))
        }
    }

    /// Makes what was migrated current: what is small by one statement for all, then the snapshots by another.
    private func commit(
        _ migrated: [(replacement: SnapshotStore.Snapshots.Replacement, segments: PostgresSegmentStore)], _ job: Job,
        _ connection: PostgresConnection
    ) throws {
        for (replacement, segments) in migrated where segments.hasBatch {
            try segments.commitBatch(to: replacement.realm, connection)
        }
        let small = migrated.filter { !$0.segments.hasBatch }.map { ($0.segments, $0.replacement.realm.id) }
        try SmallBatches(small).insert(connection)
        try SnapshotStore.Snapshots.insert(migrated.map(\.replacement), origin: .migration(job: job.id), connection)
    }

    private func write(
        _ ends: [Ended], as state: FleetMemberState, _ job: Job, _ connection: PostgresConnection
    ) throws {
        let count = try connection.execute(
            """
            UPDATE fleet_member m SET state = \(state.rawValue), source_id = new.source,
                result_id = new.result, reason = new.reason,
                quarantined_count = new.quarantined, quarantine_job_id = new.quarantine_job,
                problem = new.problem,
                finished_at = CASE WHEN \(state.rawValue) <> 'pending' THEN clock_timestamp() END
            FROM unnest(\(PostgresArray(ends.map(\.realm))), \(PostgresArray(nullable: ends.map(\.source))),
                \(PostgresArray(nullable: ends.map(\.result))), \(PostgresArray(ends.map { Int32($0.quarantinedCount) })),
                \(PostgresArray(nullable: ends.map(\.quarantineJob))),
                \(PostgresArray(nullable: ends.map(\.failure?.cause.text))),
                \(PostgresArray(nullable: ends.map { $0.failure.map { StoredJSON.encode($0.problem) } })))
                AS new (realm, source, result, quarantined, quarantine_job, reason, problem)
            WHERE m.app_id = \(slice.fleet.appID) AND m.fleet_id = \(slice.fleet.id) AND m.realm_id = new.realm
                AND m.state = 'running' AND m.job_id = \(job.id)
            """)
        // Not all of them are this job's any more: another may have run them.
        guard count == ends.count else { throw StoreError.leaseLost }
    }

    // MARK: Undoing

    /// A realm that the fleet has migrated, with its snapshots before and after that.
    private struct Migrated {
        let realm: RealmModel.UUID
        let source: RealmModel.UUID
        let result: RealmModel.UUID
    }

    /// Some realms that are to be put back, which no other job puts back meanwhile; they are locked, as ever before rows of `job`.
    private func lockMigrated(_ connection: PostgresConnection) throws -> [Migrated] {
        let (app, fleet) = (slice.fleet.appID, slice.fleet.id)
        let migrated = try connection.query(
            """
            SELECT realm_id, source_id, result_id FROM fleet_member
            WHERE app_id = \(app) AND fleet_id = \(fleet) AND state = 'succeeded'
            ORDER BY position LIMIT \(FleetMachine.undoSize) FOR UPDATE SKIP LOCKED
            """
        ).map { row in
            Migrated(
                realm: try row.value("realm_id"), source: try row.value("source_id"), result: try row.value("result_id")
            )
        }
        let ids = PostgresArray(migrated.map(\.realm))
        try connection.execute(
            "SELECT FROM realm WHERE app_id = \(app) AND realm_id = ANY (\(ids)) ORDER BY realm_id FOR UPDATE")
        return migrated
    }

    /// Makes what was before current again where what the fleet made is that still.
    ///
    /// - Returns: how many realms are in which state now.
    private func undo(_ next: [Migrated], _ connection: PostgresConnection) throws -> [FleetMemberState: Int] {
        guard !next.isEmpty else { return [:] }
        let fleet = slice.fleet
        let (ids, sources) = (PostgresArray(next.map(\.realm)), PostgresArray(next.map(\.source)))
        // A row of its own for each that is looked up: a join of two sets of unknown sizes would be each with each.
        let rows = try connection.query(
            """
            WITH restored AS (
                UPDATE realm r SET current_id = next.source
                FROM unnest(\(ids), \(sources), \(PostgresArray(next.map(\.result)))) AS next (realm, source, result)
                WHERE r.app_id = \(fleet.appID) AND r.realm_id = next.realm AND r.current_id = next.result
                    AND EXISTS (
                        SELECT FROM snapshot s WHERE s.app_id = r.app_id AND s.snapshot_id = next.source)
                    AND NOT EXISTS (
                        SELECT FROM job j WHERE j.app_id = r.app_id AND j.realm_id = r.realm_id
                            AND j.state IN ('queued', 'running') AND j.exclusive)
                RETURNING r.realm_id
            ), found AS MATERIALIZED (
                SELECT array_agg(realm_id) AS ids FROM restored
            ), there AS MATERIALIZED (
                SELECT array_agg(realm_id) AS ids FROM realm
                WHERE app_id = \(fleet.appID) AND realm_id = ANY (\(ids))
            )
            UPDATE fleet_member m SET state = CASE WHEN m.realm_id = ANY (found.ids) THEN 'undone' ELSE 'kept' END,
                reason = CASE WHEN m.realm_id = ANY (found.ids) THEN NULL
                    WHEN m.realm_id = ANY (there.ids) THEN \(kept.cause.text) ELSE \(gone.cause.text) END,
                problem = CASE WHEN m.realm_id = ANY (found.ids) THEN NULL
                    WHEN m.realm_id = ANY (there.ids) THEN \(StoredJSON.encode(kept.problem))
                    ELSE \(StoredJSON.encode(gone.problem)) END
            FROM found, there
            WHERE m.app_id = \(fleet.appID) AND m.fleet_id = \(fleet.id) AND m.realm_id = ANY (\(ids))
            RETURNING m.state
            """)
        return try rows.reduce(into: [:]) { counts, row in
            guard let state = FleetMemberState(rawValue: try row.value("state")) else { return }
            counts[state, default: 0] += 1
        }
    }
}
