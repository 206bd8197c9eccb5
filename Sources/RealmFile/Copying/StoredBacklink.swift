import RealmModel

/// A column of backlinks as the spec of a table describes it, REALM_FORMAT section 13.1.
struct StoredBacklink {
    let leafIndex: Int
    /// The key of the table whose objects link.
    let originTable: Int64
    /// The column of that table.
    let originColumn: ColumnKey
}

extension Table {
    /// The columns of backlinks, which no property is.
    func backlinks(in image: Image) throws(InputError) -> [StoredBacklink] {
        let top = try image.header(at: Int64(offset)).asIntegers("a table")
        let spec = try image.integers(0, of: top, "the spec of a table")
        let types = try image.integers(0, of: spec, "the list of column types")
        let keys = try image.integers(5, of: spec, "the list of column keys")
        let tables = try image.integers(7, of: top, "the tables on the other side")
        let columns = try image.integers(8, of: top, "the columns on the other side")
        var backlinks: [StoredBacklink] = []
        for index in 0..<types.count
        where try types.integer(at: index) & 0xffff == StoredColumn.TypeCode.backlink {
            let leafIndex = ColumnKey(value: try keys.integer(at: index)).leafIndex
            backlinks.append(
                StoredBacklink(
                    leafIndex: leafIndex, originTable: try tables.integer(at: leafIndex),
                    originColumn: ColumnKey(value: try columns.integer(at: leafIndex))))
        }
        return backlinks
    }
}
