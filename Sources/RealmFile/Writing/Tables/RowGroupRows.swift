import Columns

/// The objects of one row group that are not deleted.
struct RowGroupRows {
    let group: Int
    /// Their keys.
    let keys: [Int64]
    /// Their rows in the row group; nil where none is deleted.
    private let rows: [Int]?
    private let reader: ClassReader

    init(_ group: Int, of reader: ClassReader) throws {
        self.group = group
        self.reader = reader
        let rowGroup = reader.rowGroups[group]
        let stored = try reader.keys(inGroup: group)
        rows = rowGroup.deleted == nil ? nil : rowGroup.liveRows
        keys = rows?.map { stored[$0] } ?? stored
    }

    /// The values of a property.
    func column(_ property: Int) throws -> ColumnArray {
        let array = try reader.column(property, inGroup: group)
        return rows.map { array.keeping($0) } ?? array
    }

    /// The row of an object in the row group.
    func row(_ index: Int) -> Int { rows?[index] ?? index }
}
