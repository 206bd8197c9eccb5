import RealmModel

/// The rows of a class as its patches leave them: row groups of which more objects are deleted, with other values in some
/// cells, and behind them row groups of the objects that were added.
final class PatchedRows {
    /// The row groups, those of added objects behind the stored ones.
    private(set) var groups: [RowGroup]
    /// How many of them are stored.
    let storedGroupCount: Int
    /// The rows of these.
    let storedRowCount: Int

    private let patches: [PatchReader]
    /// The objects that were added and not deleted since, in the order of their keys.
    private var added: [Added] = []
    private var cells: [CellName: Cells] = [:]
    private let keysOfStored: (Int) throws -> [Int64]
    private var lastKeys: (group: Int, keys: [Int64])?

    private struct Added {
        let key: Int64
        let patch: Int32
        let row: Int32
    }

    private struct CellName: Hashable {
        let patch: Int
        let property: Int
    }

    /// The cells of a property in a patch.
    private struct Cells {
        let inserted: ColumnArray?
        let changedKeys: [Int64]
        let changed: ColumnArray?
    }

    /// Puts patches onto row groups.
    ///
    /// - Parameters:
    ///   - patches: in the order in which they were made.
    ///   - limit: the most rows of a row group of added objects.
    ///   - keysOfStored: reads the keys of a stored row group.
    init(
        _ stored: [RowGroup], _ patches: [PatchReader], limit: Int = RowGroupLimits.standard.rows,
        keysOfStored: @escaping (Int) throws -> [Int64]
    ) throws {
        groups = stored
        storedGroupCount = stored.count
        storedRowCount = stored.reduce(0) { $0 + $1.rowCount }
        self.patches = patches
        self.keysOfStored = keysOfStored
        try delete()
        try add(limit: limit)
    }

    // MARK: Which objects are there

    private var lastStoredKey: Int64 {
        storedGroupCount > 0 ? groups[storedGroupCount - 1].lastKey.value : -1
    }

    private func delete() throws {
        for patch in patches {
            for key in patch.deleted.prefix(patch.deleted.lowerBound(lastStoredKey &+ 1)) {
                guard let (group, row) = try storedPosition(of: key) else {
                    throw ColumnError.damaged(what: "a deletion of nothing", offset: 0)
                }
                if groups[group].deleted == nil { groups[group].deleted = Bitmap(count: groups[group].rowCount) }
                groups[group].deleted?[row] = true
            }
        }
    }

    private func add(limit: Int) throws {
        var gone: Set<Int64> = []
        for patch in patches { gone.formUnion(patch.deleted[patch.deleted.lowerBound(lastStoredKey &+ 1)...]) }
        var last = lastStoredKey
        for (number, patch) in patches.enumerated() {
            for (row, key) in patch.inserted.enumerated() {
                guard key > last else { throw ColumnError.damaged(what: "the keys of added objects", offset: 0) }
                last = key
                if !gone.isEmpty, gone.contains(key) { continue }
                added.append(Added(key: key, patch: Int32(number), row: Int32(row)))
            }
        }
        for start in stride(from: 0, to: added.count, by: limit) {
            let end = min(start + limit, added.count)
            groups.append(
                RowGroup(
                    rowCount: end - start, firstKey: ObjectKey(added[start].key),
                    lastKey: ObjectKey(added[end - 1].key)))
        }
        self.limit = limit
    }

    private var limit = 1

    private func range(ofAdded group: Int) -> Range<Int> {
        let start = (group - storedGroupCount) * limit
        return start..<start + groups[group].rowCount
    }

    // MARK: Keys

    /// The keys of a row group of added objects.
    func keys(ofAdded group: Int) -> [Int64] { added[range(ofAdded: group)].map(\.key) }

    private func storedPosition(of key: Int64) throws -> (group: Int, row: Int)? {
        let group = groups[..<storedGroupCount].partitioningIndex { $0.lastKey.value >= key }
        guard group < storedGroupCount, let row = try row(of: key, inGroup: group) else { return nil }
        return (group, row)
    }

    /// The row of a key; nil where the group has none of it, or no longer.
    private func row(of key: Int64, inGroup group: Int) throws -> Int? {
        guard groups[group].firstKey.value <= key, key <= groups[group].lastKey.value else { return nil }
        if let keys = groups[group].keysWithoutGaps { return Int(key - keys.lowerBound) }
        if group >= storedGroupCount {
            return addedIndex(of: key).map { $0 - range(ofAdded: group).lowerBound }
        }
        return try storedKeys(inGroup: group).index(ofSorted: key)
    }

    private func key(at row: Int, inGroup group: Int) throws -> Int64 {
        if let keys = groups[group].keysWithoutGaps { return keys.lowerBound + Int64(row) }
        if group >= storedGroupCount { return added[range(ofAdded: group).lowerBound + row].key }
        return try storedKeys(inGroup: group)[row]
    }

    private func storedKeys(inGroup group: Int) throws -> [Int64] {
        if let lastKeys, lastKeys.group == group { return lastKeys.keys }
        let keys = try keysOfStored(group)
        lastKeys = (group, keys)
        return keys
    }

