import Columns
import Postgres
import RealmModel

extension SnapshotStore {
    /// Inserts a snapshot and makes it its realm's current one; the caller holds the realm's lock.
    ///
    /// - Throws: `StoreError.damaged` where the snapshot names something that is not stored.
    static func insert(
        _ snapshot: Snapshot, into realm: Realm, origin: SnapshotOrigin, _ connection: PostgresConnection
    ) throws -> RealmModel.UUID {
        let id = RealmModel.UUID.version7()
        let references = SnapshotReferences(snapshot)
        try connection.execute(
            """
            INSERT INTO snapshot (app_id, snapshot_id, realm_id, schema_version, parent_id, created_by, job_id, manifest,
                object_counts, stored_bytes, column_batches, column_ordinals, segment_batches, segment_ordinals)
            VALUES (\(realm.appID), \(id), \(realm.id), \(snapshot.schemaVersion.map(StoredVersion.init)),
                \(realm.currentSnapshot), \(origin.name), \(origin.job),
                \(PostgresBytes(SnapshotCoding.encode(snapshot))), \(try StoredJSON.encode(objectCounts(of: snapshot))),
                \(try storedBytes(references, realm.appID, connection)),
                \(references.columns.batches), \(references.columns.ordinals),
                \(references.segments.batches), \(references.segments.ordinals))
            """)
        try setCurrent(id, of: realm, connection)
        return id
    }

    private static func objectCounts(of snapshot: Snapshot) -> [SnapshotInfo.ClassCount] {
        snapshot.declared.classes.map { declared in
            SnapshotInfo.ClassCount(className: declared.name, count: snapshot[declared.name]?.objectCount ?? 0)
        }
    }

    /// Bytes of everything that is named; a segment in two columns counts twice.
    private static func storedBytes(
        _ references: SnapshotReferences, _ appID: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> Int {
        let columns = try connection.query(
            """
            SELECT count(*) AS found, coalesce(sum(c.stored_bytes), 0)::bigint AS bytes
            FROM unnest(\(references.columns.batches), \(references.columns.ordinals)) AS named (batch_id, ordinal)
            JOIN segment_column c ON c.app_id = \(appID) AND c.batch_id = named.batch_id AND c.ordinal = named.ordinal
            """)[0]
        let segments = try connection.query(
            """
            SELECT count(*) AS found, coalesce(sum(octet_length(s.bytes)), 0)::bigint AS bytes
            FROM unnest(\(references.segments.batches), \(references.segments.ordinals)) AS named (batch_id, ordinal)
            JOIN segment s ON s.app_id = \(appID) AND s.batch_id = named.batch_id AND s.ordinal = named.ordinal
            """)[0]
        guard try columns.value("found") == references.columns.count,
            try segments.value("found") == references.segments.count
        else { throw StoreError.damaged("a snapshot that names what is not stored") }
        return try columns.value("bytes", as: Int.self) + segments.value("bytes", as: Int.self)
    }
}
