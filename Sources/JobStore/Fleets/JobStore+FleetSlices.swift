import Columns
import Postgres
import RealmFleet
import RealmModel
import SnapshotStore
import StoreCore

/// Some realms of a fleet that a job has: no other has any of them until it gives them back.
public struct FleetSlice: Sendable {
    /// The fleet as it was when the job took them.
    public let fleet: Fleet
    /// The realms, in their turns; none where there is nothing to do just now.
    public let realms: [Claimed]

    /// A realm that the job has.
    public struct Claimed: Hashable, Sendable {
        /// The realm's name.
        public let name: String
        /// How often it had its turn, this one included.
        public let attempt: Int

        let realmID: RealmModel.UUID
    }
}

/// A realm that a job of a fleet has, to be migrated.
public struct OpenMember {
    /// Its current snapshot.
    public let source: OpenSnapshot
    /// Whether all is in memory that it consists of.
    public let isSmall: Bool
    /// The store that its migration reads and writes: a batch of its own, as a batch is of one realm.
    public let segments: PostgresSegmentStore
}

extension JobStore.Fleets {
    /// Takes the realms whose turn it is, or those again that an earlier attempt of the job had.
    ///
    /// - Throws: `StoreError.leaseLost`; `notFound` (fleet).
    public func claim(_ lease: JobLease, of order: FleetOrder) throws -> FleetSlice {
        try pool.transaction { connection in
            try lease.require(connection)
            let (app, name) = (lease.job.appID, lease.job.app)
            var fleet = try Self.lock(order.fleet, app, name, connection)
            let held = try connection.query(
                """
                UPDATE fleet_member SET attempt = attempt + 1
                WHERE app_id = \(app) AND fleet_id = \(order.fleet) AND job_id = \(lease.job.id) AND state = 'running'
                RETURNING realm_id, realm_name, attempt, position
                """)
            let allowance = fleet.machine.state == .undoing ? 0 : fleet.machine.allowance
            guard held.isEmpty, allowance > 0 else {
                return FleetSlice(fleet: fleet, realms: try Self.claimed(held))
            }
            // Where a crash of the database loses the claim, the realms wait as before. A plan that was made while there were few
            // members would read all of them.
            try connection.execute("SET LOCAL synchronous_commit = off")
            try connection.execute("SET LOCAL plan_cache_mode = force_custom_plan")
            let taken = try connection.query(
                """
                -- All of these rows are there: an upsert finds each by its key. An update that names several has all members of the
                -- fleet read by a plan that knows no numbers yet.
                INSERT INTO fleet_member AS m (app_id, fleet_id, realm_id, realm_name, position, weight)
                SELECT \(app), \(order.fleet), weighed.realm_id, realm_name, position, weight FROM (
                    SELECT *, sum(weight) OVER (ORDER BY position) - weight AS before FROM (
                        SELECT realm_id, realm_name, position, weight FROM fleet_member
                        WHERE app_id = \(app) AND fleet_id = \(order.fleet) AND state = 'pending'
                        ORDER BY position LIMIT \(min(allowance, FleetMachine.sliceSize))
                    ) AS first
                ) AS weighed LEFT JOIN LATERAL (
                    SELECT true AS is_taken FROM fleet_member o
                    WHERE o.app_id = \(app) AND o.realm_id = weighed.realm_id AND o.state = 'running' LIMIT 1
                ) AS other ON true
                -- Another fleet has it just now: later.
                WHERE weighed.before < \(FleetMachine.sliceBytes) AND other.is_taken IS NULL
                ON CONFLICT (app_id, fleet_id, realm_id)
                    DO UPDATE SET state = 'running', job_id = \(lease.job.id), attempt = m.attempt + 1
                RETURNING m.realm_id, m.realm_name, m.attempt, m.position
                """)
            fleet.machine.counts.move(taken.count, from: .pending, to: .running)
            try Self.write(fleet, connection)
            return FleetSlice(fleet: fleet, realms: try Self.claimed(taken))
        }
    }

    private static func claimed(_ rows: [PostgresRow]) throws -> [FleetSlice.Claimed] {
        try rows.map { row in
            let realm = FleetSlice.Claimed(
                name: try row.value("realm_name"), attempt: try row.value("attempt"), realmID: try row.value("realm_id")
            )
            return (position: try row.value("position", as: Int.self), realm: realm)
        }.sorted { $0.position < $1.position }.map(\.realm)
    }

