import RealmModel

/// Where the lines of a text begin.
struct LineTable {
    /// Offsets in bytes, ascending from 0.
    private let starts: [Int]

    /// - Parameter text: its lines end as Swift's do: with LF, CR, or both.
    init(_ text: String) {
        var starts = [0]
        var last: UInt8 = 0
        for (offset, byte) in text.utf8.enumerated() {
            if byte == UInt8(ascii: "\n") {
                // Behind a CR it is the end of the same line.
                if last == UInt8(ascii: "\r") { starts.removeLast() }
                starts.append(offset + 1)
            } else if byte == UInt8(ascii: "\r") {
                starts.append(offset + 1)
            }
            last = byte
        }
        self.starts = starts
    }

    /// The place of a byte, both numbers from 1; columns count bytes, as the compiler's do.
    func place(of offset: Int) -> (line: Int, column: Int) {
        let line = max(starts.partitioningIndex { $0 > offset }, 1)
        return (line, offset - starts[line - 1] + 1)
    }
}
