import RealmModel

extension WorkingClass {
    /// Whether an object lacks a value that the class requires.
    package func isUnsynced(at position: RowPosition) throws -> Bool {
        guard unsyncedCount > 0 else { return false }
        return try columns.contains { try $0.property.requiresValue && value($0, at: position).isNull }
    }

    /// Changes cells of a column, and counts how many of the objects lack a value less or more than before.
    ///
    /// Costs nothing while no object lacks any: only a column that is added makes the first.
    func countingUnsynced(_ column: WorkingColumn, _ positions: [RowPosition], _ change: () throws -> Void) throws {
        guard unsyncedCount > 0, column.property.requiresValue else { return try change() }
        let before = try positions.count { try isUnsynced(at: $0) }
        try change()
        unsyncedCount += try positions.count { try isUnsynced(at: $0) } - before
    }

    /// The same for all objects of a row group.
    func countingUnsynced(_ column: WorkingColumn, inGroup group: Int, _ change: () throws -> Void) throws {
        guard unsyncedCount > 0, column.property.requiresValue else { return try change() }
        let rows = try groups()[group]
        let positions = (0..<rows.rowCount).filter { !rows.isDeleted($0) }.map { RowPosition(group: group, row: $0) }
        try countingUnsynced(column, positions, change)
    }

    /// Counts anew where a property that required a value went, or does not require it any more.
    func recountUnsynced(knowing source: ObjectSchema) throws {
        guard unsyncedCount > 0 else { return }
        let required = Set(columns.filter(\.property.requiresValue).map { NameKey($0.originalName) })
        let isLess = source.properties.contains { $0.requiresValue && !required.contains(NameKey($0.name)) }
        guard isLess else { return }
        var count = 0
        try forEachObject { position, _ in if try isUnsynced(at: position) { count += 1 } }
        unsyncedCount = count
    }
}
