import Columns
import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Snapshots {
    /// The snapshots of a realm, newest first; previews are of their jobs and left out.
    ///
    /// - Throws: `StoreError.notFound` (app, realm).
    public func list(
        of realm: String, in app: String, _ page: PageRequest = PageRequest()
    ) throws -> Page<SnapshotInfo> {
        let before = try Cursor.moment(.snapshots, page)
        return try pool.withConnection { connection in
            let realm = try SnapshotStore.Realms.realm(realm, in: app, connection)
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: SnapshotInfo.columns)
                FROM snapshot s JOIN realm r USING (app_id, realm_id) JOIN app a USING (app_id)
                WHERE s.app_id = \(realm.appID) AND s.realm_id = \(realm.id) AND s.preview_until IS NULL
                    AND (s.created_at, s.snapshot_id) < (\(before.time), \(before.id))
                ORDER BY s.created_at DESC, s.snapshot_id DESC LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .snapshots, item: SnapshotInfo.init(row:)) { Cursor.key($0.createdAt, $0.id) }
        }
    }

    /// A snapshot's metadata.
    ///
    /// - Parameter app: the app, of which it has to be; nil where nothing but the id is known.
    /// - Throws: `StoreError.notFound`.
    public func find(_ id: RealmModel.UUID, in app: RealmModel.UUID? = nil) throws -> SnapshotInfo {
        try pool.withConnection { try Self.snapshot(id, in: app, $0) }
    }

    /// The name of the app and of the realm that a snapshot is of; nil where there is no such snapshot.
    public func place(of id: RealmModel.UUID) throws -> (app: String, realm: String)? {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT a.name AS app, r.name AS realm
                FROM snapshot s JOIN realm r USING (app_id, realm_id) JOIN app a USING (app_id)
                WHERE s.snapshot_id = \(id)
                """
            ).first.map { (try $0.value("app"), try $0.value("realm")) }
        }
    }

    /// Opens a snapshot for reading; nothing but its manifest is read yet.
    ///
    /// - Parameter app: the app, of which it has to be; nil where nothing but the id is known.
    /// - Throws: `StoreError.notFound`, `damaged`.
    public func open(_ id: RealmModel.UUID, in app: RealmModel.UUID? = nil) throws -> OpenSnapshot {
        let row = try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: SnapshotInfo.columns), s.manifest
                FROM snapshot s JOIN realm r USING (app_id, realm_id) JOIN app a USING (app_id)
                WHERE s.snapshot_id = \(id) \(and: "s.app_id", is: app)
                """)
            guard let row = rows.first else { throw StoreError.notFound(.snapshot, "\(id)") }
            return row
        }
        return try open(row)
    }

    /// Opens a realm's current snapshot for reading.
    ///
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none yet), `damaged`.
    public func openCurrent(of realm: String, in app: String) throws -> OpenSnapshot {
        let row = try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: SnapshotInfo.columns), s.manifest
                FROM app a JOIN realm r USING (app_id) CROSS JOIN \(unsafeSQL: Realm.currentSnapshotRow)
                WHERE a.name = \(app) AND r.name = \(realm)
                    AND r.app_id = (SELECT app_id FROM app WHERE name = \(app))
                """)
            guard let row = rows.first else {
                _ = try SnapshotStore.Realms.realm(realm, in: app, connection)
                throw StoreError.notFound(.snapshot, "\(realm), current")
            }
            return row
        }
        return try open(row)
    }

    /// Opens a realm's current snapshot for reading, and tells how the realm stands, by a single question to the database.
    ///
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none yet), `damaged`.
    public func openRealm(_ name: String, in app: String) throws -> (realm: Realm, current: OpenSnapshot) {
        let row = try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: Realm.columns), \(unsafeSQL: SnapshotInfo.ownColumns), s.manifest
                FROM app a JOIN realm r USING (app_id) CROSS JOIN \(unsafeSQL: Realm.currentSnapshotRow)
                WHERE a.name = \(app) AND r.name = \(name)
                    AND r.app_id = (SELECT app_id FROM app WHERE name = \(app))
                """)
            guard let row = rows.first else {
                _ = try SnapshotStore.Realms.realm(name, in: app, connection)
                throw StoreError.notFound(.snapshot, "\(name), current")
            }
            return row
        }
        return (try Realm(row: row, app: app), try open(row))
    }

    package func open(_ row: PostgresRow) throws -> OpenSnapshot {
        let info = try SnapshotInfo(row: row)
        return OpenSnapshot(
            info: info,
            snapshot: try SnapshotCoding.decodeSnapshot(try row.value("manifest", as: PostgresBytes.self).bytes),
            store: PostgresSegmentStore(store, appID: info.appID, realmID: info.realmID))
    }

    /// Removes a snapshot; maintenance removes the segments that no other one names later.
    ///
    /// - Throws: `StoreError.notFound`; `snapshotInUse` where it is current or the source of an active job.
    public func delete(_ id: RealmModel.UUID) throws {
        let info = try find(id)
        try pool.transaction { connection in
            let realm = try SnapshotStore.Realms.lock(info.realm, in: info.app, connection)
            guard realm.currentSnapshot != id else { throw StoreError.snapshotInUse }
            let jobs = try connection.query(
                """
                SELECT FROM migration_job m WHERE m.app_id = \(realm.appID) AND m.source_id = \(id)
                    AND (SELECT state FROM job WHERE job_id = m.job_id) IN ('queued', 'running')
                """)
            guard jobs.isEmpty else { throw StoreError.snapshotInUse }
            try connection.execute("DELETE FROM snapshot WHERE app_id = \(realm.appID) AND snapshot_id = \(id)")
            try connection.execute(
                """
                UPDATE segment_batch SET garbage_since = now()
                WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
                """)
        }
    }

    /// The classes and columns of a snapshot.
    package static func manifest(
        of id: RealmModel.UUID, in app: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> Snapshot {
        let rows = try connection.query(
            "SELECT manifest FROM snapshot WHERE app_id = \(app) AND snapshot_id = \(id)")
        guard let row = rows.first else { throw StoreError.notFound(.snapshot, "\(id)") }
        return try SnapshotCoding.decodeSnapshot(try row.value("manifest", as: PostgresBytes.self).bytes)
    }

    static func snapshot(
        _ id: RealmModel.UUID, in app: RealmModel.UUID?, _ connection: PostgresConnection
    ) throws -> SnapshotInfo {
        let rows = try connection.query(
            """
            SELECT \(unsafeSQL: SnapshotInfo.columns)
            FROM snapshot s JOIN realm r USING (app_id, realm_id) JOIN app a USING (app_id)
            WHERE s.snapshot_id = \(id) \(and: "s.app_id", is: app)
            """)
        guard let row = rows.first else { throw StoreError.notFound(.snapshot, "\(id)") }
        return try SnapshotInfo(row: row)
    }
}

