import Columns
import RealmModel

extension WorkingRealm {
    /// Rewrites the columns in which links to deleted objects are left, and no others.
    func clearDeletedLinks() throws {
        guard hasDeletions else { return }
        for stored in classes {
            for column in stored.columns where try mayHoldDeletedLinks(column) {
                for group in try stored.groups().indices { try clearDeletedLinks(column, of: stored, group: group) }
            }
        }
    }

    private func mayHoldDeletedLinks(_ column: WorkingColumn) throws -> Bool {
        if column.property.type == .mixed { return column.constant?.isNull != true }
        guard let name = column.property.objectType else { return false }
        return column.constant?.linkedKeys.isEmpty != true && self[name]?.deletionCount != 0
    }

    private func clearDeletedLinks(_ column: WorkingColumn, of stored: WorkingClass, group: Int) throws {
        if try stored.constant(column, group: group)?.isNull == true { return }
        let array = try stored.array(column, group: group)
        let rows = try stored.groups()[group]
        var cleared: [Value]?
        for row in 0..<array.count where !rows.isDeleted(row) {
            let value = try array.value(at: row, as: column.type)
            let visible = try visible(value, of: column.property)
            guard visible != value else { continue }
            var values = try cleared ?? (0..<array.count).map { try array.value(at: $0, as: column.type) }
            cleared = nil
            values[row] = visible
            cleared = values
        }
        guard let cleared else { return }
        try stored.replace(column, group: group, by: try ColumnArray(cleared, as: column.type))
    }

    /// The realm as a snapshot.
    ///
    /// - Parameters:
    ///   - schemaVersion: the version that it is given.
    ///   - declared: the schema that it shows.
    package func finish(schemaVersion: UInt64?, declared: Schema) throws -> Snapshot {
        try clearDeletedLinks()
        return Snapshot(schemaVersion: schemaVersion, declared: declared, classes: try classes.map { try $0.finish() })
    }
}
