import Columns
import Postgres
import RealmFleet
import RealmModel

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

extension SnapshotStore.Fleets {
    /// Realms that a job takes at most, and bytes of their snapshots together: the next job of the fleet is behind those of others
    /// that wait.
    private static let sliceSize = 64
    private static let sliceBytes = 4 << 20
    /// Jobs of a fleet at once, at most.
    private static let laneLimit = 16
    /// Realms that one transaction puts back.
    static let undoSize = 500

    /// Takes the realms whose turn it is, or those again that an earlier attempt of the job had.
    ///
    /// - Throws: `StoreError.leaseLost`; `notFound` (fleet).
    public func claim(_ lease: JobLease, of order: FleetOrder) throws -> FleetSlice {
        try pool.transaction { connection in
            try Self.require(lease, connection)
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
            let taken = try connection.query(
                """
                WITH next AS (
                    SELECT realm_id, position, sum(weight) OVER (ORDER BY position) - weight AS before FROM (
                        SELECT realm_id, position, weight FROM fleet_member
                        WHERE app_id = \(app) AND fleet_id = \(order.fleet) AND state = 'pending'
                        ORDER BY position LIMIT \(min(allowance, Self.sliceSize))
                    ) AS first
                )
                UPDATE fleet_member m SET state = 'running', job_id = \(lease.job.id), attempt = attempt + 1
                FROM next
                WHERE m.app_id = \(app) AND m.fleet_id = \(order.fleet) AND m.realm_id = next.realm_id
                    AND next.before < \(Self.sliceBytes)
                    -- Another fleet has it just now: later.
                    AND NOT EXISTS (
                        SELECT FROM fleet_member o WHERE o.app_id = m.app_id AND o.realm_id = m.realm_id AND o.state = 'running')
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

    /// Asks that the attempt counts still, until the transaction ends.
    static func require(_ lease: JobLease, _ connection: PostgresConnection) throws {
        let held = try connection.query(
            "SELECT FROM job WHERE job_id = \(lease.job.id) AND lease_token = \(lease.token) FOR UPDATE")
        guard !held.isEmpty else { throw StoreError.leaseLost }
    }

    /// Opens the current snapshot of a realm that a job has; nil where the realm is gone, or has none.
    public func open(_ realm: FleetSlice.Claimed, of fleet: Fleet) throws -> OpenSnapshot? {
        let current = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT current_id FROM realm WHERE app_id = \(fleet.appID) AND realm_id = \(realm.realmID)
                    AND current_id IS NOT NULL
                """
            ).first.map { try $0.value("current_id", as: RealmModel.UUID.self) }
        }
        return try current.map { try store.snapshots.open($0) }
    }

    /// The store that the migration of a realm reads and writes: a batch of its own, as a batch is of one realm.
    public func segments(for realm: FleetSlice.Claimed, of fleet: Fleet) -> PostgresSegmentStore {
        PostgresSegmentStore(store, appID: fleet.appID, realmID: realm.realmID, owner: .draft)
    }

    // MARK: The jobs of a fleet

    /// Queues as many jobs as the fleet has use for, beside those that it has.
    ///
    /// - Parameter ending: a job of it that ends in this transaction.
    /// - Returns: what listeners are to be told after the transaction.
    static func queueSlices(
        of fleet: Fleet, besides ending: RealmModel.UUID? = nil, requestID: String? = nil,
        _ connection: PostgresConnection
    ) throws -> [JobHint] {
        let machine = fleet.machine
        let size = machine.state == .undoing ? undoSize : sliceSize
        let useful = (machine.allowance + size - 1) / size
        // After the pause of a canary one job begins, and makes the others.
        let wanted = machine.isHeld ? 1 : min(useful, machine.state == .undoing ? 1 : laneLimit)
        guard wanted > 0 else { return [] }
        let row = try connection.query(
            """
            SELECT count(*) AS count FROM job
            WHERE fleet_id = \(fleet.id) AND state IN ('queued', 'running') AND job_id IS DISTINCT FROM \(ending)
            """)[0]
        let missing = wanted - (try row.value("count", as: Int.self))
        guard missing > 0 else { return [] }
        let ids = (0..<missing).map { _ in RealmModel.UUID.version7() }
        return try connection.query(
            """
            INSERT INTO job (job_id, kind, exclusive, app_id, app_name, fleet_id, to_version, request, request_id, run_at)
            SELECT id, \(FleetOrder.kind.rawValue), false, f.app_id, \(fleet.app), f.fleet_id, f.target_version, '{}', \(requestID),
                greatest(f.held_until, clock_timestamp())
            FROM fleet f, unnest(\(PostgresArray(ids))) AS new (id)
            WHERE f.app_id = \(fleet.appID) AND f.fleet_id = \(fleet.id)
            RETURNING \(unsafeSQL: JobHint.columns)
            """
        ).map(JobHint.init(row:))
    }

    // MARK: What was left behind

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
        store.jobs.announce(hints)
    }
}
