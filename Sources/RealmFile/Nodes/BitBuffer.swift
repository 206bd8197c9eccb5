import Columns

/// Bits that grow at the end, in Arrow's order.
struct BitBuffer {
    private(set) var count = 0
    private var bytes: [UInt8] = []

    /// Adds one bit.
    mutating func append(_ bit: Bool) {
        if count & 7 == 0 { bytes.append(0) }
        if bit { bytes[count >> 3] |= 1 << UInt8(count & 7) }
        count += 1
    }

    /// Adds a bit for each cell.
    mutating func append<Cell>(contentsOf cells: UnsafeMutableBufferPointer<Cell>, _ bit: (Cell) -> Bool) {
        for cell in cells { append(bit(cell)) }
    }

    /// Adds set bits.
    mutating func appendSet(_ added: Int) {
        var left = added
        while left > 0, count & 7 != 0 {
            append(true)
            left -= 1
        }
        bytes.append(contentsOf: repeatElement(0xff, count: left >> 3))
        count += left & ~7
        for _ in 0..<left & 7 { append(true) }
    }

    /// The bits; empty again afterwards.
    mutating func take() -> Bitmap {
        defer { self = BitBuffer() }
        return Bitmap(bytes: bytes, count: count) ?? Bitmap(count: count)
    }
}

/// Which rows have a value; takes no memory while all have.
struct ValidityBuffer {
    private var bits: BitBuffer?
    private var rows = 0

    /// Adds rows that all have a value.
    mutating func appendValid(_ added: Int) {
        bits?.appendSet(added)
        rows += added
    }

    /// Adds one row.
    mutating func append(_ isValid: Bool) {
        if !isValid, bits == nil {
            bits = BitBuffer()
            bits?.appendSet(rows)
        }
        bits?.append(isValid)
        rows += 1
    }

    /// Adds a row for each cell.
    mutating func append<Cell>(contentsOf cells: UnsafeMutableBufferPointer<Cell>, _ isValid: (Cell) -> Bool) {
        for cell in cells { append(isValid(cell)) }
    }

    /// The bitmap, nil where no row is null; empty again afterwards.
    mutating func take() -> Bitmap? {
        defer { self = ValidityBuffer() }
        return bits?.take()
    }
}
