import Columns
import RealmModel

/// Parts of a snapshot as Realm JSON, for formats that hold some of it as text and for digests.
///
/// Belongs to one thread at a time, as its store does.
public final class SnapshotText {
    private let writer: ObjectWriter

    /// Opens a snapshot.
    public init(_ snapshot: Snapshot, from store: any SegmentStore) {
        writer = ObjectWriter(snapshot, store: store, cacheByteLimit: 32 << 20)
    }

    /// Appends the objects of a row group as the lines that NDJSON has of them.
    ///
    /// - Parameters:
    ///   - number: of the row group.
    ///   - name: of a class that is not embedded.
    /// - Throws: what the store throws; `ColumnError`; `tooLarge` where embedded objects nest deeper than can be read.
    public func appendLines(ofRowGroup number: Int, ofClass name: String, to out: inout [UInt8]) throws {
        guard let view = try writer.view(of: name), number < view.reader.rowGroups.count else { return }
        let group = RowGroupView(view, group: number)
        for row in group.rowGroup.liveRows { try writer.append(line: row, of: group, to: &out) }
    }

    /// Appends a mixed value.
    public func append(mixed value: Value, to out: inout [UInt8]) throws {
        try writer.append(mixed: value, to: &out)
    }
}
