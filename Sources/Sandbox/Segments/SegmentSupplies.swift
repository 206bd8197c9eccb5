import Columns

/// Columns and segments that come with a task, so that a host need not ask for them one by one.
///
/// For a small realm the questions would take longer than the migration.
public struct SegmentSupplies: Hashable, Sendable {
    /// Objects of a snapshot that is small.
    public static let objectLimit = 1000
    /// Bytes of columns and segments that come with a task at most.
    public static let byteLimit = 64 << 10

    package private(set) var columns: [SegmentID: [UInt8]] = [:]
    package private(set) var segments: [SegmentID: [UInt8]] = [:]
    private var byteCount: Int {
        [columns, segments].reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
    }

    /// Nothing: everything is asked for.
    public init() {}

    /// The segments of a snapshot, as far as the limit goes; none of one that is not small.
    ///
    /// - Parameter served: what the host may see of it.
    /// - Throws: what the store throws.
    public init(of snapshot: Snapshot, from served: ServedStore) throws {
        let answer = served.answer
        guard snapshot.classes.reduce(0, { $0 + $1.objectCount }) <= Self.objectLimit else { return }
        for stored in snapshot.classes {
            if let rowGroups = stored.rowGroups { try add(segment: rowGroups, answer) }
            for case .segments(let id) in [stored.keys] + stored.columns { try add(column: id, answer) }
        }
    }

    private mutating func add(column id: SegmentID, _ answer: (Frame) throws -> Frame?) throws {
        guard byteCount < Self.byteLimit, let bytes = try answer(Frame(.readColumn, id))?.payload else { return }
        columns[id] = bytes
        for case .stored(let segment, let storedBytes) in try SnapshotCoding.decodeColumn(bytes).map(\.content)
        where byteCount + storedBytes <= Self.byteLimit {
            try add(segment: segment, answer)
        }
    }

    private mutating func add(segment id: SegmentID, _ answer: (Frame) throws -> Frame?) throws {
        guard byteCount < Self.byteLimit, let bytes = try answer(Frame(.readSegment, id))?.payload else { return }
        segments[id] = bytes
    }

    // MARK: Bytes

    /// Writes the supplies.
    public func encode(into writer: inout ByteWriter) {
        for supplies in [columns, segments] {
            writer.write(count: supplies.count)
            for (id, bytes) in supplies {
                SnapshotCoding.encode(id, into: &writer)
                writer.write(bytes: bytes)
            }
        }
    }

    /// Reads the supplies.
    public init(from reader: inout ByteReader) throws(ColumnError) {
        columns = try Self.decode(from: &reader)
        segments = try Self.decode(from: &reader)
    }

    private static func decode(from reader: inout ByteReader) throws(ColumnError) -> [SegmentID: [UInt8]] {
        var supplies: [SegmentID: [UInt8]] = [:]
        for _ in 0..<(try reader.readCount()) {
            let id = try SnapshotCoding.decodeID(from: &reader)
            supplies[id] = try reader.readBytes()
        }
        return supplies
    }
}

extension Frame {
    /// A question for a column or a segment.
    init(_ kind: Kind, _ id: SegmentID) {
        var writer = ByteWriter()
        SnapshotCoding.encode(id, into: &writer)
        self.init(kind, writer.bytes)
    }
}
