import Foundation

/// Plain threads that are started when work waits, up to a number, and end when idle.
final class WorkerPool: @unchecked Sendable {
    // What changes is read and written under `condition`.
    private let limit: Int
    private let queueLimit: Int
    private let name: String
    private let condition = NSCondition()
    private var queue: [@Sendable () -> Void] = []
    private var queueStart = 0
    private var threads = 0
    private var idle = 0

    /// How long a thread waits for work before it ends.
    private static let idleSeconds = 10.0

    /// A pool without threads.
    ///
    /// - Parameters:
    ///   - limit: threads at most.
    ///   - queueLimit: pieces of work that may wait for a thread.
    init(name: String, limit: Int, queueLimit: Int) {
        self.name = name
        self.limit = limit
        self.queueLimit = queueLimit
    }

    /// Runs work on a thread of the pool, later where all are busy.
    ///
    /// - Returns: false where too much work waits already.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let waiting = queue.count - queueStart
        guard waiting < queueLimit else { return false }
        queue.append(work)
        if idle > waiting {
            condition.signal()
        } else if threads < limit {
            startThread()
        }
        return true
    }

    private func startThread() {
        threads += 1
        let thread = Thread { [self] in work() }
        thread.name = name
        thread.stackSize = 1 << 20
        thread.start()
    }

    private func work() {
        while let next = take() { next() }
    }

    private func take() -> (@Sendable () -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: Self.idleSeconds)
        while queueStart == queue.count {
            idle += 1
            let isSignalled = condition.wait(until: deadline)
            idle -= 1
            if !isSignalled && queueStart == queue.count {
                threads -= 1
                return nil
            }
        }
        let work = queue[queueStart]
        queueStart += 1
        // What was taken is let go in runs, so that taking stays cheap and the queue short.
        if queueStart == queue.count || queueStart >= 256 {
            queue.removeFirst(queueStart)
            queueStart = 0
        }
        return work
    }
}
