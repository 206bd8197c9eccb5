import Columns

/// A host that copies a file sees its parent as this store: it writes the file's description, reads the migration's result of that, and
/// writes the new file's bytes.
final class FileCopyStore: SegmentStore {
    private let batch = BatchID(high: 0, low: 0)
    private let change: (Snapshot) throws -> Snapshot?
    private let append: ([UInt8]) throws -> Void
    private var outline: [UInt8]?
    private var count: Int32 = 0
    /// The result of the migration, once the host has asked for it.
    private(set) var changed: Snapshot?

    /// - Parameters:
    ///   - change: does the migration; nil where it needs values.
    ///   - append: takes the bytes of the file.
    init(change: @escaping (Snapshot) throws -> Snapshot?, append: @escaping ([UInt8]) throws -> Void) {
        self.change = change
        self.append = append
    }

    func write(segment bytes: [UInt8]) throws -> SegmentID {
        if outline == nil {
            outline = bytes
        } else {
            // Nothing is written before it is known of what.
            guard changed != nil else { throw ColumnError.damaged(what: "bytes of a copy", offset: 0) }
            try append(bytes)
        }
        defer { count += 1 }
        return SegmentID(batch: batch, ordinal: count)
    }

    func read(segment id: SegmentID) throws -> [UInt8] {
        guard id.ordinal == 0, changed == nil, let outline else { throw ColumnError.missing(id) }
        changed = try change(try SnapshotCoding.decodeSnapshot(outline))
        return changed.map { SnapshotCoding.encode($0) } ?? []
    }

    func write(column segments: [Segment]) throws -> SegmentID {
        throw ColumnError.damaged(what: "a column of a copy", offset: 0)
    }

    func read(column id: SegmentID) throws -> [Segment] { throw ColumnError.missing(id) }
}
