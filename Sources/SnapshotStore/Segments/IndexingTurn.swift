import Threads

/// Lets one thread of the process make an index of primary keys at a time: it takes some MiB, and many may look up at once.
final class IndexingTurn: Sendable {
    private let isTaken = Mutex(false)

    /// Runs a body unless another is being run.
    ///
    /// - Returns: whether it was run.
    func ifFree(_ body: () throws -> Void) rethrows -> Bool {
        guard take() else { return false }
        defer { giveBack() }
        try body()
        return true
    }

    /// Runs a body on a thread of its own, for which nobody waits, unless another is being run.
    func inBackgroundIfFree(_ body: @escaping @Sendable () -> Void) {
        guard take() else { return }
        PlainThread.start("index", stackBytes: 1 << 20) { [self] in
            body()
            giveBack()
        }
    }

    private func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    private func giveBack() { isTaken.withLock { $0 = false } }
}
