import Postgres
import RealmFleet
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore

extension JobStore.Fleets {
    /// Names that are shown of the realms that failed for one reason.
    private static let sampleSize = 5
    /// Realms of a fleet whose making changes what the planner should know of all members.
    private static let largeFleet = 1_000

    /// Makes a fleet of the realms that are selected at this moment, and has the first ones migrated.
    ///
    /// Realms of all versions are among the first, in the order of a hash of their names.
    ///
    /// - Parameter quota: what the app may keep; each realm gets one snapshot more, unless nothing is committed.
    /// - Throws: `StoreError.notFound` (app, schemaVersion), `noRealmSelected`, `quotaExceeded`.
    public func make(
        _ request: FleetRequest, migration: DeclaredMigration?, in app: String, requestID: String? = nil,
        traceParent: String? = nil, quota: AppQuota = AppQuota()
    ) throws -> Fleet {
        let id = RealmModel.UUID.version7()
        let (fleet, hints) = try pool.transaction(isLong: true) { connection in
            guard let row = try connection.query("SELECT app_id FROM app WHERE name = \(app) FOR KEY SHARE").first
            else {
                throw StoreError.notFound(.app, app)
            }
            let appID: RealmModel.UUID = try row.value("app_id")
            let version = StoredVersion(request.targetVersion)
            let declared = try connection.query(
                "SELECT FROM schema_version WHERE app_id = \(appID) AND version = \(version) FOR KEY SHARE")
            guard !declared.isEmpty else { throw StoreError.notFound(.schemaVersion, "\(request.targetVersion)") }
            try connection.execute(
                """
                INSERT INTO fleet (app_id, fleet_id, target_version, request, migration, state, has_passed_canary, total, pending)
                VALUES (\(appID), \(id), \(version), \(StoredJSON.encode(request)),
                    \(migration.map { StoredJSON.encode($0) }), 'running', true, 0, 0)
                """)
            let count = try Self.select(request.selection, for: id, of: appID, connection)
            guard count > 0 else { throw StoreError.noRealmSelected(of: try Self.localCount(appID, connection)) }
            try SnapshotStore.Apps.check(quota, of: app, for: request.dryRun ? 0 : count, connection)
            let machine = FleetMachine(request.policy, realms: count)
            try connection.execute(
                """
                UPDATE fleet SET total = \(Int32(count)), pending = \(Int32(count)) WHERE app_id = \(appID) AND fleet_id = \(id)
                """)
            var fleet = try Self.fleet(id, appID, app, connection)
            fleet.machine = machine
            try Self.write(fleet, beginsStretch: true, connection)
            let hints = try Self.queueSlices(of: fleet, requestID: requestID, traceParent: traceParent, connection)
            if count >= Self.largeFleet {
                // The table's numbers are those of before: by them, ends of jobs and undos would read all members each time. It is the
                // last statement, as others that ask for the numbers wait until the transaction ends.
                try connection.execute("ANALYZE fleet_member")
            }
            return (try Self.fleet(id, appID, app, connection), hints)
        }
        jobs.announce(hints)
        return fleet
    }

    /// The realms of an app that a fleet can select, counted up to a limit.
    private static func localCount(_ app: RealmModel.UUID, _ connection: PostgresConnection) throws -> Int {
        try connection.query(
            """
            SELECT count(*) AS count FROM (
                SELECT FROM realm WHERE app_id = \(app) AND kind = 'local' AND current_id IS NOT NULL
                LIMIT \(StoreError.countedRealms)
            ) AS selectable
            """)[0].value("count")
    }

    private static let snapshots: StaticString = "snapshot s ON s.app_id = r.app_id AND s.snapshot_id = r.current_id"
    private static let snapshotOfEach: StaticString = """
        LATERAL (
            SELECT schema_version, stored_bytes FROM snapshot WHERE app_id = r.app_id AND snapshot_id = r.current_id LIMIT 1
        ) AS s ON true
        """

