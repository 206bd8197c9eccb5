import Foundation
import RealmModel
import Testing
import Threads

@testable import MigrationAPI

struct SlotsTests {
    @Test func `no more than the number have their turn, the others in the order that they came`() {
        let slots = Slots(2)
        let woken = Mutex<[Int]>([])
        var turns = (0..<6).map { number in slots.turn { woken.withLock { $0.append(number) } } }
        #expect(turns.map(\.hasCome) == [true, true, false, false, false, false])
        turns[1].end()
        turns[1].end()
        #expect(turns.map(\.hasCome) == [true, false, true, false, false, false])
        turns.removeFirst()
        #expect(turns.map(\.hasCome) == [false, true, true, false, false])
        #expect(woken.withLock { $0 } == [2, 3])
    }

    @Test func `a place goes to the key that has the fewest`() {
        let slots = Slots(2)
        let keys = [0, 1].map { RealmModel.UUID(bytes: [UInt8](repeating: $0, count: 16)) }
        let turns = [0, 0, 0, 0, 1, 1].map { slots.turn(of: keys[$0]) {} }
        turns[0].end()
        #expect(turns.map(\.hasCome) == [false, true, false, false, true, false])
        turns[1].end()
        #expect(turns.map(\.hasCome) == [false, false, true, false, true, false])
        turns[2].end()
        #expect(turns.map(\.hasCome) == [false, false, false, true, true, false])
        turns[4].end()
        #expect(turns.map(\.hasCome) == [false, false, false, true, false, true])
    }

    @Test func `spare places are for keys that have none`() {
        let slots = Slots(2, spare: 1)
        let keys = [0, 1, 2].map { RealmModel.UUID(bytes: [UInt8](repeating: $0, count: 16)) }
        let turns = [0, 0, 0, 1, 1, 2].map { slots.turn(of: keys[$0]) {} }
        #expect(turns.map(\.hasCome) == [true, true, false, true, false, false])
        turns[0].end()
        #expect(turns.map(\.hasCome) == [false, true, false, true, false, true])
        turns[3].end()
        #expect(turns.map(\.hasCome) == [false, true, false, false, true, true])
    }

    @Test func `half of the spare places are for parts of a key that have none`() {
        let slots = Slots(4, spare: 4)
        let ids = (0..<20).map { RealmModel.UUID(bytes: [UInt8](repeating: $0, count: 16)) }
        // A part has all, and four others of the key come: two of them have their turn, and another key has, too.
        let first = (0..<5).map { _ in slots.turn(of: ids[0], part: ids[1]) {} }
        #expect(first.map(\.hasCome) == [true, true, true, true, false])
        let parts = (2..<6).map { slots.turn(of: ids[0], part: ids[$0]) {} }
        #expect(parts.map(\.hasCome) == [true, true, false, false])
        let others = (6..<9).map { slots.turn(of: ids[$0], part: ids[$0]) {} }
        #expect(others.map(\.hasCome) == [true, true, false])
        parts[0].end()
        #expect(others[2].hasCome && !parts[2].hasCome)
        for other in others { other.end() }
        #expect(parts.map(\.hasCome) == [false, true, true, false] && !first[4].hasCome)
    }

    @Test func `a turn has as many places as it asks for, and waits before those that ask for fewer`() {
        let slots = Slots(4)
        let turns = [3, 2, 1, 9, 1].map { slots.turn(places: $0) {} }
        #expect(turns.map(\.hasCome) == [true, false, false, false, false])
        turns[0].end()
        #expect(turns.map(\.hasCome) == [false, true, true, false, false])
        turns[1].end()
        #expect(turns.map(\.hasCome) == [false, false, true, false, false])
        turns[2].end()
        #expect(turns.map(\.hasCome) == [false, false, false, true, false])
        turns[3].end()
        #expect(turns.map(\.hasCome) == [false, false, false, false, true])
    }

    @Test func `who leaves the line lets those behind have free places`() {
        let slots = Slots(4)
        let first = slots.turn(places: 3) {}
        let woken = Mutex(false)
        var second: Slots.Turn? = slots.turn(places: 2) { Issue.record("left before its turn") }
        let third = slots.turn { woken.withLock { $0 = true } }
        #expect(first.hasCome && second?.hasCome == false && !third.hasCome)
        second = nil
        #expect(third.hasCome && woken.withLock { $0 })
    }

    @Test func `who leaves the line is passed over`() {
        let slots = Slots(1)
        let first = slots.turn {}
        var second: Slots.Turn? = slots.turn { Issue.record("left before its turn") }
        let third = slots.turn {}
        #expect(second?.hasCome == false)
        second = nil
        first.end()
        #expect(third.hasCome)
        third.end()
        #expect(slots.turn {}.hasCome)
    }

    @Test func `places are neither lost nor doubled by threads that come and go`() {
        let slots = Slots(3)
        let most = Mutex((now: 0, most: 0))
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            let signal = DispatchSemaphore(value: 0)
            let turn = slots.turn { signal.signal() }
            if !turn.hasCome { signal.wait() }
            most.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            usleep(500)
            most.withLock { $0.now -= 1 }
            turn.end()
        }
        #expect(most.withLock { $0.most } <= 3)
        let turns = (0..<4).map { _ in slots.turn {} }
        #expect(turns.map(\.hasCome) == [true, true, true, false])
    }
}
