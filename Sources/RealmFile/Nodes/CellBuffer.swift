/// Cells that grow at the end, for inner loops that write a leaf at a time without initialising it first.
struct CellBuffer<Cell: BitwiseCopyable>: ~Copyable {
    /// The number of cells.
    private(set) var count = 0
    private var storage = UnsafeMutableBufferPointer<Cell>(start: nil, count: 0)

    deinit { storage.deallocate() }

    /// Adds cells, not initialised, at the end; the caller writes all of them before anything else is called.
    mutating func grow(by added: Int) -> UnsafeMutableBufferPointer<Cell> {
        let end = count + added
        if end > storage.count { reallocate(toHold: end) }
        defer { count = end }
        return UnsafeMutableBufferPointer(rebasing: storage[count..<end])
    }

    /// Adds one cell.
    mutating func append(_ cell: Cell) {
        if count == storage.count { reallocate(toHold: count + 1) }
        storage[count] = cell
        count += 1
    }

    /// Forgets the cells and keeps the memory.
    mutating func clear() {
        count = 0
    }

    /// The cells in an array; the buffer is empty again afterwards and keeps its memory.
    mutating func take() -> [Cell] {
        let cells = Array(storage[..<count])
        count = 0
        return cells
    }

    private mutating func reallocate(toHold needed: Int) {
        let larger = UnsafeMutableBufferPointer<Cell>.allocate(capacity: max(needed, storage.count * 2, 256))
        _ = larger.update(fromContentsOf: storage[..<count])
        storage.deallocate()
        storage = larger
    }
}

extension CellBuffer where Cell == UInt8 {
    /// Adds bytes.
    mutating func append(contentsOf run: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(grow(by: run.count)).copyMemory(from: run)
    }
}

extension CellBuffer where Cell == Int32 {
    /// The cells in an array that begins with a zero, as Arrow's offsets do.
    mutating func takeOffsets() -> [Int32] {
        [0] + take()
    }
}
