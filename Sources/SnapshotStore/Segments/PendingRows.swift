/// Rows that wait in memory to be written together.
struct PendingRows<Content> {
    private(set) var rows: [(ordinal: Int32, content: Content)] = []
    /// Bytes of memory that they take, near enough for a limit.
    private(set) var byteCount = 0

    var isEmpty: Bool { rows.isEmpty }

    mutating func append(_ content: Content, _ ordinal: Int32, bytes: Int) {
        rows.append((ordinal, content))
        byteCount += bytes
    }

    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        byteCount = 0
    }

    /// The row of a number, which ascend; nil where it is not waiting.
    subscript(_ ordinal: Int32) -> Content? {
        var range = 0..<rows.count
        while let first = range.first {
            let middle = first + range.count / 2
            if rows[middle].ordinal == ordinal { return rows[middle].content }
            range = rows[middle].ordinal < ordinal ? middle + 1..<range.upperBound : first..<middle
        }
        return nil
    }
}
