import Columns
import Postgres
import RealmModel
import RealmModel

/// The columns and segments of a small snapshot, read by one statement rather than by one each; segments whose bytes are
/// not in the database are left out.
package struct PreloadedSegments {
    /// Bytes of a snapshot that is small.
    package static let byteLimit = 64 << 10

    private(set) var columns: [SegmentID: [UInt8]] = [:]
    private(set) var segments: [SegmentID: [UInt8]] = [:]

    init() {}

    /// Reads the columns and segments of several snapshots of an app.
    package init(_ snapshots: [RealmModel.UUID], of app: RealmModel.UUID, _ connection: PostgresConnection) throws {
        let rows = try connection.query(
            """
            WITH snapshot AS MATERIALIZED (
                SELECT named.* FROM unnest(\(PostgresArray(snapshots))) AS wanted (id), LATERAL (
                    SELECT column_batches, column_ordinals, segment_batches, segment_ordinals FROM snapshot
                    WHERE app_id = \(app) AND snapshot_id = wanted.id LIMIT 1
                ) AS named
            ), columns AS MATERIALIZED (
                SELECT stored.* FROM snapshot, unnest(column_batches, column_ordinals) AS named (batch, number), LATERAL (
                    SELECT * FROM segment_column c
                    WHERE c.app_id = \(app) AND c.batch_id = named.batch AND c.ordinal = named.number
                    LIMIT 1
                ) AS stored
            ), named AS (
                SELECT batch, number FROM snapshot, unnest(segment_batches, segment_ordinals) AS named (batch, number)
                UNION
                SELECT batch, number FROM columns,
                    unnest(columns.segment_batches, columns.segment_ordinals) AS named (batch, number)
            )
            SELECT true AS is_column, batch_id, ordinal, segments AS bytes FROM columns
            UNION ALL
            SELECT false, stored.* FROM named, LATERAL (
                SELECT s.batch_id, s.ordinal, s.bytes FROM segment s
                WHERE s.app_id = \(app) AND s.batch_id = named.batch AND s.ordinal = named.number
                LIMIT 1
            ) AS stored
            """)
        for row in rows {
            let id = SegmentID(batch: try row.value("batch_id"), ordinal: try row.value("ordinal"))
            guard let bytes = try row.optional("bytes", as: PostgresBytes.self)?.bytes else { continue }
            if try row.value("is_column") { columns[id] = bytes } else { segments[id] = bytes }
        }
    }
}
