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
}
