import Columns
import RealmModel
import StoreCore
import TestStores
import Testing

@testable import SnapshotStore

@Suite struct RecentlyReadTests {
    private let app = RealmModel.UUID.version7()

    private static func id(_ number: Int) -> SegmentID {
        SegmentID(batch: BatchID(high: 1, low: 2), ordinal: Int32(number))
    }

    @Test func `gives what was noted, to its app alone`() {
        let recent = RecentlyRead.bytes()
        recent.note([1], of: Self.id(1), in: app)
        #expect(recent[Self.id(1), in: app] == [1])
        #expect(recent[Self.id(2), in: app] == nil)
        #expect(recent[Self.id(1), in: .version7()] == nil)
    }

    @Test func `keeps nothing that is large`() {
        let recent = RecentlyRead.bytes()
        recent.note([UInt8](repeating: 1, count: recent.entryLimit), of: Self.id(1), in: app)
        recent.note([UInt8](repeating: 2, count: recent.entryLimit + 1), of: Self.id(2), in: app)
        #expect(recent[Self.id(1), in: app] != nil)
        #expect(recent[Self.id(2), in: app] == nil)
    }

    @Test func `lets go of what nobody asked for longest`() {
        let recent = RecentlyRead.bytes()
        let count = recent.byteLimit / recent.entryLimit + 1
        for number in 0..<count {
            let bytes = [UInt8](repeating: UInt8(number & 255), count: recent.entryLimit)
            recent.note(bytes, of: Self.id(number), in: app)
            #expect(recent[Self.id(0), in: app]?.first == 0)
        }
        let kept = (0..<count).filter { recent[Self.id($0), in: app] != nil }
        #expect(kept.first == 0 && kept.last == count - 1)
        #expect(kept.count < count * 3 / 4)
    }

    @Test(arguments: [false, true])
    func `keeps what look-ups decoded, and no other reader`(looksUpObjects: Bool) throws {
        let fixture = try StoreFixture()
        let info = try fixture.upload()
        let array = ColumnArray(
            count: 4096, values: .int((0..<4096).map { _ in .random(in: .min ... .max) }))
        let draft = try fixture.store.snapshots.beginDraft(of: "alice", in: "shop")
        let segment = try draft.store.write(array)
        try draft.store.flush()
        func read() throws -> ColumnArray {
            let reader = try fixture.store.snapshots.open(info.id).store
            reader.looksUpObjects = looksUpObjects
            return try reader.read(segment, as: ColumnType(.int))
        }
        #expect(try read() == array)
        _ = try fixture.pool.withConnection { try $0.execute("DELETE FROM segment") }
        if looksUpObjects {
            #expect(try read() == array)
        } else {
            #expect(throws: ColumnError.self) { try read() }
        }
    }
}
