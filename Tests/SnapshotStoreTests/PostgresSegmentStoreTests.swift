import Columns
import RealmModel
import TestStores
import Testing

@testable import SnapshotStore

@Suite struct PostgresSegmentStoreTests {
    let fixture: StoreFixture
    init() throws { fixture = try StoreFixture() }

    @Test(arguments: [[], [0], [1], [3, 0, 5 << 20, 1], Array(repeating: 100_000, count: 90)] as [[Int]])
    func `gives back segments as they were, before and after they are written`(_ sizes: [Int]) throws {
        let draft = try fixture.store.snapshots.beginDraft(of: "alice", in: "shop")
        let segments = sizes.enumerated().map {
            [UInt8](repeating: UInt8(truncatingIfNeeded: $0.offset), count: $0.element)
        }
        let ids = try segments.map { try draft.store.write(segment: $0) }
        #expect(ids.map(\.ordinal) == (0..<Int32(sizes.count)).map { $0 })
        for (id, bytes) in zip(ids, segments) { #expect(try draft.store.read(segment: id) == bytes) }
        try draft.store.flush()
        for (id, bytes) in zip(ids, segments) { #expect(try draft.store.read(segment: id) == bytes) }
        #expect(try fixture.count("segment") == sizes.count)
    }

    @Test func `keeps columns with the segments that they name`() throws {
        let draft = try fixture.store.snapshots.beginDraft(of: "alice", in: "shop")
        let segment = try draft.store.write(segment: [1, 2, 3])
        let column = [
            Segment(rowCount: 3, nullCount: 1, content: .stored(segment, storedBytes: 3)),
            Segment(repeating: .string("same"), rowCount: 7),
        ]
        let id = try draft.store.write(column: column)
        #expect(try draft.store.read(column: id) == column)
        try draft.store.flush()
        #expect(try draft.store.read(column: id) == column)
        #expect(throws: ColumnError.missing(segment)) { try draft.store.read(column: segment) }
        #expect(throws: ColumnError.missing(id)) { try draft.store.read(segment: id) }
    }

    @Test func `gives back segments that were announced, and says which is missing`() throws {
        let draft = try fixture.store.snapshots.beginDraft(of: "alice", in: "shop")
        let written = try (0..<20).map { number in
            Segment(
                rowCount: 1, nullCount: 0,
                content: .stored(try draft.store.write(segment: [UInt8(number)]), storedBytes: 1))
        }
        try draft.store.flush()
        let missing = SegmentID(batch: draft.store.batch, ordinal: 99)
        for segment in written + [Segment(rowCount: 1, nullCount: 0, content: .stored(missing, storedBytes: 1))] {
            draft.store.willRead(segment)
        }
        for (number, segment) in written.enumerated() {
            guard case .stored(let id, _) = segment.content else { continue }
            #expect(try draft.store.read(segment: id) == [UInt8(number)])
        }
        #expect(throws: ColumnError.missing(missing)) { try draft.store.read(segment: missing) }
    }

    @Test func `reads the small parts of a snapshot once for all readers of the process`() throws {
        let info = try fixture.upload(500)
        func names() throws -> Int {
            let opened = try fixture.store.snapshots.open(info.id)
            return try StoreFixture.names(opened.snapshot, opened.store).count
        }
        #expect(try names() == 500)
        _ = try fixture.pool.withConnection { try $0.execute("DELETE FROM segment") }
        #expect(try names() == 500)
        let elsewhere = SnapshotStore(fixture.pool)
        let opened = try elsewhere.snapshots.open(info.id)
        #expect(throws: ColumnError.self) { try StoreFixture.names(opened.snapshot, opened.store) }
    }

    @Test func `writes nothing where nothing is to be written`() throws {
        let draft = try fixture.store.snapshots.beginDraft(of: "alice", in: "shop")
        let empty = Snapshot(schemaVersion: nil, declared: Schema(), classes: [])
        let info = try draft.commit(empty)
        #expect(info.storedBytes == 0)
        #expect(info.schemaVersion == nil)
        #expect(try fixture.count("segment_batch") == 0)
        #expect(try fixture.store.snapshots.open(info.id).snapshot == empty)
    }

    @Test func `finds waiting rows by number`() {
        var rows = PendingRows<Int>()
        for ordinal in stride(from: Int32(1), to: 40, by: 3) { rows.append(Int(ordinal) * 2, ordinal, bytes: 8) }
        for ordinal in Int32(0)..<45 {
            #expect(rows[ordinal] == (ordinal % 3 == 1 && ordinal < 40 ? Int(ordinal) * 2 : nil))
        }
    }
}
