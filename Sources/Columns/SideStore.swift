/// Keeps what is written to it in memory, and has all that another store has besides.
package final class SideStore: SegmentStore {
    private static let batch = BatchID(high: .max, low: .max)
    private let base: any SegmentStore
    private let own = MemorySegmentStore(batch: batch)

    /// Begins with nothing of its own.
    package init(beside base: any SegmentStore) { self.base = base }

    private func store(of id: SegmentID) -> any SegmentStore { id.batch == Self.batch ? own : base }

    /// Keeps the bytes of a segment and names them.
    package func write(segment bytes: [UInt8]) throws -> SegmentID { try own.write(segment: bytes) }
    /// Keeps the list of a column's segments and names it.
    package func write(column segments: [Segment]) throws -> SegmentID { try own.write(column: segments) }
    /// The bytes of a segment of either.
    package func read(segment id: SegmentID) throws -> [UInt8] { try store(of: id).read(segment: id) }
    /// The segments of a column of either.
    package func read(column id: SegmentID) throws -> [Segment] { try store(of: id).read(column: id) }
    /// Reads the directory and the keys of a patch of either.
    package func read(patch: Patch) throws -> PatchReader { try store(of: patch.segment).read(patch: patch) }
    /// Passes it on to who has the patch.
    package func willRead(patch: Patch) { store(of: patch.segment).willRead(patch: patch) }

    /// Reads and decodes a segment of either.
    package func read(_ segment: Segment, as type: ColumnType) throws -> ColumnArray {
        guard case .stored(let id, _) = segment.content else { return try decode(segment, as: type) }
        return try store(of: id).read(segment, as: type)
    }

    /// Passes it on to who has the segment.
    package func willRead(_ segment: Segment) {
        guard case .stored(let id, _) = segment.content else { return }
        store(of: id).willRead(segment)
    }

    /// Passes it on to who has the column.
    package func willRead(column id: SegmentID, segmentCount: Int) {
        store(of: id).willRead(column: id, segmentCount: segmentCount)
    }
}
