/// The stable name of a column, REALM_FORMAT section 8.3.
struct ColumnKey: Hashable {
    let value: Int64

    /// The position of the column in clusters and in the table's arrays.
    var leafIndex: Int { Int(value & 0xffff) }
}
