import Threads

/// Plain threads that are started when work waits, up to a number, and end when idle.
final class WorkerPool: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        var queue: [(work: Work, since: ContinuousClock.Instant)] = []
        var queueStart = 0
        var threads = 0
        var idle = 0

        mutating func next() -> Work? {
            guard queueStart < queue.count else { return nil }
            let work = queue[queueStart].work
            queueStart += 1
            // What was taken is let go in runs, so that taking stays cheap and the queue short.
            if queueStart == queue.count || queueStart >= 256 {
                queue.removeFirst(queueStart)
                queueStart = 0
            }
            return work
        }
    }

    private let limit: Int
    private let queueLimit: Int
    private let name: String
    private let state = Monitor(State())

    /// How long a thread waits for work before it ends.
    private static let idleTime = Duration.seconds(10)

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
    func submit(_ work: @escaping Work) -> Bool {
        let (isTaken, startsThread) = state.change(waking: .one) { state in
            let waiting = state.queue.count - state.queueStart
            guard waiting < queueLimit else { return (false, false) }
            state.queue.append((work, .now))
            guard state.idle <= waiting, state.threads < limit else { return (true, false) }
            state.threads += 1
            return (true, true)
        }
        if startsThread { startThread() }
        return isTaken
    }

    /// How long the work has waited that is next; zero where none waits.
    var longestWait: Duration {
        state.withLock { state in
            state.queueStart < state.queue.count ? ContinuousClock.now - state.queue[state.queueStart].since : .zero
        }
    }

    private func startThread() {
        PlainThread.start(name, stackBytes: 1 << 20) { [self] in work() }
    }

    private func work() {
        while let next = take() { next() }
    }

    /// The work that waits longest, after a wait where there is none; nil at the end of the thread.
    private func take() -> Work? {
        let waiting = state.withLock { state -> Work? in
            if let work = state.next() { return work }
            state.idle += 1
            return nil
        }
        if let waiting { return waiting }
        let arrived = state.wait(timeout: Self.idleTime) { state -> Work? in
            guard let work = state.next() else { return nil }
            state.idle -= 1
            return work
        }
        if let arrived { return arrived }
        return state.withLock { state in
            state.idle -= 1
            let work = state.next()
            if work == nil { state.threads -= 1 }
            return work
        }
    }
}
