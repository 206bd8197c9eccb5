import Columns

/// A store in memory that takes so much and no more.
final class BoundedStore: SegmentStore {
    struct Full: Error {}

    private let store = MemorySegmentStore()
    private var left: Int
    /// The segments, columns and row groups in the order in which they were written.
    private(set) var segments: [[UInt8]] = []
    private(set) var columns: [[Segment]] = []

    /// A store for what an input of so many bytes may become: 64 MiB, and 64 bytes of each.
    init(inputBytes: Int) {
        left = (64 << 20) + 64 * inputBytes
    }

    func write(segment bytes: [UInt8]) throws -> SegmentID {
        try take(bytes.count)
        segments.append(bytes)
        return try store.write(segment: bytes)
    }

    func write(column segments: [Segment]) throws -> SegmentID {
        try take(segments.count * MemoryLayout<Segment>.stride)
        columns.append(segments)
        return try store.write(column: segments)
    }

    func read(segment id: SegmentID) throws -> [UInt8] { try store.read(segment: id) }

    func read(column id: SegmentID) throws -> [Segment] { try store.read(column: id) }

    private func take(_ count: Int) throws {
        left -= count
        guard left >= 0 else { throw Full() }
    }
}
