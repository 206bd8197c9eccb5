import RealmModel

extension ColumnArray {
    /// An array of one value in every row.
    ///
    /// - Throws: `ColumnError.typeMismatch` where the value is not of the type; `ColumnError.rowGroupTooLarge` where the
    ///   rows together are.
    public init(repeating value: Value, count: Int, as type: ColumnType) throws(ColumnError) {
        let builder = ColumnBuilder(type)
        try builder.append(value)
        let row = builder.finish()
        if let repeated = try row.values.repeated(count) {
            self.init(
                count: count, validity: row.validity == nil ? nil : Bitmap(repeating: false, count: count),
                values: repeated)
            return
        }
        for _ in 0..<count { try builder.append(value) }
        self = builder.finish()
    }

    /// An array of values, one a row.
    ///
    /// - Throws: `ColumnError.typeMismatch` where a value is not of the type.
    public init(_ values: some Sequence<Value>, as type: ColumnType) throws(ColumnError) {
        let builder = ColumnBuilder(type)
        for value in values { try builder.append(value) }
        self = builder.finish()
    }
}

extension ColumnArray.Values {
    /// The cell of a single row in each of many, without going through values; nil for collections that hold anything.
    fileprivate func repeated(_ count: Int) throws(ColumnError) -> ColumnArray.Values? {
        switch self {
        case .int(let cells): return .int([Int64](repeating: cells[0], count: count))
        case .bool(let bits): return .bool(Bitmap(repeating: bits[0], count: count))
        case .float(let cells): return .float([Float](repeating: cells[0], count: count))
        case .double(let cells): return .double([Double](repeating: cells[0], count: count))
        case .date(let seconds, let nanoseconds):
            return .date(
                seconds: [Int64](repeating: seconds[0], count: count),
                nanoseconds: [Int32](repeating: nanoseconds[0], count: count))
        case .fixed(let width, let bytes):
            return .fixed(width: width, Array(repeatElement(bytes, count: count).joined()))
        case .variable(_, let bytes):
            guard bytes.count.multipliedReportingOverflow(by: count).partialValue <= Int32.max else {
                throw .rowGroupTooLarge
            }
            let offsets = (0...count).map { Int32($0 * bytes.count) }
            return .variable(offsets: offsets, bytes: Array(repeatElement(bytes, count: count).joined()))
        case .list(_, let elements):
            return elements.count == 0
                ? .list(offsets: [Int32](repeating: 0, count: count + 1), elements: elements) : nil
        case .dictionary(_, let keys, let values):
            return keys.count == 0
                ? .dictionary(offsets: [Int32](repeating: 0, count: count + 1), keys: keys, values: values) : nil
        }
    }
}