    /// Notes the realms of a selection.
    ///
    /// - Returns: how many there are.
    private static func select(
        _ selection: FleetSelection, for id: RealmModel.UUID, of app: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> Int {
        let names = selection.names.map { PostgresArray($0.filter { !$0.hasWildcards }.map(\.text)) }
        let patterns = selection.names.map { PostgresArray($0.filter(\.hasWildcards).map(\.like)) }
        let isByName = selection.names.map { !$0.contains(where: \.hasWildcards) } ?? false
        // Some realms are looked up one by one; where it is all of them, two tables are read whole.
        let isOfSome = selection.names != nil || !selection.labels.isEmpty
        return try connection.execute(
            """
            INSERT INTO fleet_member (app_id, fleet_id, realm_id, realm_name, position, from_version, weight)
            SELECT app_id, \(id), realm_id, name, row_number() OVER (ORDER BY turn, schema_version) - 1, schema_version, stored_bytes
            FROM (
                SELECT r.app_id, r.realm_id, r.name, s.schema_version, s.stored_bytes,
                    row_number() OVER (PARTITION BY s.schema_version ORDER BY md5(r.name)) AS turn
                FROM \(realmsOf: app, having: selection.labels, named: isByName ? names : nil) r JOIN \(unsafeSQL: isOfSome ? Self.snapshotOfEach : Self.snapshots)
                WHERE r.app_id = \(app) AND r.kind = 'local'
                    AND (\(isByName) OR \(names) IS NULL OR r.name = ANY (\(names)) OR r.name LIKE ANY (\(patterns)))
                    \(and: "r.labels", has: selection.labels)\(and: "s.schema_version", meets: selection.version)
            ) AS selected
            """)
    }

    /// A fleet.
    ///
    /// - Throws: `StoreError.notFound` (app, fleet).
    public func find(_ id: RealmModel.UUID, in app: String) throws -> Fleet {
        try pool.withConnection { connection in
            try Self.fleet(id, try SnapshotStore.Apps.app(app, connection).id, app, connection)
        }
    }

    /// The fleets of an app, newest first.
    ///
    /// - Throws: `StoreError.notFound` (app).
    public func list(in app: String, _ page: PageRequest = PageRequest()) throws -> Page<Fleet> {
        let before = try Cursor.moment(.fleets, page)
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: Fleet.columns) FROM fleet f
                WHERE f.app_id = \(try SnapshotStore.Apps.app(app, connection).id)
                    AND (f.created_at, f.fleet_id) < (\(before.time), \(before.id))
                ORDER BY f.created_at DESC, f.fleet_id DESC LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .fleets, item: { try Fleet(row: $0, app: app) }) {
                Cursor.key($0.createdAt, $0.id)
            }
        }
    }

    /// The realms of a fleet by name.
    public func members(
        of fleet: Fleet, _ filter: FleetMemberFilter = FleetMemberFilter(), _ page: PageRequest = PageRequest()
    ) throws -> Page<FleetMember> {
        let after = try Cursor.key(.fleetMembers, page) ?? ""
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT realm_name, from_version, state, attempt, job_id, source_id, result_id, quarantined_count, quarantine_job_id,
                    reason, problem, finished_at
                FROM fleet_member
                WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id) AND realm_name > \(after)
                    \(unsafeSQL: filter.stateCondition)\(and: "reason", is: filter.reason)
                ORDER BY realm_name LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .fleetMembers, item: FleetMember.init(row:), key: \.realm)
        }
    }

    /// Why realms of a fleet failed, or were not put back: the most frequent reasons first.
    ///
    /// - Parameter limit: reasons at most.
    public func failures(of fleet: Fleet, limit: Int = 100) throws -> [FleetFailure] {
        guard fleet.machine.counts[.failed] + fleet.machine.counts[.kept] > 0 else { return [] }
        return try pool.withConnection { connection in
            try connection.query(
                """
                SELECT reason, count(*) AS count, (array_agg(realm_name ORDER BY realm_name))[1:\(Self.sampleSize)] AS sample
                FROM fleet_member
                WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id) AND state IN ('failed', 'kept')
                GROUP BY reason ORDER BY count DESC, reason LIMIT \(limit)
                """
            ).map {
                FleetFailure(
                    reason: try $0.value("reason"), count: try $0.value("count"),
                    sample: try $0.value("sample", as: PostgresArray<String>.self).elements)
            }
        }
    }

    /// How many realms of a fleet stand where, by the version that they had when it was made, ascending.
    public func versions(of fleet: Fleet) throws -> [FleetVersion] {
        try pool.withConnection { connection in
            var versions: [FleetVersion] = []
            let rows = try connection.query(
                """
                SELECT from_version, state, sum(members)::bigint AS count FROM fleet_version_move
                WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id)
                GROUP BY from_version, state HAVING sum(members) <> 0 ORDER BY from_version NULLS FIRST
                """)
            for row in rows {
                let version = try row.optional("from_version", as: StoredVersion.self)?.number
                guard let state = FleetMemberState(rawValue: try row.value("state")) else { continue }
                if versions.last?.version != version || versions.isEmpty {
                    versions.append(FleetVersion(version: version, counts: FleetCounts()))
                }
                versions[versions.count - 1].counts[state] = try row.value("count")
            }
            return versions
        }
    }

    static func fleet(
        _ id: RealmModel.UUID, _ appID: RealmModel.UUID, _ app: String, _ connection: PostgresConnection
    ) throws -> Fleet {
        let rows = try connection.query(
            "SELECT \(unsafeSQL: Fleet.columns) FROM fleet f WHERE f.app_id = \(appID) AND f.fleet_id = \(id)")
        guard let row = rows.first else { throw StoreError.notFound(.fleet, "\(id)") }
        return try Fleet(row: row, app: app)
    }
}
