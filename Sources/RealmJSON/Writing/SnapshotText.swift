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

    /// Appends the objects that are not deleted as the lines that NDJSON has of them.
    ///
    /// - Throws: what the store throws; `ColumnError`; `tooLarge` where embedded objects nest deeper than can be read.
    public func appendLines(to out: inout [UInt8]) throws {
        try RowGroupObjects(group, by: writer).appendLines(to: &out)
    }

    /// Appends an object.
    ///
    /// - Throws: as `appendLines`.
    public func append(row: Int, to out: inout [UInt8]) throws { try writer.append(row: row, of: group, to: &out) }

    /// Appends the value of a property.
    ///
    /// - Parameter index: the place of the property among those of the declared class that are stored.
    /// - Throws: as `appendLines`.
    public func append(property index: Int, row: Int, to out: inout [UInt8]) throws {
        let property = group.view.properties[index]
        try writer.append(try group.column(property), row, property, to: &out)
    }
}
