import RealmModel

extension PatchContents {
    /// Merges patches that follow one another.
    ///
    /// - Parameters:
    ///   - patches: in the order in which they were made, none left out between them.
    ///   - stored: the class that they are of.
    init(merging patches: [PatchReader], of stored: StoredClass) throws {
        let added = try PatchedRows([], patches, limit: .max) { _ in [] }
        let own = patches.flatMap(\.inserted)
        let gone = patches.flatMap(\.deleted).sorted()
        inserted = added.groups.isEmpty ? [] : added.keys(ofAdded: 0)
        deleted = own.isEmpty ? gone : gone.filter { !own.containsSorted($0) }
        changed = patches.map(\.changed).mergedSorted()
        if !own.isEmpty { changed.removeAll { own.containsSorted($0) } }
        if !gone.isEmpty { changed.removeAll { gone.containsSorted($0) } }
        primaryKeys = PrimaryKeyIndex()
        columns = []
        for (index, property) in stored.schema.properties.enumerated() {
            var column = PatchColumn(property.name)
            if !inserted.isEmpty {
                column.inserted = try added.column(index, of: stored, inGroup: 0) {
                    ColumnArray(count: 0, values: .int([]))
                }
            }
            try column.merge(patches, property, into: changed)
            if column.inserted != nil || column.changed != nil { columns.append(column) }
        }
        if let name = stored.schema.primaryKey,
            let keys = columns.first(where: { $0.property.hasSameBytes(as: name) })?.inserted
        {
            primaryKeys = try PrimaryKeyIndex(of: keys)
        }
    }
}

extension PatchContents.PatchColumn {
    /// Takes of every changed object the value of the last patch that has one.
    fileprivate mutating func merge(
        _ patches: [PatchReader], _ property: Property, into keys: [Int64]
    ) throws(ColumnError) {
        let type = ColumnType(property)
        var arrays: [ColumnArray] = []
        // For each of `keys`, the array and the row in it that it has its value from; −1 where it has none.
        var newest = [(array: Int32, cell: Int32)](repeating: (-1, -1), count: keys.count)
        for patch in patches {
            guard let cells = try patch.changed(of: property.name, as: type) else { continue }
            var place = 0
            for (cell, key) in cells.keys.enumerated() {
                while place < keys.count, keys[place] < key { place += 1 }
                guard place < keys.count else { break }
                if keys[place] == key { newest[place] = (Int32(arrays.count), Int32(cell)) }
            }
            arrays.append(cells.cells)
        }
        changedRows = newest.indices.filter { newest[$0].array >= 0 }.map { Int64($0) }
        guard !changedRows.isEmpty else { return }
        let builder = ColumnBuilder(type)
        for row in changedRows {
            let (array, cell) = newest[Int(row)]
            try builder.append(Int(cell)..<Int(cell) + 1, of: arrays[Int(array)])
        }
        changed = builder.finish()
    }
}

extension [[Int64]] {
    /// All numbers of arrays that ascend, each once, ascending.
    fileprivate func mergedSorted() -> [Int64] {
        guard count > 1 else { return first ?? [] }
        var merged: [Int64] = []
        for number in joined().sorted() where merged.last != number { merged.append(number) }
        return merged
    }
}

extension PrimaryKeyIndex {
    /// The rows of an array of primary keys.
    package init(of keys: ColumnArray) throws {
        self.init()
        reserveCapacity(keys.count)
        try keys.forEachPrimaryKeyHash { row, hash in append(hash, row: row) }
        sort()
    }
}

extension StoredClass {
    /// Up to so many objects patches are put together, whatever there is to each.
    private static let smallPatch = 256
    /// Patches of more objects or bytes are left as they are.
    private static let largePatch = (rows: 32_768, bytes: 4 << 20)

    /// Puts a patch behind those that the class has, and together with the last of them where these are no larger: so that
    /// there are few, and none is written again often.
    package mutating func append(_ contents: PatchContents, in store: any SegmentStore) throws {
        guard !contents.isEmpty else { return }
        var start = patches.count
        var rowCount = contents.inserted.count + contents.changed.count + contents.deleted.count
        var byteCount = 0
        while start > 0, !patches[start - 1].isSealed {
            let last = patches[start - 1]
            guard last.rowCount + rowCount <= Self.smallPatch || last.rowCount <= rowCount,
                last.rowCount + rowCount <= Self.largePatch.rows, last.storedBytes + byteCount <= Self.largePatch.bytes
            else { break }
            rowCount += last.rowCount
            byteCount += last.storedBytes
            start -= 1
        }
        var merged = contents
        if start < patches.count {
            let readers = try patches[start...].map { try store.read(patch: $0) }
            merged = try PatchContents(merging: readers + [PatchReader(contents)], of: self)
        }
        patches.removeSubrange(start...)
        // An object that was added and deleted again leaves nothing.
        if !merged.isEmpty { patches.append(try store.write(patch: merged)) }
    }
}
