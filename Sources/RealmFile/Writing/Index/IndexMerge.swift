/// Merges sorted runs.
final class IndexMerge {
    private let cursors: [IndexCursor]
    private var smallest: IndexCursor?

    init(_ cursors: [IndexCursor]) {
        self.cursors = cursors
    }

    /// The next entry and the run that has its bytes, good until the one after it; nil after the last.
    func next() throws -> (entry: IndexRun.Entry, run: IndexRun)? {
        try smallest?.advance()
        smallest = nil
        var found: IndexRun.Entry?
        for cursor in cursors {
            guard let entry = cursor.entry else { continue }
            if let found, let smallest, !IndexRun.precedes(entry, of: cursor.run, found, of: smallest.run) { continue }
            (found, smallest) = (entry, cursor)
        }
        guard let found, let smallest else { return nil }
        return (found, smallest.run)
    }
}
