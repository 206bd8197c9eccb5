import RealmModel

extension ColumnArray {
    /// An array of one value in every row.
    ///
    /// - Throws: `ColumnError.typeMismatch` where the value is not of the type.
    public init(repeating value: Value, count: Int, as type: ColumnType) throws(ColumnError) {
        let builder = ColumnBuilder(type)
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
