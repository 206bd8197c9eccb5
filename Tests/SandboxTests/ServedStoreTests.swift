import Columns
import RealmModel
import Testing

@testable import Sandbox

/// A host reaches what its task concerns and what it has written, by names of its own.
@Suite struct ServedStoreTests {
    private let store = MemorySegmentStore()

    private func own(_ ordinal: Int32) -> SegmentID { SegmentID(batch: .host, ordinal: ordinal) }

    private func question(_ kind: Frame.Kind, _ id: SegmentID) -> Frame {
        var writer = ByteWriter()
        SnapshotCoding.encode(id, into: &writer)
        return Frame(kind, writer.bytes)
    }

    private func column(of ids: [SegmentID]) -> [UInt8] {
        let segments = ids.map { Segment(rowCount: 1, nullCount: 0, content: .stored($0, storedBytes: 1 << 40)) }
        return SnapshotCoding.encode(column: segments)
    }

    private func snapshot(columns: [Column]) -> Snapshot {
        let schema = ObjectSchema("A", properties: [Property("n", .int)])
        var stored = StoredClass(empty: schema)
        stored.columns = columns
        return Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: [stored])
    }

    @Test func `knows what a host has written by the host's numbers`() throws {
        _ = try store.write(segment: [9])
        let served = ServedStore(store, source: nil)
        try served.keep(segment: [1, 2, 3])
        #expect(try served.answer(question(.readSegment, own(0))).payload == [1, 2, 3])
        try served.keep(column: column(of: [own(0)]))

        let named = try served.named(snapshot(columns: [.segments(own(1))]))
        guard case .segments(let id) = try #require(named.classes.first?.columns.first) else {
            Issue.record("no column")
            return
        }
        // The size is what the store was given, whatever the host says.
        let segments = try store.read(column: id)
        guard case .stored(let segment, storedBytes: 3) = try #require(segments.first).content else {
            Issue.record("another size")
            return
        }
        #expect(try store.read(segment: segment) == [1, 2, 3])
    }

    @Test func `refuses names that are none of the host's`() throws {
        let foreign = try store.write(segment: [1])
        let foreignColumn = try store.write(column: [Segment(repeating: .null, rowCount: 1)])
        let served = ServedStore(store, source: nil)
        try served.keep(segment: [1])
        try served.keep(column: column(of: []))
        for id in [foreign, own(1), own(2), own(-1)] {
            #expect(throws: ServedStore.Refused.self) { try served.answer(question(.readSegment, id)) }
            #expect(throws: ServedStore.Refused.self) { try served.keep(column: column(of: [id])) }
        }
        for id in [foreignColumn, own(0), own(2), own(.max)] {
            #expect(throws: ServedStore.Refused.self) { try served.answer(question(.readColumn, id)) }
            #expect(throws: ServedStore.Refused.self) { try served.named(snapshot(columns: [.segments(id)])) }
        }
    }

    @Test func `keeps scratch space apart from the realm`() throws {
        let scratch = MemorySegmentStore()
        let served = ServedStore(store, source: nil, scratch: { scratch })
        try served.keep(segment: [1])
        try served.keep(scratch: [2, 3])
        try served.keep(segment: [4])
        #expect(try (0..<3).map { try served.answer(question(.readSegment, own($0))).payload } == [[1], [2, 3], [4]])
        #expect(store.storedBytes == 2)
        #expect(scratch.storedBytes == 2)
        #expect(throws: ServedStore.Refused.self) { try served.answer(question(.readColumn, own(1))) }
        #expect(throws: ServedStore.Refused.self) { try served.keep(column: column(of: [own(1)])) }
        #expect(throws: ServedStore.Refused.self) { try served.named(snapshot(columns: [.segments(own(1))])) }
    }

    @Test func `has no scratch space unless it is given some`() throws {
        let served = ServedStore(store, source: nil)
        #expect(throws: HostFailure.crash("it has no scratch space")) { try served.keep(scratch: [1]) }
    }

    @Test func `takes no more writes than any migration needs`() throws {
        let served = ServedStore(store, source: nil, writeLimit: 2)
        try served.keep(segment: [1])
        try served.keep(column: column(of: []))
        #expect(throws: HostFailure.crash("it wrote more than 2 segments")) {
            try served.keep(segment: [1])
        }
    }

    @Test func `reads what the source snapshot reaches`() throws {
        let segment = try store.write(segment: [7])
        let column = try store.write(
            column: [Segment(rowCount: 1, nullCount: 0, content: .stored(segment, storedBytes: 1))])
        let served = ServedStore(store, source: snapshot(columns: [.segments(column)]))
        #expect(throws: ServedStore.Refused.self) { try served.answer(question(.readSegment, segment)) }
        _ = try served.answer(question(.readColumn, column))
        #expect(try served.answer(question(.readSegment, segment)).payload == [7])
        #expect(try served.named(snapshot(columns: [.segments(column)])) == snapshot(columns: [.segments(column)]))
    }
}
