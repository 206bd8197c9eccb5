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
                WITH known AS MATERIALIZED (SELECT \(try SnapshotStore.Apps.app(app, connection).id)::uuid AS app_id),
                uncounted AS MATERIALIZED (
                    SELECT coalesce(s.schema_version, -1) AS version, s.snapshot_id
                    FROM known JOIN realm r USING (app_id) CROSS JOIN \(unsafeSQL: Realm.currentSnapshotRow)
                    WHERE r.is_uncounted AND r.kind = 'local'
                ), counts AS (
                    SELECT version, sum(realms)::bigint AS realm_count FROM (
                        SELECT r.counted_version AS version, count(*) AS realms FROM known JOIN realm r USING (app_id)
                        WHERE r.is_uncounted IS NULL AND r.kind = 'local' AND r.counted_version >= -1
                        GROUP BY r.counted_version
                        UNION ALL SELECT version, count(*) FROM uncounted GROUP BY version
                    ) AS each GROUP BY version
                )
                SELECT nullif(version, -1) AS schema_version, newest.snapshot_id, realm_count
                FROM known CROSS JOIN counts CROSS JOIN LATERAL (
                    -- Ids tell which was made last.
                    SELECT snapshot_id FROM (
                        (SELECT counted_id AS snapshot_id FROM realm
                        WHERE app_id = known.app_id AND kind = 'local' AND counted_version = counts.version
                            AND is_uncounted IS NULL ORDER BY counted_id DESC LIMIT \(limit))
                        UNION ALL SELECT snapshot_id FROM uncounted WHERE version = counts.version
                    ) AS both_kinds ORDER BY snapshot_id DESC LIMIT \(limit)
                ) AS newest
                ORDER BY version, newest.snapshot_id DESC
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
