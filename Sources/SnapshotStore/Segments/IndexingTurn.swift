import Threads

/// Lets one thread of the process make an index of primary keys at a time: it takes some MiB, and many may look up at once.
final class IndexingTurn: Sendable {
    private let isTaken = Mutex(false)

    /// Runs a body unless another is being run.
    ///
    /// - Returns: whether it was run.
    func ifFree(_ body: () throws -> Void) rethrows -> Bool {
        let isMine = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isMine else { return false }
        defer { isTaken.withLock { $0 = false } }
        try body()
        return true
    }
}
