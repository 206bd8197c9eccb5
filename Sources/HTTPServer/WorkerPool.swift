import Threads

/// Plain threads that are started when work waits, up to a number, and end when idle.
///
/// Clients share them as `WorkerLine` says, so that the work of one that has none begins at once.
final class WorkerPool: Sendable {
    typealias Work = @Sendable (Share) -> Void

    /// Whose work a thread does, for the work itself, on that thread.
    final class Share: @unchecked Sendable {
        private let pool: WorkerPool
        /// Touched by the thread alone.
        fileprivate(set) var client: HTTPClient?

        fileprivate init(_ pool: WorkerPool, _ client: HTTPClient?) { (self.pool, self.client) = (pool, client) }

        /// Has the thread go on for a client, as one of its share; false where the client's work has to be submitted.
        func move(to client: HTTPClient) -> Bool {
            guard pool.state.withLock({ $0.move(from: self.client, to: client) }) else { return false }
            self.client = client
            return true
        }
    }

    private let name: String
    private let state: Monitor<WorkerLine>

    /// How long a thread waits for work before it ends.
    private static let idleTime = Duration.seconds(10)

    /// A pool without threads.
    ///
    /// - Parameters:
    ///   - limit: threads at most.
    ///   - spare: threads beyond those, for clients that have none.
    ///   - queueLimit: pieces of work that may wait for a thread.
    init(name: String, limit: Int, spare: Int = 0, queueLimit: Int) {
        self.name = name
        state = Monitor(WorkerLine(limit: limit, spare: spare, queueLimit: queueLimit))
    }

    /// Runs work on a thread of the pool, later where all are busy that its client may have.
    ///
    /// - Parameter client: whom the work is for; nil for the server's own, which no client's keeps waiting.
    /// - Returns: false where too much work waits already.
    func submit(for client: HTTPClient? = nil, _ work: @escaping Work) -> Bool {
        let (isTaken, startsThread) = state.change(waking: .one) { line in
            guard line.append(work, for: client) else { return (false, false) }
            guard line.begun > line.threads else { return (true, false) }
            line.threads += 1
            return (true, true)
        }
        if startsThread { startThread() }
        return isTaken
    }

    /// How long the work has waited that is next; zero where none waits but behind other work of its own client.
    var longestWait: Duration { state.withLock { line in line.oldest.map { ContinuousClock.now - $0 } ?? .zero } }

    private func startThread() {
        PlainThread.start(name, stackBytes: 8 << 20) { [self] in work() }
    }

    private func work() {
        var done: HTTPClient??
        while let next = take(after: done) {
            let share = Share(self, next.client)
            next.work(share)
            done = .some(share.client)
        }
    }

    /// The work that is next, after a wait where there is none; nil at the end of the thread.
    ///
    /// - Parameter done: whose work the thread has ended; nil for none.
    private func take(after done: HTTPClient??) -> WorkerLine.Piece? {
        let waiting = state.withLock { line -> WorkerLine.Piece? in
            if let done { line.ended(done) }
            return line.next()
        }
        if let waiting { return waiting }
        if let arrived = state.wait(timeout: Self.idleTime, { $0.next() }) { return arrived }
        return state.withLock { line in
            let work = line.next()
            if work == nil { line.threads -= 1 }
            return work
        }
    }
}
