import Columns

/// Scratch space of a host: segments that the parent keeps apart from those of realms, until the task ends.
public final class PipeScratchStore: SegmentStore {
    private let pipe: PipeSegmentStore

    /// Scratch space beside the store of a task, which is of no use after that one's `finish`.
    public init(_ pipe: PipeSegmentStore) {
        self.pipe = pipe
    }

    /// Hands a segment to the parent.
    public func write(segment bytes: [UInt8]) throws -> SegmentID { try pipe.write(scratch: bytes) }

    /// Asks the parent for a segment.
    public func read(segment id: SegmentID) throws -> [UInt8] { try pipe.read(segment: id) }

    /// Refuses: scratch space has segments alone.
    public func write(column segments: [Segment]) throws -> SegmentID {
        throw ColumnError.damaged(what: "a column in scratch space", offset: 0)
    }

    /// Refuses: scratch space has segments alone.
    public func read(column id: SegmentID) throws -> [Segment] { throw ColumnError.missing(id) }
}