extension SnapshotInfo {
    package static let columns: StaticString = """
        s.app_id, s.snapshot_id, s.realm_id, a.name AS app_name, r.name AS realm_name, r.kind AS realm_kind,
        s.schema_version, s.parent_id, s.created_by, s.job_id, s.object_counts, s.stored_bytes,
        s.created_at AS committed_at
        """
    /// The same without the ids, where the realm's columns stand beside them.
    static let ownColumns: StaticString = """
        s.snapshot_id, a.name AS app_name, r.name AS realm_name, r.kind AS realm_kind, s.schema_version, s.parent_id,
        s.created_by, s.job_id, s.object_counts, s.stored_bytes, s.created_at AS committed_at
        """

    init(row: PostgresRow) throws {
        self.init(
            id: try row.value("snapshot_id"), app: try row.value("app_name"), realm: try row.value("realm_name"),
            realmKind: try RealmKind(row: row, "realm_kind"),
            schemaVersion: try row.optional("schema_version", as: StoredVersion.self)?.number,
            parent: try row.optional("parent_id"), createdBy: try SnapshotOrigin(row: row),
            objectCounts: try row.document("object_counts", as: StoredCounts.self).counts,
            storedBytes: try row.value("stored_bytes"),
            createdAt: try row.value("committed_at"),
            appID: try row.value("app_id"), realmID: try row.value("realm_id"))
    }
}

extension SnapshotOrigin {
    /// The words of the column `created_by`.
    var name: String {
        switch self {
        case .upload: "upload"
        case .changes: "changes"
        case .migration: "migration"
        }
    }

    /// The job, where a job made the snapshot.
    var job: RealmModel.UUID? {
        if case .migration(let job) = self { job } else { nil }
    }

    init(row: PostgresRow) throws {
        switch try row.value("created_by", as: String.self) {
        case "upload": self = .upload
        case "changes": self = .changes
        case "migration": self = .migration(job: try row.value("job_id"))
        default: throw StoreError.damaged("what made a snapshot")
        }
    }
}
