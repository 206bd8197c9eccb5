import RealmModel

/// Writes the objects of one class into its table and those of its collections.
final class SQLiteClassWriter {
    let rows: RelationRows
    private let insertion: SQLiteStatement
    private let insertions: [SQLiteStatement]

    init(_ rows: RelationRows, _ database: SQLiteDatabase) throws {
        self.rows = rows
        let relation = rows.relation
        insertion = try database.prepare(
            SQLiteDefinitions.insertion(
                into: relation.table, columns: relation.columns.count + (relation.key.property == nil ? 1 : 0)))
        insertions = try relation.collections.map {
            try database.prepare(SQLiteDefinitions.insertion(into: $0.table, columns: $0.place == nil ? 2 : 3))
        }
    }

    /// Writes a row group.
    func write(group: Int) throws {
        let live = rows.rows(inGroup: group)
        let columns = try rows.columns(inGroup: group)
        guard !live.isEmpty else { return }
        try PinnedCells.with(columns) { cells in
            for row in live {
                for index in cells.indices { cells[index].bind(row, to: insertion, at: Int32(index + 1)) }
                try insertion.run()
            }
        }
        for (collection, insertion) in zip(rows.relation.collections, insertions) {
            guard let elements = try rows.elements(of: collection, inGroup: group) else { continue }
            try write(elements, hasPosition: collection.property.collection == .list, live, by: insertion)
        }
    }

    private func write(
        _ elements: RelationRows.Elements, hasPosition: Bool, _ live: [Int], by insertion: SQLiteStatement
    ) throws {
        let columns = [elements.owners, elements.values] + (elements.keys.map { [$0] } ?? [])
        try PinnedCells.with(columns) { cells in
            let valueIndex: Int32 = hasPosition || cells.count == 3 ? 3 : 2
            for row in live {
                let run = Int(elements.offsets[row])..<Int(elements.offsets[row + 1])
                guard !run.isEmpty else { continue }
                cells[0].bind(row, to: insertion, at: 1)
                for element in run {
                    if hasPosition { insertion.bind(Int64(element - run.lowerBound), at: 2) }
                    if cells.count == 3 { cells[2].bind(element, to: insertion, at: 2) }
                    cells[1].bind(element, to: insertion, at: valueIndex)
                    try insertion.run()
                }
            }
        }
    }
}
