import Foundation
import Testing
import Threads

@Suite struct MonitorTests {
    @Test func `hands out each thing once, however many threads wait`() {
        let things = Monitor<[Int]>([])
        let taken = Mutex<[Int]>([])
        let threads = ThreadGroup()
        for number in 0..<8 {
            threads.start("taker-\(number)") {
                while true {
                    let thing = things.wait { $0.popLast() }
                    guard thing >= 0 else { return }
                    taken.withLock { $0.append(thing) }
                }
            }
        }
        for thing in 0..<1000 { things.change(waking: .one) { $0.append(thing) } }
        for _ in 0..<8 { things.change(waking: .one) { $0.insert(-1, at: 0) } }
        #expect(threads.wait(timeout: .seconds(30)))
        #expect(taken.withLock { $0.sorted() } == Array(0..<1000))
    }

    @Test func `wakes all who wait for a change`() {
        let isOver = Monitor(false)
        let threads = ThreadGroup()
        for number in 0..<20 { threads.start("\(number)") { isOver.wait { $0 ? () : nil } } }
        #expect(!threads.wait(timeout: .milliseconds(20)))
        isOver.change { $0 = true }
        #expect(threads.wait(timeout: .seconds(30)))
    }

    @Test(arguments: [Duration.zero, .milliseconds(30), .milliseconds(-5)])
    func `waits no shorter than it is told, and says that the time is over`(timeout: Duration) {
        let monitor = Monitor(0)
        let start = ContinuousClock.now
        #expect(monitor.wait(timeout: timeout) { $0 == 1 ? "one" : nil } == nil)
        #expect(ContinuousClock.now - start >= timeout)
    }

    @Test(arguments: [Duration.seconds(1e15), .seconds(Int64.max)])
    func `takes times that no clock reaches`(timeout: Duration) {
        let monitor = Monitor(0)
        let threads = ThreadGroup()
        threads.start("waiter") { monitor.wait(timeout: timeout) { $0 == 1 } }
        monitor.change { $0 = 1 }
        #expect(threads.wait(timeout: .seconds(30)))
    }

    @Test func `looks once more when the time is over`() {
        let monitor = Monitor(0)
        var looks = 0
        #expect(
            monitor.wait(timeout: .zero) { _ -> Bool? in
                looks += 1
                return looks == 2 ? true : nil
            } == true)
    }

    @Test func `lets what a body throws out, and the lock go`() {
        struct Stop: Error {}
        let monitor = Monitor(0)
        #expect(throws: Stop.self) { try monitor.change { _ in throw Stop() } }
        #expect(throws: Stop.self) { try monitor.wait { _ -> Int? in throw Stop() } }
        #expect(monitor.withLock { $0 } == 0)
    }
}
