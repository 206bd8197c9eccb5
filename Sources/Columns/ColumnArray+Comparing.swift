import RealmModel

extension ColumnArray {
    /// Whether a row is seen at once to hold what a row of another array of the same type holds: single values, by their bits.
    ///
    /// Makes no value, which of texts takes longest. False says nothing: the values tell then.
    package func plainlyHolds(_ other: ColumnArray, row otherRow: Int, at row: Int) -> Bool {
        let (isNull, isOtherNull) = (isNull(row), other.isNull(otherRow))
        guard !isNull, !isOtherNull else { return isNull && isOtherNull }
        switch (values, other.values) {
        case (.int(let cells), .int(let others)): return cells[row] == others[otherRow]
        case (.bool(let bits), .bool(let others)): return bits[row] == others[otherRow]
        case (.float(let cells), .float(let others)): return cells[row].bitPattern == others[otherRow].bitPattern
        case (.double(let cells), .double(let others)): return cells[row].bitPattern == others[otherRow].bitPattern
        case (.date(let seconds, let nanoseconds), .date(let otherSeconds, let otherNanoseconds)):
            return seconds[row] == otherSeconds[otherRow] && nanoseconds[row] == otherNanoseconds[otherRow]
        case (.fixed(let width, let bytes), .fixed(let otherWidth, let others)):
            return bytes[row * width..<(row + 1) * width] == others[otherRow * otherWidth..<(otherRow + 1) * otherWidth]
        case (.variable(let offsets, let bytes), .variable(let otherOffsets, let others)):
            return bytes[Int(offsets[row])..<Int(offsets[row + 1])]
                == others[Int(otherOffsets[otherRow])..<Int(otherOffsets[otherRow + 1])]
        default: return false
        }
    }

    /// The rows that hold a primary key, in ascending order; none where the cells are of another layout.
    ///
    /// Makes no value of a row: a class may have millions of them.
    public func rows(holdingPrimaryKey key: Value) -> [Int] {
        switch (key, values) {
        case (.null, _): (0..<count).filter { isNull($0) }
        case (.int(let number), .int(let cells)): rows { cells[$0] == number }
        case (.string(var text), .variable(let offsets, let bytes)):
            text.withUTF8 { text in
                rows(holding: UnsafeRawBufferPointer(text), in: bytes) { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
            }
        case (.objectId(let id), .fixed(let width, let bytes)):
            id.bytes.withUnsafeBytes { rows(holding: $0, in: bytes) { $0 * width..<($0 + 1) * width } }
        case (.uuid(let id), .fixed(let width, let bytes)):
            id.bytes.withUnsafeBytes { rows(holding: $0, in: bytes) { $0 * width..<($0 + 1) * width } }
        default: []
        }
    }

    private func rows(
        holding cell: UnsafeRawBufferPointer, in bytes: [UInt8], _ place: (Int) -> Range<Int>
    ) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            rows { row in
                let place = place(row)
                return place.count == cell.count && bytes[place].elementsEqual(cell)
            }
        }
    }

    @inline(__always)
    private func rows(_ isMatch: (Int) -> Bool) -> [Int] {
        var rows: [Int] = []
        for row in 0..<count where isMatch(row) && !isNull(row) { rows.append(row) }
        return rows
    }
}
