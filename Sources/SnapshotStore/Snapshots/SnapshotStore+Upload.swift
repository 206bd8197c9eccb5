import Columns
import Postgres
import RealmModel

extension SnapshotStore {
    /// Starts an upload; a realm that is not there yet is made, as a local one, by the commit.
    ///
    /// - Throws: `StoreError.notFound` (app), `invalidName`; `migrationActive` at once, so that no body is read in vain.
    public func beginUpload(to realm: String, in app: String) throws -> Upload {
        try Name.check(realm, of: .realm)
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT a.app_id, r.realm_id, r.current_id, j.job_id
                FROM app a LEFT JOIN realm r ON r.app_id = a.app_id AND r.name = \(realm)
                LEFT JOIN job j
                    ON j.app_id = r.app_id AND j.realm_id = r.realm_id AND j.state IN ('queued', 'running') AND j.exclusive
                WHERE a.name = \(app)
                """)
            guard let row = rows.first else { throw StoreError.notFound(.app, app) }
            if let job = try row.optional("job_id", as: RealmModel.UUID.self) {
                throw StoreError.migrationActive(job: job)
            }
            let store = PostgresSegmentStore(
                self, appID: try row.value("app_id"), realmID: try row.optional("realm_id") ?? .version7(),
                owner: .upload)
            return Upload(self, store: store, app: app, realm: realm, parent: try row.optional("current_id"))
        }
    }
}

/// One upload: a store to write to, then `commit`; an upload that is let go of leaves nothing.
public final class Upload {
    /// Takes the realm's segments, and reads what it took.
    public let store: PostgresSegmentStore
    /// The realm's current snapshot when the upload began.
    public let parent: RealmModel.UUID?

    private let snapshots: SnapshotStore
    private let app: String
    private let realm: String
    private var isOver = false

    init(_ snapshots: SnapshotStore, store: PostgresSegmentStore, app: String, realm: String, parent: RealmModel.UUID?)
    {
        self.snapshots = snapshots
        self.store = store
        self.app = app
        self.realm = realm
        self.parent = parent
    }

    deinit { cancel() }

    /// Makes what was written the realm's current snapshot, in one short transaction.
    ///
    /// - Parameters:
    ///   - origin: `upload` or `changes`.
    ///   - onlyIfCurrent: whether the realm's current snapshot has to be `parent` still.
    /// - Throws: `StoreError.migrationActive`, `realmChanged`, `uploadExpired`, `notFound` (app); nothing is changed
    ///   then.
    public func commit(
        _ snapshot: Snapshot, createdBy origin: SnapshotOrigin = .upload, onlyIfCurrent: Bool = false
    ) throws -> SnapshotInfo {
        try store.flushUnlessSmall()
        let info = try snapshots.pool.transaction { connection in
            let locked = try self.lockOrMakeRealm(connection)
            try SnapshotStore.requireNoExclusiveJob(of: locked, connection)
            guard !onlyIfCurrent || locked.currentSnapshot == self.parent else { throw StoreError.realmChanged }
            try self.store.commitBatch(to: locked, connection)
            let id = try SnapshotStore.insert(snapshot, into: locked, origin: origin, connection)
            return try SnapshotStore.snapshot(id, connection)
        }
        store.didCommit()
        isOver = true
        return info
    }

    /// Forgets what was written; maintenance would too, later.
    public func cancel() {
        guard !isOver else { return }
        isOver = true
        store.abandon()
    }

    private func lockOrMakeRealm(_ connection: PostgresConnection) throws -> Realm {
        do {
            return try SnapshotStore.lockRealm(realm, in: app, connection)
        } catch StoreError.notFound(.realm, _) {
            try connection.execute(
                """
                INSERT INTO realm (app_id, realm_id, name, kind)
                VALUES (\(store.appID), \(store.realmID), \(realm), 'local')
                ON CONFLICT (app_id, name) DO NOTHING
                """)
            return try SnapshotStore.lockRealm(realm, in: app, connection)
        }
    }
}
