extension ColumnBuilder {
    /// Appends rows of an array of the builder's type, with no look at their values.
    ///
    /// - Throws: `ColumnError.typeMismatch` where the array has another layout; `rowGroupTooLarge`.
    public func append(_ rows: Range<Int>, of array: ColumnArray) throws(ColumnError) {
        guard !rows.isEmpty else { return }
        try appendCells(rows, of: array.values)
        appendValidity(rows, of: array)
    }
}

extension ColumnArray {
    /// The array with other cells in some rows.
    ///
    /// - Parameters:
    ///   - rows: ascending, none twice.
    ///   - cell: the array and the row in it that the cell of one of `rows` comes from, by its place there.
    ///   - type: the type of both.
    package func overlaid(
        at rows: [Int], as type: ColumnType, with cell: (Int) -> (ColumnArray, Int)
    ) throws(ColumnError) -> ColumnArray {
        guard !rows.isEmpty else { return self }
        if let overlaid = overlaidInPlace(at: rows, with: cell) { return overlaid }
        let builder = ColumnBuilder(type)
        var next = 0
        for (place, row) in rows.enumerated() {
            try builder.append(next..<row, of: self)
            let (array, from) = cell(place)
            try builder.append(from..<from + 1, of: array)
            next = row + 1
        }
        try builder.append(next..<count, of: self)
        return builder.finish()
    }

    /// The same for cells of one size, which are set where they are; nil for others.
    private func overlaidInPlace(at rows: [Int], with cell: (Int) -> (ColumnArray, Int)) -> ColumnArray? {
        var result = self
        switch values {
        case .int(var cells):
            result.values = .int([])
            for (place, row) in rows.enumerated() {
                let (array, from) = cell(place)
                guard case .int(let other) = array.values else { return nil }
                cells[row] = other[from]
            }
            result.values = .int(cells)
        case .double(var cells):
            for (place, row) in rows.enumerated() {
                let (array, from) = cell(place)
                guard case .double(let other) = array.values else { return nil }
                cells[row] = other[from]
            }
            result.values = .double(cells)
        case .bool(var bits):
            for (place, row) in rows.enumerated() {
                let (array, from) = cell(place)
                guard case .bool(let other) = array.values else { return nil }
                bits[row] = other[from]
            }
            result.values = .bool(bits)
        default: return nil
        }
        for (place, row) in rows.enumerated() {
            let (array, from) = cell(place)
            let isNull = array.isNull(from)
            if isNull, result.validity == nil { result.validity = Bitmap(repeating: true, count: count) }
            result.validity?[row] = !isNull
        }
        return result
    }
}
