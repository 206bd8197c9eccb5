import RealmModel

/// Where segments and columns are kept: PostgreSQL in the service, files in the program, a pipe in a child process.
///
/// Segments and columns never change once they are written. A store belongs to one thread at a time.
public protocol SegmentStore: AnyObject {
    /// Keeps the bytes of a segment and names them.
    func write(segment bytes: [UInt8]) throws -> SegmentID
    /// The bytes of a segment.
    func read(segment id: SegmentID) throws -> [UInt8]
    /// Keeps a column, the list of its segments, and names it.
    func write(column segments: [Segment]) throws -> SegmentID
    /// The segments of a column, one a row group.
    func read(column id: SegmentID) throws -> [Segment]

    /// Encodes an array, keeps it and describes it; nulls throughout are kept as a constant.
    ///
    /// A store may do so while its user goes on; what then fails is thrown by a later call.
    func write(_ array: ColumnArray) throws -> Segment
    /// Reads and decodes a segment.
    ///
    /// - Parameter type: the column's type, for segments that are constants.
    func read(_ segment: Segment, as type: ColumnType) throws -> ColumnArray
    /// Keeps a patch.
    func write(patch contents: PatchContents) throws -> Patch
    /// Reads the directory and the keys of a patch.
    func read(patch: Patch) throws -> PatchReader
    /// Hears that a segment is likely to be read next, and may fetch it meanwhile.
    func willRead(_ segment: Segment)
    /// Hears that a patch is likely to be read next.
    func willRead(patch: Patch)
    /// Hears that a column is likely to be read next, which has a segment for each row group.
    func willRead(column id: SegmentID, segmentCount: Int)
    /// Hears that objects of a class are going to be looked up by some primary keys, and may fetch what that takes at once.
    func willLookUp(primaryKeys: [Value], of reader: ClassReader, property: Int) throws
    /// The rows of a class's row groups, patches left out, that may have a primary key: all that have it, and perhaps
    /// others; counted from the first. `ClassReader.rows` has those of patches, too.
    ///
    /// - Parameter property: the primary key's index in `stored.schema.properties`.
    /// - Returns: nil where the store has no index of the column; the column tells then.
    func rows(withPrimaryKey value: Value, of reader: ClassReader, property: Int) throws -> [Int]?
}

extension SegmentStore {
    /// Encodes an array, keeps it and describes it, at once.
    public func write(_ array: ColumnArray) throws -> Segment {
        let nullCount = array.nullCount
        guard nullCount < array.count else { return Segment(repeating: .null, rowCount: array.count) }
        let bytes = SegmentCoding.encode(array)
        return Segment(
            rowCount: array.count, nullCount: nullCount,
            content: .stored(try write(segment: bytes), storedBytes: bytes.count))
    }

    /// Does nothing: the segment is fetched when it is read.
    public func willRead(_ segment: Segment) {}

    /// Announces the segment that the patch is.
    public func willRead(patch: Patch) {
        willRead(
            Segment(
                rowCount: patch.rowCount, nullCount: 0,
                content: .stored(patch.segment, storedBytes: patch.storedBytes)))
    }

    /// Does nothing: the column is fetched when it is read.
    public func willRead(column id: SegmentID, segmentCount: Int) {}

    /// Does nothing: each is looked up when it is asked for.
    public func willLookUp(primaryKeys: [Value], of reader: ClassReader, property: Int) throws {}

    /// Nil: there is no index.
    public func rows(withPrimaryKey value: Value, of reader: ClassReader, property: Int) throws -> [Int]? { nil }

    /// Keeps the bytes of a patch.
    public func write(patch contents: PatchContents) throws -> Patch {
        let bytes = contents.encoded()
        return contents.patch(in: try write(segment: bytes), storedBytes: bytes.count)
    }

    /// Reads the directory and the keys of a patch, whatever the store has decoded before.
    public func read(patch: Patch) throws -> PatchReader { try PatchReader(try read(segment: patch.segment)) }

    /// Reads and decodes a segment.
    public func read(_ segment: Segment, as type: ColumnType) throws -> ColumnArray { try decode(segment, as: type) }

    /// Reads the bytes of a segment and decodes them, whatever the store has decoded before.
    public func decode(_ segment: Segment, as type: ColumnType) throws -> ColumnArray {
        switch segment.content {
        case .constant(let value): return try ColumnArray(repeating: value, count: segment.rowCount, as: type)
        case .stored(let id, _):
            let array = try SegmentCoding.decode(try read(segment: id))
            guard array.count == segment.rowCount else {
                throw ColumnError.damaged(what: "\(array.count) rows instead of \(segment.rowCount)", offset: 0)
            }
            guard array.hasLayout(of: type) else {
                throw ColumnError.damaged(what: "values of another type than \(type.element.rawValue)", offset: 0)
            }
            return array
        }
    }
}

/// A store in this process's memory, for tests and for realms known to be small.
public final class MemorySegmentStore: SegmentStore {
    private let batch: BatchID
    private var entries: [Entry] = []

    private enum Entry {
        case segment([UInt8])
        case column([Segment])
    }

    /// An empty store whose segments bear a batch's name.
    public init(batch: BatchID = BatchID(high: 0, low: 0)) {
        self.batch = batch
    }

    /// Bytes of all segments.
    public var storedBytes: Int {
        entries.reduce(0) { total, entry in
            if case .segment(let bytes) = entry { total + bytes.count } else { total }
        }
    }

    /// Keeps the bytes of a segment and names them.
    public func write(segment bytes: [UInt8]) throws -> SegmentID { add(.segment(bytes)) }

    /// Keeps a column and names it.
    public func write(column segments: [Segment]) throws -> SegmentID { add(.column(segments)) }

    /// The bytes of a segment.
    public func read(segment id: SegmentID) throws -> [UInt8] {
        guard case .segment(let bytes) = entry(id) else { throw ColumnError.missing(id) }
        return bytes
    }

    /// The segments of a column.
    public func read(column id: SegmentID) throws -> [Segment] {
        guard case .column(let segments) = entry(id) else { throw ColumnError.missing(id) }
        return segments
    }

    private func add(_ entry: Entry) -> SegmentID {
        entries.append(entry)
        return SegmentID(batch: batch, ordinal: Int32(entries.count - 1))
    }

    private func entry(_ id: SegmentID) -> Entry? {
        guard id.batch == batch, entries.indices.contains(Int(id.ordinal)) else { return nil }
        return entries[Int(id.ordinal)]
    }
}