    private func addedIndex(of key: Int64) -> Int? {
        let place = added.partitioningIndex { $0.key >= key }
        return place < added.count && added[place].key == key ? place : nil
    }

    /// The rows of added objects, counted from the class's first, that may have a primary key.
    func addedRows(of hash: PrimaryKeyHash) -> [Int] {
        patches.flatMap { patch in
            patch.primaryKeys.rows(of: hash).compactMap { row in
                patch.inserted.indices.contains(row)
                    ? addedIndex(of: patch.inserted[row]).map { storedRowCount + $0 } : nil
            }
        }
    }

    // MARK: Values

    /// Whether any cell of a property in a row group is a patch's.
    func isPatched(_ property: Int, of stored: StoredClass, inGroup group: Int) throws -> Bool {
        if group >= storedGroupCount { return true }
        return try patches.indices.contains { patch in
            let keys = try cells(patch, property, of: stored).changedKeys
            return keys.lowerBound(groups[group].firstKey.value) < keys.lowerBound(groups[group].lastKey.value &+ 1)
        }
    }

    /// The values of a property in a row group.
    ///
    /// - Parameter base: reads what is stored of it; not called for groups of added objects.
    func column(
        _ property: Int, of stored: StoredClass, inGroup group: Int, base: () throws -> ColumnArray
    ) throws -> ColumnArray {
        let type = ColumnType(stored.schema.properties[property])
        let array = group < storedGroupCount ? try base() : try addedColumn(property, of: stored, inGroup: group)
        var found: [(row: Int, patch: Int, cell: Int)] = []
        for patch in patches.indices {
            let keys = try cells(patch, property, of: stored).changedKeys
            for cell in keys.lowerBound(groups[group].firstKey.value)..<keys.count {
                guard keys[cell] <= groups[group].lastKey.value else { break }
                guard let row = try row(of: keys[cell], inGroup: group) else { continue }
                found.append((row, patch, cell))
            }
        }
        guard !found.isEmpty else { return array }
        if patches.count > 1 { found = Self.newest(found) }
        let arrays = try patches.indices.map { try cells($0, property, of: stored).changed }
        return try array.overlaid(at: found.map(\.row), as: type) { place in
            (arrays[found[place].patch] ?? array, found[place].cell)
        }
    }

    /// The value of one cell in patches; nil where it is as it is stored.
    func value(_ property: Int, of stored: StoredClass, at row: Int, inGroup group: Int) throws -> Value? {
        let type = ColumnType(stored.schema.properties[property])
        let key = try key(at: row, inGroup: group)
        for patch in patches.indices.reversed() {
            let cells = try cells(patch, property, of: stored)
            guard let changed = cells.changed, let place = cells.changedKeys.index(ofSorted: key) else { continue }
            return try changed.value(at: place, as: type)
        }
        guard group >= storedGroupCount else { return nil }
        let added = added[range(ofAdded: group).lowerBound + row]
        guard let array = try cells(Int(added.patch), property, of: stored).inserted else {
            return try initialValue(of: property, stored)
        }
        return try array.value(at: Int(added.row), as: type)
    }

    /// The last patch's cell of each row that has several, in order of the rows.
    private static func newest(
        _ found: [(row: Int, patch: Int, cell: Int)]
    ) -> [(row: Int, patch: Int, cell: Int)] {
        let sorted = found.sorted { ($0.row, $0.patch) < ($1.row, $1.patch) }
        return sorted.indices.filter { $0 == sorted.count - 1 || sorted[$0].row != sorted[$0 + 1].row }.map {
            sorted[$0]
        }
    }

    private func addedColumn(_ property: Int, of stored: StoredClass, inGroup group: Int) throws -> ColumnArray {
        let type = ColumnType(stored.schema.properties[property])
        let builder = ColumnBuilder(type)
        let range = range(ofAdded: group)
        var start = range.lowerBound
        while start < range.upperBound {
            let first = added[start]
            var end = start + 1
            while end < range.upperBound, added[end].patch == first.patch,
                Int(added[end].row) == Int(first.row) + end - start
            {
                end += 1
            }
            if let array = try cells(Int(first.patch), property, of: stored).inserted {
                try builder.append(Int(first.row)..<Int(first.row) + end - start, of: array)
            } else {
                let value = try initialValue(of: property, stored)
                for _ in start..<end { try builder.append(value) }
            }
            start = end
        }
        return builder.finish()
    }

    /// The value of objects in a property that was added after the patch that added them: all had the same then.
    private func initialValue(of property: Int, _ stored: StoredClass) throws -> Value {
        guard case .constant(let value) = stored.columns[property] else {
            throw ColumnError.damaged(what: "a patch without a property", offset: 0)
        }
        return value
    }

    private func cells(_ patch: Int, _ property: Int, of stored: StoredClass) throws -> Cells {
        let name = CellName(patch: patch, property: property)
        if let known = cells[name] { return known }
        let declared = stored.schema.properties[property]
        let type = ColumnType(declared)
        let changed = try patches[patch].changed(of: declared.name, as: type)
        let found = Cells(
            inserted: try patches[patch].inserted(of: declared.name, as: type), changedKeys: changed?.keys ?? [],
            changed: changed?.cells)
        cells[name] = found
        return found
    }
}
