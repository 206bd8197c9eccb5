import Columns
import RealmModel

extension WorkingRealm {
    /// Rewrites the columns in which links to deleted objects are left, and no others.
    func clearDeletedLinks() throws {
        guard hasDeletions else { return }
        for stored in classes {
            for column in stored.columns where try mayHoldDeletedLinks(column) {
                for group in try stored.groups().indices {
                    if context.keepsPatches {
                        try clearLinksCellByCell(column, of: stored, group: group)
                    } else {
                        try clearDeletedLinks(column, of: stored, group: group)
                    }
                }
            }
        }
    }

    /// Changes the cells that have links to deleted objects, and no others of their row group.
    private func clearLinksCellByCell(_ column: WorkingColumn, of stored: WorkingClass, group: Int) throws {
        if try stored.constant(column, group: group)?.isNull == true { return }
        let rows = try stored.groups()[group]
        let dead = column.property.objectType.flatMap { self[$0] }?.deletedKeys ?? []
        let array = try stored.array(column, group: group)
        for row in array.rows(mayLinkTo: dead) where !rows.isDeleted(row) {
            let value = try array.value(at: row, as: column.type)
            let visible = try visible(value, of: column.property)
            guard visible != value else { continue }
            try stored.set(visible, in: column, at: RowPosition(group: group, row: row))
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

extension ColumnArray {
    /// The rows that link to one of some objects, and perhaps others: of mixed values all that may have links.
    fileprivate func rows(mayLinkTo keys: Set<Int64>) -> [Int] {
        switch values {
        case .int(let cells): return cells.indices.filter { keys.contains(cells[$0]) && !isNull($0) }
        case .list(let offsets, let elements), .dictionary(let offsets, _, let elements):
            let found = elements.rows(mayLinkTo: keys)
            guard !found.isEmpty else { return [] }
            var (rows, row) = ([Int](), 0)
            for element in found {
                while Int(offsets[row + 1]) <= element { row += 1 }
                if rows.last != row { rows.append(row) }
            }
            return rows
        case .variable: return (0..<count).filter { !isNull($0) }
        default: return []
        }
    }
}
