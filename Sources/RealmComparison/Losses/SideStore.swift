import Columns

/// Keeps what is written to it in memory, and has all that another store has besides.
final class SideStore: SegmentStore {
    private static let batch = BatchID(high: .max, low: .max)
    private let base: any SegmentStore
    private let own = MemorySegmentStore(batch: batch)

    init(beside base: any SegmentStore) { self.base = base }

    private func store(of id: SegmentID) -> any SegmentStore { id.batch == Self.batch ? own : base }

    func write(segment bytes: [UInt8]) throws -> SegmentID { try own.write(segment: bytes) }
    func write(column segments: [Segment]) throws -> SegmentID { try own.write(column: segments) }
    func read(segment id: SegmentID) throws -> [UInt8] { try store(of: id).read(segment: id) }
    func read(column id: SegmentID) throws -> [Segment] { try store(of: id).read(column: id) }
    func read(patch: Patch) throws -> PatchReader { try store(of: patch.segment).read(patch: patch) }
    func willRead(patch: Patch) { store(of: patch.segment).willRead(patch: patch) }

    func read(_ segment: Segment, as type: ColumnType) throws -> ColumnArray {
        guard case .stored(let id, _) = segment.content else { return try decode(segment, as: type) }
        return try store(of: id).read(segment, as: type)
    }

    func willRead(_ segment: Segment) {
        guard case .stored(let id, _) = segment.content else { return }
        store(of: id).willRead(segment)
    }

    func willRead(column id: SegmentID, segmentCount: Int) {
        store(of: id).willRead(column: id, segmentCount: segmentCount)
    }
}