    /// Opens the current snapshots of the realms that a job has, by their places in the slice, with the stores that their migrations
    /// read and write; those of realms that are gone, or have none, are left out.
    ///
    /// It reads all that the small ones consist of, by two statements for all of them.
    public func open(_ slice: FleetSlice) throws -> [Int: OpenMember] {
        let app = slice.fleet.appID
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT wanted.place, \(unsafeSQL: SnapshotInfo.columns), s.manifest
                FROM unnest(\(PostgresArray(slice.realms.map(\.realmID)))) WITH ORDINALITY AS wanted (id, place)
                CROSS JOIN LATERAL (
                    SELECT * FROM realm WHERE realm.app_id = \(app) AND realm_id = wanted.id LIMIT 1
                ) AS r JOIN app a ON a.app_id = r.app_id CROSS JOIN \(unsafeSQL: Realm.currentSnapshotRow)
                """)
            var members: [Int: OpenMember] = [:]
            for row in rows {
                let opened = try jobs.store.snapshots.open(row)
                members[try row.value("place", as: Int.self) - 1] = OpenMember(
                    source: opened, isSmall: opened.info.storedBytes <= PreloadedSegments.byteLimit,
                    segments: PostgresSegmentStore(jobs.store, appID: app, realmID: opened.info.realmID, owner: .draft))
            }
            let small = members.values.filter(\.isSmall)
            guard !small.isEmpty else { return members }
            let preloaded = try PreloadedSegments(small.map(\.source.info.id), of: app, connection)
            for member in small { member.segments.take(preloaded) }
            return members
        }
    }

    // MARK: The jobs of a fleet

    /// Queues as many jobs as the fleet has use for, beside those that it has.
    ///
    /// - Parameter ending: a job of it that ends in this transaction.
    /// - Returns: what listeners are to be told after the transaction.
    static func queueSlices(
        of fleet: Fleet, besides ending: RealmModel.UUID? = nil, requestID: String? = nil, traceParent: String? = nil,
        _ connection: PostgresConnection
    ) throws -> [JobHint] {
        let wanted = fleet.machine.usefulJobs
        guard wanted > 0 else { return [] }
        let row = try connection.query(
            """
            SELECT count(*) AS count FROM job
            WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id) AND state IN ('queued', 'running') AND job_id IS DISTINCT FROM \(ending)
            """)[0]
        let missing = wanted - (try row.value("count", as: Int.self))
        guard missing > 0 else { return [] }
        let ids = (0..<missing).map { _ in RealmModel.UUID.version7() }
        return try connection.query(
            """
            INSERT INTO job (job_id, kind, exclusive, app_id, app_name, fleet_id, request_id, trace_parent, run_at)
            SELECT id, \(FleetOrder.kind.rawValue), false, f.app_id, \(fleet.app), f.fleet_id, \(requestID), \(traceParent),
                greatest(f.held_until, clock_timestamp())
            FROM fleet f, unnest(\(PostgresArray(ids))) AS new (id)
            WHERE f.app_id = \(fleet.appID) AND f.fleet_id = \(fleet.id)
            RETURNING \(unsafeSQL: JobHint.columns)
            """
        ).map(JobHint.init(row:))
    }

    // MARK: Fleets that were left behind

    /// Has fleets go on whose jobs are gone without an end of their own, and whose canaries' pauses are over.
    public func heal() throws {
        let fleets = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT f.app_id, f.fleet_id, a.name FROM fleet f JOIN app a USING (app_id)
                WHERE f.state IN ('canary', 'running', 'undoing') OR f.running > 0
                """
            ).map {
                (
                    app: try $0.value("app_id", as: RealmModel.UUID.self),
                    id: try $0.value("fleet_id", as: RealmModel.UUID.self), name: try $0.value("name", as: String.self)
                )
            }
        }
        for fleet in fleets { try heal(fleet.id, of: fleet.app, in: fleet.name) }
    }

    func heal(_ id: RealmModel.UUID, of app: RealmModel.UUID, in name: String) throws {
        let hints = try pool.transaction { connection -> [JobHint] in
            var fleet: Fleet
            do {
                fleet = try Self.lock(id, app, name, connection)
            } catch StoreError.notFound {
                return []
            }
            let freed = try connection.execute(
                """
                UPDATE fleet_member m SET state = 'pending'
                WHERE app_id = \(app) AND fleet_id = \(id) AND state = 'running' AND NOT EXISTS (
                    SELECT FROM job j WHERE j.job_id = m.job_id AND j.state IN ('queued', 'running'))
                """)
            let before = fleet.machine
            fleet.machine.counts.move(freed, from: .running, to: .pending)
            fleet.machine.settle()
            if freed > 0 || fleet.isReleased || fleet.machine != before { try Self.write(fleet, connection) }
            return try Self.queueSlices(of: fleet, connection)
        }
        jobs.announce(hints)
    }
}
