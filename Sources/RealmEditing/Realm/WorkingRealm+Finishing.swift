import Columns
import RealmModel

extension WorkingRealm {
    /// Rewrites the columns in which links to deleted objects are left, and no others.
    func clearDeletedLinks() throws {
        guard hasDeletions else { return }
        if context.keepsPatches { return try clearLinksCellByCell() }
        for stored in classes {
            for column in stored.columns where try mayHoldDeletedLinks(column) {
                for group in try stored.groups().indices { try clearDeletedLinks(column, of: stored, group: group) }
            }
        }
    }

    /// Changes the cells that have links to deleted objects, and no others of their row groups.
    ///
    /// Nothing knows who links to an object: what may, is read, and compared by keys alone.
    func clearLinksCellByCell() throws {
        let hasDead = classes.contains { !$0.deadKeys.isEmpty }
        guard hasDead else { return }
        for stored in classes {
            for column in stored.columns {
                let isMixed = column.property.type == .mixed
                let dead = column.property.objectType.flatMap { self[$0] }?.deadKeys ?? []
                guard isMixed || !dead.isEmpty else { continue }
                for group in try stored.groups().indices {
                    try clearLinksCellByCell(column, of: stored, group: group, to: dead)
                }
            }
        }
        // Nobody can link to them from now on.
        for stored in classes { stored.forgetDead() }
    }

    private func clearLinksCellByCell(
        _ column: WorkingColumn, of stored: WorkingClass, group: Int, to dead: Set<Int64>
    ) throws {
        if try stored.constant(column, group: group)?.isNull == true { return }
        let rows = try stored.groups()[group]
        let array = try stored.array(column, group: group)
        for row in array.rows(mayLinkTo: dead) where !rows.isDeleted(row) {
            let value = try array.value(at: row, as: column.type)
            let visible = try visible(value, of: column.property)
            guard visible != value else { continue }
            let position = RowPosition(group: group, row: row)
            try stored.set(visible, in: column, at: position)
            stored.clearedKeys.insert(try stored.key(at: position))
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

    /// The realm that `finish` gave, on the same objects in other row groups and patches.
    ///
    /// - Parameter kept: has the contents of the snapshot that was changed.
    /// - Returns: nil where something else changed than is kept as patches.
    package func finished(on kept: Snapshot) throws -> Snapshot? {
        guard context.keepsPatches, kept.classes.count == classes.count else { return nil }
        var snapshot = kept
        for (index, stored) in classes.enumerated() {
            guard let patched = try stored.patched(kept.classes[index]) else { return nil }
            snapshot.classes[index] = patched
        }
        return snapshot
    }
}

extension ColumnArray {
    /// The rows that link to one of some objects, and perhaps others: of mixed values all that may have links.
    func rows(mayLinkTo keys: Set<Int64>) -> [Int] {
        switch values {
        case .int(let cells):
            guard let lowest = keys.min(), let highest = keys.max() else { return [] }
            // Most cells are told by their size, without a hash.
            return cells.indices.filter {
                cells[$0] >= lowest && cells[$0] <= highest && keys.contains(cells[$0]) && !isNull($0)
            }
        case .list(let offsets, let elements), .dictionary(let offsets, _, let elements):
            let found = elements.rows(mayLinkTo: keys)
            guard !found.isEmpty else { return [] }
            var (rows, row) = ([Int](), 0)
            for element in found {
                while Int(offsets[row + 1]) <= element { row += 1 }
                if rows.last != row { rows.append(row) }
            }
            return rows
        case .variable(let offsets, let bytes):
            return (0..<count).filter {
                offsets[$0] < offsets[$0 + 1] && !isNull($0) && ValueCoding.mayHaveLinks(bytes[Int(offsets[$0])])
            }
        default: return []
        }
    }
}
