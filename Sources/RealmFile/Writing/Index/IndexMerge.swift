/// Merges sorted runs.
final class IndexMerge {
    /// The runs that have entries left, as a heap: none comes before the one at half its place.
    private var cursors: [IndexCursor] = []
    /// Whether the first cursor's entry has been handed out.
    private var isTaken = false

    init(_ cursors: [IndexCursor]) {
        self.cursors = cursors.filter { $0.entry != nil }
        for place in self.cursors.indices.reversed() { sink(place) }
    }

    /// The next entry and the run that has its bytes, good until the one after it; nil after the last.
    func next() throws -> (entry: IndexRun.Entry, run: IndexRun)? {
        if isTaken { try advance() }
        guard let first = cursors.first, let entry = first.entry else { return nil }
        isTaken = true
        return (entry, first.run)
    }

    private func advance() throws {
        isTaken = false
        try cursors[0].advance()
        if cursors[0].entry == nil {
            cursors.swapAt(0, cursors.count - 1)
            cursors.removeLast()
        }
        sink(0)
    }

    /// Moves a cursor behind those that come before it.
    private func sink(_ start: Int) {
        var place = start
        while 2 * place + 1 < cursors.count {
            var child = 2 * place + 1
            if child + 1 < cursors.count, precedes(child + 1, child) { child += 1 }
            guard precedes(child, place) else { return }
            cursors.swapAt(place, child)
            place = child
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (cursors[left], cursors[right])
        guard let entry = left.entry, let other = right.entry else { return false }
        return IndexRun.precedes(entry, of: left.run, other, of: right.run)
    }
}
