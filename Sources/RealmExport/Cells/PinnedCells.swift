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

    /// Runs a body with the cells of columns, copied: addresses within arrays would take a call in a call for each column, and a
    /// class may have more columns than a thread's stack has room for.
    static func with<Result>(
        _ columns: [CellColumn], _ body: ([PinnedCells]) throws -> Result
    ) rethrows -> Result {
        let pinned = columns.map { PinnedCells(validity: $0.validity, content: Content(copying: $0.cells)) }
        defer { for column in pinned { column.content.deallocate() } }
        return try body(pinned)
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

extension PinnedCells.Content {
    fileprivate init(copying cells: CellColumn.Cells) {
        switch cells {
        case .integer(let cells): self = .integer(Self.copy(cells))
        case .real(let cells): self = .real(Self.copy(cells))
        case .text(let offsets, let bytes): self = .text(Self.copy(offsets), Self.copy(bytes))
        case .blob(let offsets, let bytes): self = .blob(Self.copy(offsets), Self.copy(bytes))
        }
    }

    fileprivate func deallocate() {
        switch self {
        case .integer(let cells): cells.deallocate()
        case .real(let cells): cells.deallocate()
        case .text(let offsets, let bytes), .blob(let offsets, let bytes):
            offsets.deallocate()
            bytes.deallocate()
        }
    }

    /// - Returns: an address also where there is nothing: to SQLite, no address is null.
    private static func copy<Source, Cell>(_ cells: [Source]) -> UnsafePointer<Cell> {
        let count = cells.count * MemoryLayout<Source>.stride
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, count), alignment: MemoryLayout<Cell>.alignment)
        cells.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { copy.copyMemory(from: base, byteCount: count) }
        }
        return UnsafePointer(copy.bindMemory(to: Cell.self, capacity: count / MemoryLayout<Cell>.stride))
    }
}
