import CSQLite
import Columns

/// The cells of a column at addresses that hold while a body runs.
struct PinnedCells {
    fileprivate enum Content {
        case integer(UnsafePointer<Int64>)
        case real(UnsafePointer<Double>)
        case text(UnsafePointer<Int32>, UnsafePointer<CChar>)
        case blob(UnsafePointer<Int32>, UnsafePointer<CChar>)
    }

    private let validity: Bitmap?
    private let content: Content

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

    /// Binds the cell of a row; what text and bytes are bound to has to hold until the statement has run.
    @inline(__always)
    func bind(_ row: Int, to statement: SQLiteStatement, at index: Int32) {
        if let validity, !validity[row] {
            sqlite3_bind_null(statement.handle, index)
            return
        }
        switch content {
        case .integer(let cells): sqlite3_bind_int64(statement.handle, index, cells[row])
        case .real(let cells): sqlite3_bind_double(statement.handle, index, cells[row])
        case .text(let offsets, let bytes):
            sqlite3_bind_text(
                statement.handle, index, bytes + Int(offsets[row]), offsets[row + 1] - offsets[row], nil)
        case .blob(let offsets, let bytes):
            sqlite3_bind_blob(
                statement.handle, index, bytes + Int(offsets[row]), offsets[row + 1] - offsets[row], nil)
        }
    }
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
                    try body(offsets, $0.baseAddress ?? SQLiteStatement.noText)
                }
            }
        }
    }
}
