import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Snapshots {
    /// Starts a draft of a realm's next snapshot; a realm that is not there yet is made, as a local one, by the commit.
    ///
    /// - Throws: `StoreError.notFound` (app), `invalidName`; `migrationActive`, and of an upload `realmIsSynced`, at once, so
    ///   that no body is read in vain.
    public func beginDraft(
        of realm: String, in app: String, createdBy origin: SnapshotOrigin = .upload
    ) throws -> SnapshotDraft {
        try ResourceName.check(realm, of: .realm)
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT a.app_id, r.realm_id, r.kind, r.current_id, j.job_id
                FROM app a LEFT JOIN realm r ON r.app_id = a.app_id AND r.name = \(realm)
                LEFT JOIN job j
                    ON j.app_id = r.app_id AND j.realm_id = r.realm_id AND j.state IN ('queued', 'running') AND j.exclusive
                WHERE a.name = \(app)
                """)
            guard let row = rows.first else { throw StoreError.notFound(.app, app) }
            if let job = try row.optional("job_id", as: RealmModel.UUID.self) {
                throw StoreError.migrationActive(job: job)
            }
            let parent = try row.optional("current_id", as: RealmModel.UUID.self)
            if origin == .upload, parent != nil, try RealmKind(row: row, "kind") == .synced {
                throw StoreError.realmIsSynced
            }
            let store = PostgresSegmentStore(
                self.store, appID: try row.value("app_id"), realmID: try row.optional("realm_id") ?? .version7(),
                owner: .draft)
            return SnapshotDraft(pool, store: store, app: app, realm: realm, parent: parent)
        }
    }
}
