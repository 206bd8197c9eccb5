import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Realms {
    /// Makes a realm, or finds it.
    ///
    /// - Parameter isInDevelopment: whether a synced realm is in development mode from now on; nil to leave that as it is, which
    ///   is off at first.
    /// - Parameter labels: what it has from now on; nil to leave them as they are, which are none at first.
    /// - Throws: `StoreError.notFound` (app); `realmKindInUse` where it is of the other kind; what the condition throws.
    public func put(
        _ name: String, in app: String, kind: RealmKind, isInDevelopment: Bool? = nil,
        labels: [String: String]? = nil, where condition: RealmCondition? = nil
    ) throws -> (realm: Realm, isNew: Bool) {
        try ResourceName.check(name, of: .realm)
        guard let condition else {
            return try pool.withConnection { try Self.put(name, in: app, kind: kind, isInDevelopment, labels, $0) }
        }
        return try pool.transaction { connection in
            let there = try Self.lockIfThere(name, in: app, connection)
            if there == nil { _ = try SnapshotStore.Apps.app(app, connection) }
            try condition(there)
            return try Self.put(name, in: app, kind: kind, isInDevelopment, labels, connection)
        }
    }

    private static func put(
        _ name: String, in app: String, kind: RealmKind, _ isInDevelopment: Bool?, _ labels: [String: String]?,
        _ connection: PostgresConnection
    ) throws -> (realm: Realm, isNew: Bool) {
        do {
            let inserted = try connection.execute(
                """
                INSERT INTO realm (app_id, realm_id, name, kind)
                SELECT app_id, \(RealmModel.UUID.version7()), \(name), \(kind.rawValue) FROM app WHERE name = \(app) FOR KEY SHARE
                ON CONFLICT (app_id, name) DO NOTHING
                """)
            let realm = try Self.realm(name, in: app, connection)
            guard realm.kind == kind else { throw StoreError.realmKindInUse(realm.kind) }
            if let labels, labels != realm.labels {
                try connection.execute(
                    """
                    UPDATE realm SET labels = (\(RealmLabels(labels).json)::text)::jsonb
                    WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
                    """)
            }
            guard let isInDevelopment, realm.kind == .synced, realm.sync?.isInDevelopment != isInDevelopment else {
                return (labels == nil ? realm : try Self.realm(name, in: app, connection), inserted == 1)
            }
            try connection.execute(
                """
                UPDATE realm SET development_mode = \(isInDevelopment)
                WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
                """)
            return (try Self.realm(name, in: app, connection), inserted == 1)
        }
    }

    /// The realm of a name.
    ///
    /// - Throws: `StoreError.notFound` (app, realm).
    public func find(_ name: String, in app: String) throws -> Realm {
        try pool.withConnection { try Self.realm(name, in: app, $0) }
    }

    /// The realm of a name; nil where the app has none.
    ///
    /// - Throws: `StoreError.notFound` (app).
    public func findIfThere(_ name: String, in app: String) throws -> Realm? {
        do {
            return try find(name, in: app)
        } catch StoreError.notFound(.realm, _) {
            return nil
        }
    }

    /// Removes a realm with its snapshots and jobs; maintenance removes the segments later.
    ///
    /// - Throws: `StoreError.notFound` (app, realm); `migrationActive`; what the condition throws.
    public func delete(_ name: String, in app: String, where condition: RealmCondition? = nil) throws {
        try pool.transaction(isLong: true) { connection in
            let realm = try Self.lock(name, in: app, connection)
            try condition?(realm)
            try Self.requireNoExclusiveJob(of: realm, connection)
            try connection.execute(
                """
                UPDATE segment_batch SET garbage_since = now()
                WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
                """)
            try connection.execute("DELETE FROM job WHERE app_name = \(app) AND realm_name = \(name)")
            try connection.execute("DELETE FROM realm WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)")
        }
    }

    /// Makes an earlier snapshot of a realm its current one.
    ///
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none of this id); `migrationActive`;
    ///   `realmIsSynced`; what the condition throws.
    public func restore(
        _ snapshot: RealmModel.UUID, in realm: String, of app: String, where condition: RealmCondition? = nil
    ) throws -> Realm {
        try pool.transaction { connection in
            let locked = try Self.lock(realm, in: app, connection)
            try condition?(locked)
            try Self.requireNoExclusiveJob(of: locked, connection)
            guard locked.kind == .local else { throw StoreError.realmIsSynced }
            let found = try connection.query(
                """
                SELECT FROM snapshot
                WHERE app_id = \(locked.appID) AND snapshot_id = \(snapshot) AND realm_id = \(locked.id)
                    -- A preview becomes current by being promoted.
                    AND preview_until IS NULL
                """)
            guard !found.isEmpty else { throw StoreError.notFound(.snapshot, "\(snapshot)") }
            try Self.setCurrent(snapshot, of: locked, connection)
            return try Self.realm(realm, in: app, connection)
        }
    }

    package static func realm(_ name: String, in app: String, _ connection: PostgresConnection) throws -> Realm {
        let rows = try connection.query(
            """
            SELECT \(unsafeSQL: Realm.columns) FROM app a JOIN realm r USING (app_id)
            WHERE a.name = \(app) AND r.name = \(name)
                -- A plan that is made while there are few realms would go through the names of all.
                AND r.app_id = (SELECT app_id FROM app WHERE name = \(app))
            """)
        guard let row = rows.first else { throw try missing(name, in: app, connection) }
        return try Realm(row: row, app: app)
    }

    /// Tells whether a realm is missing or its app.
    private static func missing(_ name: String, in app: String, _ connection: PostgresConnection) throws -> StoreError {
        _ = try SnapshotStore.Apps.app(app, connection)
        return .notFound(.realm, name)
    }

    /// Keeps a realm from being changed, and its app from being deleted, until the transaction ends.
    ///
    /// A change of a realm's current snapshot, or a new job, takes this lock first, the app's before the
    /// realm's, so that "no active job" stays true until the end.
    package static func lock(_ name: String, in app: String, _ connection: PostgresConnection) throws -> Realm {
        guard let realm = try lockIfThere(name, in: app, connection) else {
            throw try missing(name, in: app, connection)
        }
        return realm
    }

    /// Locks a realm as `lock` does; nil where the realm is not there, or its app.
    static func lockIfThere(_ name: String, in app: String, _ connection: PostgresConnection) throws -> Realm? {
        // Locks are taken in the order in which they are named.
        let rows = try connection.query(
            """
            SELECT \(unsafeSQL: Realm.columns) FROM app a JOIN realm r USING (app_id)
            WHERE a.name = \(app) AND r.name = \(name) AND r.app_id = (SELECT app_id FROM app WHERE name = \(app))
            FOR KEY SHARE OF a FOR UPDATE OF r
            """)
        return try rows.first.map { try Realm(row: $0, app: app) }
    }

    /// Makes a local realm that nobody else sees until the transaction ends, and keeps its app from being deleted up to then.
    ///
    /// - Returns: nil where there is a realm of the name by now, or no such app any more.
    static func make(
        _ name: String, as id: RealmModel.UUID, in app: String, as appID: RealmModel.UUID,
        _ connection: PostgresConnection
    ) throws -> Realm? {
        let rows = try connection.query(
            """
            INSERT INTO realm AS r (app_id, realm_id, name, kind)
            SELECT app_id, \(id), \(name), 'local' FROM app WHERE app_id = \(appID) AND name = \(app) FOR KEY SHARE
            -- Two that began before the realm was deleted have the same id, too.
            ON CONFLICT DO NOTHING
            RETURNING \(unsafeSQL: Realm.columns)
            """)
        return try rows.first.map { try Realm(row: $0, app: app) }
    }

    /// Refuses what a job keeps from the realm that has it to itself.
    ///
    /// - Parameter job: one that does not count.
    package static func requireNoExclusiveJob(
        of realm: Realm, besides job: RealmModel.UUID? = nil, _ connection: PostgresConnection
    ) throws {
        let active = try connection.query(
            """
            SELECT job_id FROM job
            WHERE app_id = \(realm.appID) AND realm_id = \(realm.id) AND state IN ('queued', 'running') AND exclusive
            """)
        guard let found = try active.first?.value("job_id", as: RealmModel.UUID.self), found != job else { return }
        throw StoreError.migrationActive(job: found)
    }

    static func setCurrent(
        _ snapshot: RealmModel.UUID, of realm: Realm, _ connection: PostgresConnection
    ) throws {
        try connection.execute(
            """
            UPDATE realm SET current_id = \(snapshot)
            WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
            """)
    }
}

