import Foundation
import Synchronization
import Testing

@testable import MigrationAPI

struct SlotsTests {
    @Test func `no more than the number are taken at once`() {
        let slots = Slots(2)
        let now = Mutex(0)
        let most = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            guard slots.take(orWhen: { false }) else { return }
            let taken = now.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, taken) }
            usleep(2000)
            now.withLock { $0 -= 1 }
            slots.giveBack()
        }
        #expect(most.withLock { $0 } <= 2)
        #expect(now.withLock { $0 } == 0)
    }

    @Test func `one who is told to stop gets none`() {
        let slots = Slots(1)
        #expect(slots.take(orWhen: { true }))
        #expect(!slots.take(orWhen: { true }))
        slots.giveBack()
        #expect(slots.take(orWhen: { true }))
    }
}
