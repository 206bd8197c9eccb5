import Columns
import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Snapshots {
    /// How long a preview is kept that nobody promotes.
    private static let previewLifetime = Duration.seconds(86_400)

    /// Inserts a snapshot and makes it its realm's current one; the caller holds the realm's lock.
    ///
    /// - Parameters:
    ///   - delta: what it has otherwise than the realm's current one; nil where that is not known.
    ///   - isAlone: whether no job may have the realm to itself; the caller need not have asked.
    ///   - isPreview: whether it stays beside the current one, for a time.
    /// - Throws: `StoreError.damaged` where the snapshot names something that is not stored; `migrationActive`.
    package static func insert(
        _ snapshot: Snapshot, into realm: Realm, origin: SnapshotOrigin, delta: SnapshotDelta? = nil,
        whereAlone isAlone: Bool = false, asPreview isPreview: Bool = false, _ connection: PostgresConnection
    ) throws -> SnapshotInfo {
        let id = RealmModel.UUID.version7()
        let references = SnapshotReferences(snapshot)
        let counts = objectCounts(of: snapshot)
        let inserted = try connection.query(
            """
            WITH columns AS (
                \(named: references.columns, in: "segment_column", of: realm.appID)
            ), segments AS (
                \(named: references.segments, in: "segment", of: realm.appID)
            ), inserted AS (
                INSERT INTO snapshot (app_id, snapshot_id, realm_id, schema_version, parent_id, created_by, job_id,
                    manifest, object_counts, stored_bytes, column_batches, column_ordinals, segment_batches,
                    segment_ordinals, delta, preview_until)
                SELECT \(realm.appID), \(id), \(realm.id), \(snapshot.schemaVersion.map(StoredVersion.init)),
                    \(realm.currentSnapshot), \(origin.name), \(origin.job),
                    \(PostgresBytes(SnapshotCoding.encode(snapshot))),
                    \(StoredJSON.encode(StoredCounts(counts))), columns.bytes + segments.bytes,
                    \(references.columns.batches), \(references.columns.ordinals),
                    \(references.segments.batches), \(references.segments.ordinals),
                    \(delta.map { PostgresBytes(SnapshotDeltaCoding.encode($0)) }),
                    CASE WHEN \(isPreview) THEN now() + \(previewLifetime.inSeconds) * interval '1 second' END
                FROM columns, segments
                WHERE columns.found = \(references.columns.count) AND segments.found = \(references.segments.count)
                    AND NOT (\(isAlone) AND EXISTS (
                        SELECT FROM job
                        WHERE app_id = \(realm.appID) AND realm_id = \(realm.id) AND state IN ('queued', 'running')
                            AND exclusive))
                RETURNING app_id, realm_id, snapshot_id, stored_bytes, created_at
            )
            UPDATE realm r SET current_id = CASE WHEN \(isPreview) THEN r.current_id ELSE inserted.snapshot_id END,
                unsynced_count = CASE WHEN \(isPreview) THEN r.unsynced_count ELSE \(snapshot.unsyncedCount) END,
                patched_rows = CASE WHEN \(isPreview) THEN r.patched_rows ELSE \(snapshot.patchedRows) END
            FROM inserted WHERE r.app_id = inserted.app_id AND r.realm_id = inserted.realm_id
            RETURNING inserted.stored_bytes, inserted.created_at
            """)
        guard let row = inserted.first else {
            if isAlone { try SnapshotStore.Realms.requireNoExclusiveJob(of: realm, connection) }
            throw StoreError.damaged("a snapshot that names what is not stored")
        }
        return SnapshotInfo(
            id: id, app: realm.app, realm: realm.name, realmKind: realm.kind, schemaVersion: snapshot.schemaVersion,
            parent: realm.currentSnapshot, createdBy: origin, objectCounts: counts,
            storedBytes: try row.value("stored_bytes"), createdAt: try row.value("created_at"), appID: realm.appID,
            realmID: realm.id)
    }

    /// Keeps a realm's current snapshot in another way; the caller holds the realm's lock, and answers for the contents being
    /// the same.
    static func represent(
        _ id: RealmModel.UUID, as snapshot: Snapshot, of realm: Realm, _ connection: PostgresConnection
    ) throws {
        let references = SnapshotReferences(snapshot)
        try connection.execute(
            """
            UPDATE snapshot SET manifest = \(PostgresBytes(SnapshotCoding.encode(snapshot))),
                column_batches = \(references.columns.batches), column_ordinals = \(references.columns.ordinals),
                segment_batches = \(references.segments.batches), segment_ordinals = \(references.segments.ordinals),
                stored_bytes = (
                    SELECT columns.bytes + segments.bytes
                    FROM (\(named: references.columns, in: "segment_column", of: realm.appID)) AS columns,
                        (\(named: references.segments, in: "segment", of: realm.appID)) AS segments
                )
            WHERE app_id = \(realm.appID) AND snapshot_id = \(id)
            """)
        try connection.execute(
            """
            UPDATE realm SET representation = representation + 1, patched_rows = \(snapshot.patchedRows)
            WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
            """)
    }

    static func objectCounts(of snapshot: Snapshot) -> [SnapshotInfo.ClassCount] {
        snapshot.declared.classes.map { declared in
            SnapshotInfo.ClassCount(className: declared.name, count: snapshot[declared.name]?.objectCount ?? 0)
        }
    }
}
