import Columns

/// The store that a host sees: every segment is asked of the parent and given to it, none is kept here.
final class PipeSegmentStore: SegmentStore {
    private let channel: HostChannel

    init(channel: HostChannel) {
        self.channel = channel
    }

    func write(segment bytes: [UInt8]) throws -> SegmentID {
        try identifier(channel.ask(Frame(.writeSegment, bytes), expecting: .identifier))
    }

    func write(column segments: [Segment]) throws -> SegmentID {
        let bytes = SnapshotCoding.encode(column: segments)
        return try identifier(channel.ask(Frame(.writeColumn, bytes), expecting: .identifier))
    }

    func read(segment id: SegmentID) throws -> [UInt8] {
        try channel.ask(Frame(.readSegment, bytes(of: id)), expecting: .bytes)
    }

    func read(column id: SegmentID) throws -> [Segment] {
        try SnapshotCoding.decodeColumn(try channel.ask(Frame(.readColumn, bytes(of: id)), expecting: .bytes))
    }

    private func bytes(of id: SegmentID) -> [UInt8] {
        var writer = ByteWriter()
        SnapshotCoding.encode(id, into: &writer)
        return writer.bytes
    }

    private func identifier(_ bytes: [UInt8]) throws -> SegmentID {
        var reader = ByteReader(bytes)
        return try SnapshotCoding.decodeID(from: &reader)
    }
}
