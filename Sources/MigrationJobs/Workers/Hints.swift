import Threads

/// Hints that there may be work, for threads that otherwise look from time to time.
final class Hints: Sendable {
    private struct State {
        var count = 0
        var isOver = false
    }

    private let state = Monitor(State())
    private let capacity: Int

    /// - Parameter capacity: the threads that wait at most; more hints tell them nothing, since who is busy looks again
    ///   before it waits.
    init(capacity: Int) { self.capacity = capacity }

    /// Wakes one thread, or the next that comes.
    func give() { state.change(waking: .one) { $0.count = min($0.count + 1, capacity) } }

    /// Wakes all threads for good.
    func end() { state.change { $0.isOver = true } }

    /// Waits for a hint and takes it.
    func wait(timeout: Duration) {
        _ = state.wait(timeout: timeout) { state -> Void? in
            guard state.count > 0 || state.isOver else { return nil }
            state.count = max(state.count - 1, 0)
            return ()
        }
    }
}
