import Columns

/// Values of one column of a table for the rows of a row group, as a database takes them.
struct CellColumn {
    var count: Int
    /// Set bits are rows with a value; nil where no row is null.
    var validity: Bitmap?
    var cells: Cells

    /// The cells by type; row `i` of text and bytes is `offsets[i]..<offsets[i + 1]`.
    enum Cells {
        case integer([Int64])
        case real([Double])
        case text(offsets: [Int32], bytes: [UInt8])
        case blob(offsets: [Int32], bytes: [UInt8])
    }

    /// Bytes of memory, near enough for a budget.
    var byteCount: Int {
        switch cells {
        case .integer(let cells): cells.count * 8
        case .real(let cells): cells.count * 8
        case .text(let offsets, let bytes), .blob(let offsets, let bytes): offsets.count * 4 + bytes.count
        }
    }

    /// Whether a row is null.
    func isNull(_ row: Int) -> Bool { validity.map { !$0[row] } ?? false }
}

/// Texts that are put together row by row.
struct TextCells {
    private(set) var offsets: [Int32] = [0]
    private var bytes: [UInt8] = []

    init(capacity: Int, bytesEach: Int) {
        offsets.reserveCapacity(capacity + 1)
        bytes.reserveCapacity(capacity * bytesEach)
    }

    /// Ends a row with what the body appends.
    mutating func append(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&bytes)
        guard let end = Int32(exactly: bytes.count) else { throw ColumnError.rowGroupTooLarge }
        offsets.append(end)
    }

    /// The text of the last row.
    var last: ArraySlice<UInt8> { offsets.count < 2 ? [] : bytes[Int(offsets[offsets.count - 2])...] }

    /// Leaves nothing of the last row's text.
    mutating func emptyLast() { replaceLast(by: []) }

    /// Gives the last row another text, of no more bytes than 31 bits count.
    mutating func replaceLast(by text: [UInt8]) {
        guard offsets.count > 1 else { return }
        bytes.replaceSubrange(Int(offsets[offsets.count - 2])..., with: text)
        offsets[offsets.count - 1] = Int32(bytes.count)
    }

    var text: CellColumn.Cells { .text(offsets: offsets, bytes: bytes) }
}
