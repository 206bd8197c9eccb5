import Threads

/// Plain threads that are started when work waits, up to a number, and end when idle.
///
/// The work of one client is on half of the threads at most, and has half of the places in the line, so that another's begins at
/// once; those who have work waiting take turns.
final class WorkerPool: Sendable {
    typealias Work = @Sendable () -> Void

    private let limit: Int
    private let name: String
    private let state: Monitor<WorkerLine>

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
        state = Monitor(WorkerLine(share: max(1, limit / 2), queueLimit: queueLimit))
    }

    /// Runs work on a thread of the pool, later where all are busy that its client may have.
    ///
    /// - Parameter client: whom the work is for; nil for the server's own, which has no share.
    /// - Returns: false where too much work waits already.
    func submit(for client: HTTPClient? = nil, _ work: @escaping Work) -> Bool {
        let (isTaken, startsThread) = state.change(waking: .one) { line in
            let startable = line.startable
            guard line.append(work, for: client) else { return (false, false) }
            guard line.startable > startable, line.idle <= startable, line.threads < limit else { return (true, false) }
            line.threads += 1
            return (true, true)
        }
        if startsThread { startThread() }
        return isTaken
    }

    /// How long the work has waited that is next; zero where none waits but for other work of its own client.
    var longestWait: Duration { state.withLock { line in line.oldest.map { ContinuousClock.now - $0 } ?? .zero } }

    private func startThread() {
        PlainThread.start(name, stackBytes: 1 << 20) { [self] in work() }
    }

    private func work() {
        var done: HTTPClient??
        while let next = take(after: done) {
            next.work()
            done = .some(next.client)
        }
    }

    /// The work that is next, after a wait where there is none; nil at the end of the thread.
    ///
    /// - Parameter done: whose work the thread has ended; nil for none.
    private func take(after done: HTTPClient??) -> WorkerLine.Piece? {
        let waiting = state.withLock { line -> WorkerLine.Piece? in
            if let done { line.ended(done) }
            if let work = line.next() { return work }
            line.idle += 1
            return nil
        }
        if let waiting { return waiting }
        let arrived = state.wait(timeout: Self.idleTime) { line -> WorkerLine.Piece? in
            guard let work = line.next() else { return nil }
            line.idle -= 1
            return work
        }
        if let arrived { return arrived }
        return state.withLock { line in
            line.idle -= 1
            let work = line.next()
            if work == nil { line.threads -= 1 }
            return work
        }
    }
}
