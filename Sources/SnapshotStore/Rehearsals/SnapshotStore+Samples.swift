import Postgres
import RealmModel

extension SnapshotStore.Realms {
    /// The newest snapshot of each schema version that local realms of an app stand at, ascending, those without a version first;
    /// with how many realms stand there.
    ///
    /// - Throws: `StoreError.notFound` (app).
    public func newestSnapshots(
        in app: String
    ) throws -> [(version: UInt64?, snapshot: RealmModel.UUID, realmCount: Int)] {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT DISTINCT ON (s.schema_version) s.schema_version, s.snapshot_id,
                    count(*) OVER (PARTITION BY s.schema_version) AS realm_count
                FROM realm r JOIN snapshot s ON s.app_id = r.app_id AND s.snapshot_id = r.current_id
                WHERE r.app_id = \(try SnapshotStore.Apps.app(app, connection).id) AND r.kind = 'local'
                ORDER BY s.schema_version NULLS FIRST, s.created_at DESC, s.snapshot_id DESC
                """
            ).map {
                (
                    try $0.optional("schema_version", as: StoredVersion.self)?.number,
                    try $0.value("snapshot_id", as: RealmModel.UUID.self), try $0.value("realm_count", as: Int.self)
                )
            }
        }
    }
}

extension SnapshotStore.Snapshots {
    /// The store of a migration of a snapshot that is tried and comes to nothing: it reads what the snapshot consists of, and has to be
    /// closed, which lets go of what was written.
    public func segments(trying snapshot: OpenSnapshot) throws -> PostgresSegmentStore {
        let segments = PostgresSegmentStore(
            store, appID: snapshot.info.appID, realmID: snapshot.info.realmID, owner: .draft)
        try segments.preload(snapshot)
        return segments
    }
}
