import Columns

/// The cells of a column at addresses that hold while a body runs.
struct PinnedCells {
    enum Content {
        case integer(UnsafePointer<Int64>)
        case real(UnsafePointer<Double>)
        case text(UnsafePointer<Int32>, UnsafePointer<CChar>)
        case blob(UnsafePointer<Int32>, UnsafePointer<CChar>)
    }

    let validity: Bitmap?
    let content: Content

    /// Runs a body with the cells of columns.
    static func with<Result>(
        _ columns: [CellColumn], _ pinned: [PinnedCells] = [], _ body: ([PinnedCells]) throws -> Result
    ) throws -> Result {
        guard pinned.count < columns.count else { return try body(pinned) }
        let column = columns[pinned.count]
        return try column.withContent { content in
            try with(columns, pinned + [PinnedCells(validity: column.validity, content: content)], body)
        }
    }

    /// One cell, as long as the body runs.
    enum Cell {
        case null
        case integer(Int64)
        case real(Double)
        case bytes(UnsafeRawBufferPointer)
    }

    /// The cell of a row.
    @inline(__always)
    func cell(_ row: Int) -> Cell {
        if let validity, !validity[row] { return .null }
        switch content {
        case .integer(let cells): return .integer(cells[row])
        case .real(let cells): return .real(cells[row])
        case .text(let offsets, let bytes), .blob(let offsets, let bytes):
            let (start, end) = (Int(offsets[row]), Int(offsets[row + 1]))
            return .bytes(UnsafeRawBufferPointer(start: bytes + start, count: end - start))
        }
    }

    /// Stands for the address of a text without a byte: to SQLite, no address is null.
    nonisolated(unsafe) static let noText: UnsafePointer<CChar> = UnsafePointer(
        UnsafeMutablePointer<CChar>.allocate(capacity: 1))
}

extension CellColumn {
    fileprivate func withContent<Result>(_ body: (PinnedCells.Content) throws -> Result) throws -> Result {
        switch cells {
        case .integer(let cells): try Self.withAddress(cells) { try body(.integer($0)) }
        case .real(let cells): try Self.withAddress(cells) { try body(.real($0)) }
        case .text(let offsets, let bytes): try Self.withAddresses(offsets, bytes) { try body(.text($0, $1)) }
        case .blob(let offsets, let bytes): try Self.withAddresses(offsets, bytes) { try body(.blob($0, $1)) }
        }
    }

    private static func withAddress<Cell, Result>(
        _ cells: [Cell], _ body: (UnsafePointer<Cell>) throws -> Result
    ) throws -> Result {
        try cells.withUnsafeBufferPointer { cells in
            guard let base = cells.baseAddress else { throw ColumnError.damaged(what: "no cells", offset: 0) }
            return try body(base)
        }
    }

    private static func withAddresses<Result>(
        _ offsets: [Int32], _ bytes: [UInt8], _ body: (UnsafePointer<Int32>, UnsafePointer<CChar>) throws -> Result
    ) throws -> Result {
        try withAddress(offsets) { offsets in
            try bytes.withUnsafeBufferPointer { bytes in
                try bytes.withMemoryRebound(to: CChar.self) {
                    try body(offsets, $0.baseAddress ?? PinnedCells.noText)
                }
            }
        }
    }
}
