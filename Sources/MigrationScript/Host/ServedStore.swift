import Columns
import RealmModel

/// The part of a store that one host may see: what its source snapshot reaches, and what it has written itself.
///
/// A host runs code of a stranger. Even one that has broken out of its language must not read another realm's
/// segments, nor name them in what it hands back.
final class ServedStore {
    /// A host named a segment that is none of its business.
    struct Refused: Error {
        let id: SegmentID
    }

    private let store: any SegmentStore
    private var segments: Set<SegmentID> = []
    private var columns: Set<SegmentID> = []

    /// Serves what a snapshot reaches; nothing to begin with where there is none.
    init(_ store: any SegmentStore, source: Snapshot?) {
        self.store = store
        for stored in source?.classes ?? [] {
            if let rowGroups = stored.rowGroups { segments.insert(rowGroups) }
            for case .segments(let id) in [stored.keys] + stored.columns { columns.insert(id) }
        }
    }

    /// The answer to a host's question; nil where the frame is none.
    func answer(_ frame: Frame) throws -> Frame? {
        switch frame.kind {
        case .readSegment: Frame(.bytes, try store.read(segment: try known(segments, in: frame)))
        case .readColumn: Frame(.bytes, try readColumn(try known(columns, in: frame)))
        case .writeSegment: identifier(keep(try store.write(segment: frame.payload), in: &segments))
        case .writeColumn: identifier(try writeColumn(SnapshotCoding.decodeColumn(frame.payload)))
        default: nil
        }
    }

    /// Checks that a snapshot from a host names nothing but what it may.
    func check(_ snapshot: Snapshot) throws {
        for stored in snapshot.classes {
            if let rowGroups = stored.rowGroups { try check(rowGroups, in: segments) }
            for case .segments(let id) in [stored.keys] + stored.columns { try check(id, in: columns) }
        }
    }

    private func readColumn(_ id: SegmentID) throws -> [UInt8] {
        let read = try store.read(column: id)
        for case .stored(let id, _) in read.map(\.content) { segments.insert(id) }
        return SnapshotCoding.encode(column: read)
    }

    private func writeColumn(_ written: [Segment]) throws -> SegmentID {
        for case .stored(let id, _) in written.map(\.content) { try check(id, in: segments) }
        return keep(try store.write(column: written), in: &columns)
    }

    private func known(_ served: Set<SegmentID>, in frame: Frame) throws -> SegmentID {
        var reader = ByteReader(frame.payload)
        let id = try SnapshotCoding.decodeID(from: &reader)
        try check(id, in: served)
        return id
    }

    private func check(_ id: SegmentID, in served: Set<SegmentID>) throws {
        guard served.contains(id) else { throw Refused(id: id) }
    }

    private func keep(_ id: SegmentID, in served: inout Set<SegmentID>) -> SegmentID {
        served.insert(id)
        return id
    }

    private func identifier(_ id: SegmentID) -> Frame {
        var writer = ByteWriter()
        SnapshotCoding.encode(id, into: &writer)
        return Frame(.identifier, writer.bytes)
    }
}
