import Columns
import RealmModel
import Testing

@testable import SnapshotStore

@Suite struct RecentBytesTests {
    private let app = RealmModel.UUID.version7()

    private static func id(_ number: Int) -> SegmentID {
        SegmentID(batch: BatchID(high: 1, low: 2), ordinal: Int32(number))
    }

    @Test func `gives what was noted, to its app alone`() {
        let recent = RecentBytes()
        recent.note([1], of: Self.id(1), in: app)
        #expect(recent[Self.id(1), in: app] == [1])
        #expect(recent[Self.id(2), in: app] == nil)
        #expect(recent[Self.id(1), in: .version7()] == nil)
    }

    @Test func `keeps nothing that is large`() {
        let recent = RecentBytes()
        recent.note([UInt8](repeating: 1, count: RecentBytes.entryLimit), of: Self.id(1), in: app)
        recent.note([UInt8](repeating: 2, count: RecentBytes.entryLimit + 1), of: Self.id(2), in: app)
        #expect(recent[Self.id(1), in: app] != nil)
        #expect(recent[Self.id(2), in: app] == nil)
    }

    @Test func `lets go of what nobody asked for longest`() {
        let recent = RecentBytes()
        let count = RecentBytes.byteLimit / RecentBytes.entryLimit + 1
        for number in 0..<count {
            let bytes = [UInt8](repeating: UInt8(number & 255), count: RecentBytes.entryLimit)
            recent.note(bytes, of: Self.id(number), in: app)
            #expect(recent[Self.id(0), in: app]?.first == 0)
        }
        let kept = (0..<count).filter { recent[Self.id($0), in: app] != nil }
        #expect(kept.first == 0 && kept.last == count - 1)
        #expect(kept.count < count * 3 / 4)
    }
}
