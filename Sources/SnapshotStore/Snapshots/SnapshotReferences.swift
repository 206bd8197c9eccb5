import Columns
import Postgres
import RealmModel

/// The columns and segments that a snapshot's manifest names, for the arrays that maintenance reads.
struct SnapshotReferences {
    private(set) var columns: [SegmentID] = []
    private(set) var segments: [SegmentID] = []

    init(_ snapshot: Snapshot) {
        for stored in snapshot.classes {
            if let rowGroups = stored.rowGroups { segments.append(rowGroups) }
            segments += stored.patches.map(\.segment)
            for case .segments(let id) in [stored.keys] + stored.columns { columns.append(id) }
        }
    }
}

extension Sequence<SegmentID> {
    /// The batches, for a parameter of type `uuid[]`.
    var batches: PostgresArray<BatchID> { PostgresArray(map(\.batch)) }
    /// The numbers in them, for a parameter of type `integer[]`.
    var ordinals: PostgresArray<Int32> { PostgresArray(map(\.ordinal)) }
}

extension PostgresStatement.Interpolation {
    /// Appends a query for how many of some columns or segments there are (`found`), and their `bytes`.
    ///
    /// One that is named twice counts twice. Each is looked up by the index: a join may be planned as a scan of all that there are.
    mutating func appendInterpolation(named ids: [SegmentID], in table: StaticString, of app: RealmModel.UUID) {
        appendLiteral("SELECT count(*) AS found, coalesce(sum(stored.bytes), 0)::bigint AS bytes FROM unnest(")
        appendInterpolation(ids.batches)
        appendLiteral(", ")
        appendInterpolation(ids.ordinals)
        appendLiteral(") AS named (batch, number), LATERAL (SELECT t.stored_bytes AS bytes FROM ")
        appendInterpolation(unsafeSQL: table)
        appendLiteral(" t WHERE t.app_id = ")
        appendInterpolation(app)
        appendLiteral(" AND t.batch_id = named.batch AND t.ordinal = named.number LIMIT 1) AS stored")
    }
}
