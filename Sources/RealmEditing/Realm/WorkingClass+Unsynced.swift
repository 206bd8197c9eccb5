import RealmModel

extension WorkingClass {
    /// Whether an object lacks a value that the class requires, or one in the place of a kept one.
    package func isUnsynced(at position: RowPosition) throws -> Bool {
        try unsyncedCount > 0 && lacksValue(at: position)
    }

    private func lacksValue(at position: RowPosition) throws -> Bool {
        try columns.contains { column in
            let property = column.property
            guard property.requiresValue || property.isAwaiting else { return false }
            let value = try value(column, at: position)
            return property.isAwaiting ? !property.isNothing(value) : value.isNull
        }
    }

    /// Counts all objects that lack a value, after changes of what the class requires.
    package func countUnsynced() throws {
        var count = 0
        if try columns.contains(where: { try mayLackValues($0) }) {
            try forEachObject { position, _ in if try lacksValue(at: position) { count += 1 } }
        }
        unsyncedCount = count
    }

    /// Whether objects may be unsynced for what a column has; without reading any of it.
    private func mayLackValues(_ column: WorkingColumn) throws -> Bool {
        let property = column.property
        guard property.requiresValue || property.isAwaiting else { return false }
        return try groups().indices.contains { group in
            guard let value = try constant(column, group: group) else { return true }
            return property.isAwaiting ? !property.isNothing(value) : value.isNull
        }
    }

    /// Changes cells of a column, and counts how many of the objects lack a value less or more than before.
    ///
    /// Costs nothing while no object lacks any: only a column that is added makes the first.
    func countingUnsynced(
        _ column: WorkingColumn, _ positions: @autoclosure () -> [RowPosition], _ change: () throws -> Void
    ) throws {
        guard unsyncedCount > 0, column.property.requiresValue || column.property.isAwaiting else {
            return try change()
        }
        let positions = positions()
        let before = try positions.count { try isUnsynced(at: $0) }
        let lacking = context.keepsPatches ? try positions.filter { try isUnsynced(at: $0) } : []
        try change()
        for position in lacking where try !isUnsynced(at: position) { filledKeys.insert(try key(at: position)) }
        unsyncedCount += try positions.count { try isUnsynced(at: $0) } - before
    }

    /// The same for all objects of a row group.
    func countingUnsynced(_ column: WorkingColumn, inGroup group: Int, _ change: () throws -> Void) throws {
        guard unsyncedCount > 0, column.property.requiresValue || column.property.isAwaiting else {
            return try change()
        }
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
        try countUnsynced()
    }
}
