/// A store that has nothing and takes nothing, for changes of a snapshot whose segments nobody has read.
public final class UnreadStore: SegmentStore {
    /// Somebody asked for values.
    public struct ValuesNeeded: Error {}

    /// A store.
    public init() {}

    /// Refuses.
    public func write(segment bytes: [UInt8]) throws -> SegmentID { throw ValuesNeeded() }

    /// Refuses.
    public func read(segment id: SegmentID) throws -> [UInt8] { throw ValuesNeeded() }

    /// Refuses.
    public func write(column segments: [Segment]) throws -> SegmentID { throw ValuesNeeded() }

    /// Refuses.
    public func read(column id: SegmentID) throws -> [Segment] { throw ValuesNeeded() }
}
