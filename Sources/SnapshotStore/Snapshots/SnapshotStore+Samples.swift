import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Realms {
    /// The newest snapshots of each schema version that local realms of an app stand at, one of a realm; ascending, those without a
    /// version first; with how many realms stand there.
    ///
    /// - Parameter limit: snapshots of a version, at most.
    /// - Throws: `StoreError.notFound` (app).
    public func newestSnapshots(
        in app: String, ofEachVersion limit: Int = 1
    ) throws -> [(version: UInt64?, snapshot: RealmModel.UUID, realmCount: Int)] {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT schema_version, snapshot_id, realm_count FROM (
                    SELECT s.schema_version, s.snapshot_id, count(*) OVER (PARTITION BY s.schema_version) AS realm_count,
                        row_number() OVER (
                            PARTITION BY s.schema_version ORDER BY s.created_at DESC, s.snapshot_id DESC) AS place
                    FROM realm r JOIN snapshot s ON s.app_id = r.app_id AND s.snapshot_id = r.current_id
                    WHERE r.app_id = \(try SnapshotStore.Apps.app(app, connection).id) AND r.kind = 'local') AS placed
                WHERE place <= \(limit) ORDER BY schema_version NULLS FIRST, place
                """
            ).map {
                (
                    try $0.optional("schema_version", as: StoredVersion.self)?.number,
                    try $0.value("snapshot_id", as: RealmModel.UUID.self), try $0.value("realm_count", as: Int.self)
                )
            }
        }
    }

    /// How many realms of an app stand at which schema version, ascending; nil for those without a version.
    ///
    /// Realms without a snapshot stand at none.
    ///
    /// - Throws: `StoreError.notFound` (app).
    public func versions(in app: String) throws -> [(version: UInt64?, count: Int)] {
        try pool.withConnection { connection in
            try connection.query(
                """
                WITH known AS MATERIALIZED (SELECT \(try SnapshotStore.Apps.app(app, connection).id)::uuid AS app_id)
                SELECT nullif(each.version, -1) AS schema_version, sum(each.realms)::bigint AS count
                FROM known CROSS JOIN LATERAL (
                    SELECT schema_version AS version, realms FROM realm_count WHERE app_id = known.app_id
                    UNION ALL
                    SELECT schema_version, realms FROM count_change WHERE app_id = known.app_id AND snapshot_id IS NULL
                    UNION ALL
                    -- Realms that were not counted as they are now.
                    SELECT counted_version, -1 FROM realm
                    WHERE app_id = known.app_id AND is_uncounted AND counted_id IS NOT NULL
                    UNION ALL
                    SELECT coalesce(s.schema_version, -1), 1 FROM realm r CROSS JOIN \(unsafeSQL: Realm.currentSnapshotRow)
                    WHERE r.app_id = known.app_id AND r.is_uncounted
                ) AS each
                GROUP BY each.version HAVING sum(each.realms) <> 0 ORDER BY each.version
                """
            ).map {
                (try $0.optional("schema_version", as: StoredVersion.self)?.number, try $0.value("count", as: Int.self))
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
