import Columns
import Postgres
import RealmModel
import TestStores
import Testing
import Threads

@testable import SnapshotStore

/// A store whose segments have their bytes elsewhere.
@Suite struct SegmentBlobsTests {
    let fixture: StoreFixture
    let blobs: MemoryBlobs
    let store: SnapshotStore

    init() throws {
        fixture = try StoreFixture()
        blobs = MemoryBlobs(pool: fixture.pool)
        store = SnapshotStore(fixture.pool, maintenance: MaintenanceLimits(grace: .zero), blobs: blobs)
    }

    private func upload(_ count: Int) throws -> SnapshotInfo {
        let draft = try store.snapshots.beginDraft(of: "alice", in: "shop")
        let snapshot = try StoreFixture.persons(count, into: draft.store)
        try draft.store.flush()
        return try draft.commit(snapshot)
    }

    private func names(_ info: SnapshotInfo, preloads: Bool) throws -> [Value] {
        let opened = try store.snapshots.open(info.id)
        if preloads { try opened.store.preload(opened) }
        return try StoreFixture.names(opened.snapshot, opened.store)
    }

    @Test(arguments: [10, 3000], [false, true])
    func `reads what is elsewhere`(count: Int, preloads: Bool) throws {
        let info = try upload(count)
        #expect(blobs.count > 0)
        #expect(try names(info, preloads: preloads) == (0..<count).map { .string("person \($0)") })
        #expect(info.storedBytes > 0)
    }

    @Test func `reads a batch of one statement from its rows`() throws {
        let draft = try store.snapshots.beginDraft(of: "alice", in: "shop")
        let info = try draft.commit(try StoreFixture.persons(10, into: draft.store))
        #expect(blobs.count == 0)
        #expect(try names(info, preloads: false).count == 10)
    }

    @Test func `removes elsewhere what no snapshot names`() throws {
        let first = try upload(3000)
        let kept = blobs.count
        _ = try upload(3000)
        try store.snapshots.delete(first.id)
        for _ in 0..<2 { try store.maintenance.sweep() }
        #expect(blobs.count == kept)
        try store.realms.delete("alice", in: "shop")
        try store.maintenance.sweep()
        #expect(blobs.count == 0)
        #expect(try fixture.count("segment") == 0)
    }

    @Test func `leaves nothing elsewhere of a write that was not committed`() throws {
        var draft: SnapshotDraft? = try store.snapshots.beginDraft(of: "alice", in: "shop")
        _ = try StoreFixture.persons(3000, into: try #require(draft).store)
        blobs.failAfterPut()
        #expect(throws: MemoryBlobs.Failure.self) { try draft?.store.flush() }
        #expect(blobs.count > 0)
        #expect(try fixture.count("segment") == 0)
        draft = nil
        try store.maintenance.sweep()
        #expect(blobs.count == 0)
        #expect(try fixture.count("segment_batch") == 0)
    }
}

/// Keeps bytes in memory and their rows, without bytes, in PostgreSQL.
final class MemoryBlobs: SegmentBlobs {
    struct Failure: Error {}

    private let rows: PostgresSegmentBlobs
    private let bytes = Mutex<[SegmentID: [UInt8]]>([:])
    private let fails = Mutex(false)

    init(pool: PostgresPool) { rows = PostgresSegmentBlobs(pool: pool) }

    var count: Int { bytes.withLock { $0.count } }

    func failAfterPut() { fails.withLock { $0 = true } }

    func put(
        _ segments: [(ordinal: Int32, content: [UInt8])], of batch: BatchID, in appID: RealmModel.UUID,
        _ connection: PostgresConnection
    ) throws {
        bytes.withLock { bytes in
            for segment in segments { bytes[SegmentID(batch: batch, ordinal: segment.ordinal)] = segment.content }
        }
        guard !fails.withLock({ $0 }) else { throw Failure() }
        try connection.execute(
            """
            INSERT INTO segment (app_id, batch_id, ordinal, stored_bytes)
            SELECT \(appID), \(batch), ordinal, stored_bytes
            FROM unnest(\(PostgresArray(segments.map(\.ordinal))), \(PostgresArray(segments.map(\.content.count))))
                AS new (ordinal, stored_bytes)
            """)
    }

    func get(_ ids: [SegmentID], in appID: RealmModel.UUID) throws -> [SegmentID: [UInt8]] {
        let here = bytes.withLock { bytes in bytes.filter { ids.contains($0.key) } }
        let stored = try rows.get(ids.filter { here[$0] == nil }, in: appID)
        return here.merging(stored) { here, _ in here }
    }

    func remove(
        _ ordinals: [Int32], of batch: BatchID, in appID: RealmModel.UUID, _ connection: PostgresConnection
    ) throws {
        bytes.withLock { bytes in for ordinal in ordinals { bytes[SegmentID(batch: batch, ordinal: ordinal)] = nil } }
        try rows.remove(ordinals, of: batch, in: appID, connection)
    }

    func remove(
        atMost limit: Int, of batch: BatchID, in appID: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> Int {
        bytes.withLock { bytes in bytes = bytes.filter { $0.key.batch != batch } }
        return try rows.remove(atMost: limit, of: batch, in: appID, connection)
    }
}
