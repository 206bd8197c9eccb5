import Columns
import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Snapshots {
    /// A snapshot that is to be its realm's current one.
    package struct Replacement {
        package let id = RealmModel.UUID.version7()
        package let realm: Realm
        package let snapshot: Snapshot

        /// Describes it.
        package init(realm: Realm, snapshot: Snapshot) {
            self.realm = realm
            self.snapshot = snapshot
        }
    }

    /// Inserts snapshots of as many realms of an app and makes them current, by one statement; the caller holds the realms' locks.
    ///
    /// - Throws: `StoreError.damaged` where one names something that is not stored.
    package static func insert(
        _ replacements: [Replacement], origin: SnapshotOrigin, _ connection: PostgresConnection
    ) throws {
        guard let app = replacements.first?.realm.appID else { return }
        let references = replacements.map { SnapshotReferences($0.snapshot) }
        let columns = References(references.map(\.columns))
        let segments = References(references.map(\.segments))
        let inserted = try connection.query(
            """
            WITH columns AS MATERIALIZED (
                \(summed: columns, in: "segment_column", of: app)
            ), segments AS MATERIALIZED (
                \(summed: segments, in: "segment", of: app)
            ), inserted AS (
                INSERT INTO snapshot (app_id, snapshot_id, realm_id, schema_version, parent_id, created_by, job_id,
                    manifest, object_counts, stored_bytes, column_batches, column_ordinals, segment_batches,
                    segment_ordinals)
                SELECT \(app), id, realm, version, parent, \(origin.name), \(origin.job), manifest,
                    counts::json, coalesce(columns.bytes, 0) + coalesce(segments.bytes, 0), column_batches::uuid[],
                    column_ordinals::integer[], segment_batches::uuid[], segment_ordinals::integer[]
                FROM unnest(\(PostgresArray(replacements.map(\.id))), \(PostgresArray(replacements.map(\.realm.id))),
                    \(PostgresArray(nullable: replacements.map { $0.snapshot.schemaVersion.map(StoredVersion.init) })),
                    \(PostgresArray(nullable: replacements.map(\.realm.currentSnapshot))),
                    \(PostgresArray(replacements.map { PostgresBytes(SnapshotCoding.encode($0.snapshot)) })),
                    \(PostgresArray(replacements.map { counts(of: $0.snapshot) })),
                    \(columns.batchTexts), \(columns.ordinalTexts), \(segments.batchTexts), \(segments.ordinalTexts),
                    \(columns.counts), \(segments.counts)) WITH ORDINALITY
                    AS new (id, realm, version, parent, manifest, counts, column_batches, column_ordinals, segment_batches,
                        segment_ordinals, column_count, segment_count, number)
                LEFT JOIN columns ON columns.of = new.number LEFT JOIN segments ON segments.of = new.number
                WHERE coalesce(columns.found, 0) = column_count AND coalesce(segments.found, 0) = segment_count
                RETURNING realm_id, snapshot_id, coalesce(schema_version, -1) AS version
            ), replaced AS (
                -- They are counted here, a row for each version: `CountingRound` would write each realm's row once more.
                UPDATE realm r SET current_id = inserted.snapshot_id, unsynced_count = new.unsynced, patched_rows = new.patched,
                    counted_id = inserted.snapshot_id, counted_version = inserted.version
                FROM inserted JOIN unnest(\(PostgresArray(replacements.map(\.realm.id))),
                    \(PostgresArray(replacements.map(\.snapshot.unsyncedCount))),
                    \(PostgresArray(replacements.map(\.snapshot.patchedRows)))) AS new (realm_id, unsynced, patched) USING (realm_id)
                CROSS JOIN LATERAL (
                    SELECT counted_version AS version FROM realm WHERE app_id = \(app) AND realm_id = new.realm_id LIMIT 1
                ) AS old
                WHERE r.app_id = \(app) AND r.realm_id = inserted.realm_id
                RETURNING old.version AS old_version, r.counted_version AS version
            ), noted AS (
                INSERT INTO count_change (app_id, schema_version, realms)
                SELECT \(app), version, sum(realms) FROM (
                    SELECT version, 1 AS realms FROM replaced
                    UNION ALL SELECT old_version, -1 FROM replaced WHERE old_version IS NOT NULL
                ) AS moved GROUP BY version HAVING sum(realms) <> 0
            )
            SELECT count(*) AS count FROM replaced
            """)[0].value("count", as: Int.self)
        guard inserted == replacements.count else {
            throw StoreError.damaged("a snapshot that names what is not stored")
        }
    }

    private static func counts(of snapshot: Snapshot) -> String {
        StoredJSON.encode(StoredCounts(objectCounts(of: snapshot))).text
    }
}

/// The columns or segments that several snapshots name.
struct References {
    private let ids: [[SegmentID]]

    init(_ ids: [[SegmentID]]) { self.ids = ids }

    /// Which snapshot names it, from 1, for each that is named.
    var owners: PostgresArray<Int32> {
        PostgresArray(ids.enumerated().flatMap { number, named in named.map { _ in Int32(number + 1) } })
    }
    /// All that is named.
    var all: [SegmentID] { ids.flatMap { $0 } }
    /// How many each names.
    var counts: PostgresArray<Int32> { PostgresArray(ids.map { Int32($0.count) }) }
    /// The batches that each names, as PostgreSQL writes an array.
    var batchTexts: PostgresArray<String> { texts { "\($0.batch.uuid)" } }
    /// The numbers in them.
    var ordinalTexts: PostgresArray<String> { texts { "\($0.ordinal)" } }

    private func texts(_ text: (SegmentID) -> String) -> PostgresArray<String> {
        PostgresArray(ids.map { "{" + $0.map(text).joined(separator: ",") + "}" })
    }
}

extension PostgresStatement.Interpolation {
    /// Appends a query for how many columns or segments there are that snapshots name (`found`), and their `bytes`, by the number `of`
    /// the snapshot.
    mutating func appendInterpolation(summed references: References, in table: StaticString, of app: RealmModel.UUID) {
        appendLiteral("SELECT named.of, count(*) AS found, sum(stored.bytes)::bigint AS bytes FROM unnest(")
        appendInterpolation(references.owners)
        appendLiteral(", ")
        appendInterpolation(references.all.batches)
        appendLiteral(", ")
        appendInterpolation(references.all.ordinals)
        appendLiteral(") AS named (of, batch, number), LATERAL (SELECT t.stored_bytes AS bytes FROM ")
        appendInterpolation(unsafeSQL: table)
        appendLiteral(" t WHERE t.app_id = ")
        appendInterpolation(app)
        appendLiteral(
            " AND t.batch_id = named.batch AND t.ordinal = named.number LIMIT 1) AS stored GROUP BY named.of")
    }
}