extension Realm {
    /// Joins a row `r` of `realm` with its current snapshot `s`.
    ///
    /// The limit makes the planner look that up by its key, whatever it believes about the size of the table.
    package static let currentSnapshotRow: StaticString =
        "LATERAL (SELECT * FROM snapshot WHERE app_id = r.app_id AND snapshot_id = r.current_id LIMIT 1) AS s"

    package static let columns: StaticString =
        """
        r.app_id, r.realm_id, r.name, r.kind, r.current_id, r.created_at, r.development_mode, r.is_terminated,
        r.unsynced_count, r.recovery_id, r.retired, r.representation, r.labels::json AS labels
        """

    package init(row: PostgresRow, app: String) throws {
        let kind = try RealmKind(row: row, "kind")
        self.init(
            app: app, name: try row.value("name"), kind: kind, currentSnapshot: try row.optional("current_id"),
            labels: try RealmLabels(json: try row.value("labels")).labels, createdAt: try row.value("created_at"),
            sync: kind == .synced ? try Sync(row: row) : nil,
            appID: try row.value("app_id"), id: try row.value("realm_id"),
            representation: try row.value("representation"))
    }
}

extension Realm.Sync {
    init(row: PostgresRow) throws {
        self.init(
            isTerminated: try row.value("is_terminated"), unsyncedCount: try row.value("unsynced_count"),
            recovery: try row.optional("recovery_id"), isInDevelopment: try row.value("development_mode"),
            retired: try row.optional("retired", as: PostgresBytes.self).map { try SchemaColumn.decode($0) } ?? Schema()
        )
    }
}

extension RealmKind {
    init(row: PostgresRow, _ column: String) throws {
        guard let kind = RealmKind(rawValue: try row.value(column)) else { throw StoreError.damaged("a realm's kind") }
        self = kind
    }
}
