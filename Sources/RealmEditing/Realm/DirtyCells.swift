/// The changed cells of a realm that is edited, written back to the store, oldest first, where they take more memory than they may.
final class DirtyCells {
    private let byteLimit: Int
    private var queue: [(column: WorkingColumn, group: Int, byteCount: Int)] = []
    private var byteCount = 0

    /// - Parameter byteLimit: bytes of changed values that may wait in memory.
    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Notes that cells of a column now take memory, and makes room where that is too much.
    func add(_ column: WorkingColumn, group: Int, byteCount added: Int) throws {
        queue.append((column, group, added))
        byteCount += added
        try makeRoom()
    }

    /// Writes cells back where they take more memory than they may.
    func makeRoom() throws {
        guard byteCount > byteLimit else { return }
        try writeBack(to: byteLimit / 2)
    }

    /// Counts memory that cells already noted have grown by; room is made at the next `add` or `makeRoom`.
    func grow(by added: Int) {
        byteCount += added
    }

    private func writeBack(to limit: Int) throws {
        var count = 0
        var freed = 0
        for entry in queue.dropLast() where byteCount - freed > limit {
            count += 1
            // Cells may wait twice, as when a value is set in a row group that was replaced as a whole; those that were
            // noted last are about to be changed and have to stay.
            if let newest = queue.last, entry.column === newest.column, entry.group == newest.group { continue }
            freed += try entry.column.writeBack(group: entry.group)
        }
        queue.removeFirst(count)
        // Errors of the estimates are not carried on: an empty queue takes nothing.
        byteCount = max(queue.reduce(0) { $0 + $1.byteCount }, byteCount - freed)
    }
}
