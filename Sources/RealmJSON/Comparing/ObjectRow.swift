import Columns

/// An object of a class: a row of a row group.
struct ObjectRow {
    let group: RowGroupView
    let row: Int
    let key: Int64
    /// The number of the row among all rows of the class, deleted ones included.
    let number: Int
}

/// The objects of a class in the order of their keys, one row group in memory at a time.
struct ObjectRows {
    private let view: ClassView
    private var group: RowGroupView?
    private var nextGroup = 0
    private var firstRow = 0
    private var live: ArraySlice<Int> = []

    init(_ view: ClassView) { self.view = view }

    /// The next object; nil after the last.
    mutating func next() throws -> ObjectRow? {
        while live.isEmpty {
            guard nextGroup < view.reader.rowGroups.count else { return nil }
            if let group { firstRow += group.rowGroup.rowCount }
            let group = RowGroupView(view, group: nextGroup)
            self.group = group
            nextGroup += 1
            live = group.rowGroup.liveRows[...]
        }
        guard let group, let row = live.popFirst() else { return nil }
        return ObjectRow(group: group, row: row, key: try group.keys()[row], number: firstRow + row)
    }
}
