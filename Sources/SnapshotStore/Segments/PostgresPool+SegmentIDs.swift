import Columns
import Postgres
import RealmModel

extension PostgresPool {
    /// The bytes of those of some ids that a table of segments or of lists of segments has.
    ///
    /// Each is looked up by the index: a join may be planned as a scan of all segments that there are.
    func bytes(
        of ids: [SegmentID], in appID: RealmModel.UUID, column: StaticString, table: StaticString
    ) throws -> [SegmentID: [UInt8]] {
        let rows = try withConnection { connection in
            try connection.query(
                """
                SELECT stored.* FROM unnest(\(ids.batches), \(ids.ordinals)) AS named (batch, number), LATERAL (
                    SELECT batch_id, ordinal, \(unsafeSQL: column) AS bytes FROM \(unsafeSQL: table)
                    WHERE app_id = \(appID) AND batch_id = named.batch AND ordinal = named.number
                    LIMIT 1
                ) AS stored
                """)
        }
        return try rows.reduce(into: [:]) { found, row in
            let id = SegmentID(batch: try row.value("batch_id"), ordinal: try row.value("ordinal"))
            found[id] = try row.value("bytes", as: PostgresBytes.self).bytes
        }
    }
}
