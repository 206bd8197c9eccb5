import Columns
import Postgres

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
