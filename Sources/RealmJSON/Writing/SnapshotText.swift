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

    /// The objects of a row group.
    ///
    /// - Parameter name: of a class that the snapshot has.
    /// - Throws: what the store throws; `ColumnError`.
    public func rowGroup(_ number: Int, ofClass name: String) throws -> RowGroupText {
        guard let view = try writer.view(of: name), number < view.reader.rowGroups.count else {
            throw ColumnError.damaged(what: "a class without row group \(number)", offset: 0)
        }
        return RowGroupText(RowGroupView(view, group: number), by: writer)
    }

    /// Appends a mixed value.
    public func append(mixed value: Value, to out: inout [UInt8]) throws {
        try writer.append(mixed: value, to: &out)
    }
}

/// The objects of a row group as Realm JSON; columns are decoded once, when they are first asked for.
public final class RowGroupText {
    private let group: RowGroupView
    private let writer: ObjectWriter

    init(_ group: RowGroupView, by writer: ObjectWriter) {
        self.group = group
        self.writer = writer
    }

    /// Gives the objects that are not deleted as the lines that NDJSON has of them, in pieces of some 64 Ki values.
    ///
    /// - Throws: what the store throws; `ColumnError`; `tooLarge` where embedded objects nest deeper than can be read.
    public func forEachPiece(ofLines body: ([UInt8]) throws -> Void) throws {
        for rows in group.rowGroup.liveRows.pieces(ofValues: Self.valuesAtOnce, each: group.view.properties.count) {
            var lines: [UInt8] = []
            try RowGroupObjects(group, rows: Array(rows), by: writer).appendLines(to: &lines)
            try body(lines)
        }
    }

    private static let valuesAtOnce = 1 << 16

    /// Appends an object.
    ///
    /// - Throws: as `forEachPiece`.
    public func append(row: Int, to out: inout [UInt8]) throws { try writer.append(row: row, of: group, to: &out) }

    /// Appends the value of a property.
    ///
    /// - Parameter index: the place of the property among those of the declared class that are stored.
    /// - Throws: as `forEachPiece`.
    public func append(property index: Int, row: Int, to out: inout [UInt8]) throws {
        let property = group.view.properties[index]
        try writer.append(try group.column(property), row, property, to: &out)
    }
}
