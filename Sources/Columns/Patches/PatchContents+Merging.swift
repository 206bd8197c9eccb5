import RealmModel

extension PatchContents {
    /// What patches that follow one another say together.
    ///
    /// - Parameters:
    ///   - patches: in the order in which they were made, none left out between them.
    ///   - stored: the class that they are of.
    init(merging patches: [PatchReader], of stored: StoredClass) throws {
        let added = try PatchedRows([], patches, limit: .max) { _ in [] }
        let own = Set(patches.flatMap(\.inserted))
        let gone = Set(patches.flatMap(\.deleted))
        inserted = added.groups.isEmpty ? [] : added.keys(ofAdded: 0)
        deleted = gone.subtracting(own).sorted()
        changed = Set(patches.flatMap(\.changed)).subtracting(own).subtracting(gone).sorted()
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
        var newest: [Int64: (array: Int, cell: Int)] = [:]
        for patch in patches {
            guard let cells = try patch.changed(of: property.name, as: type) else { continue }
            for (cell, key) in cells.keys.enumerated() {
                guard let place = keys.place(ofSorted: key) else { continue }
                newest[Int64(place)] = (arrays.count, cell)
            }
            arrays.append(cells.cells)
        }
        guard !newest.isEmpty else { return }
        changedRows = newest.keys.sorted()
        let builder = ColumnBuilder(type)
        for row in changedRows {
            guard let (array, cell) = newest[row] else { continue }
            try builder.append(cell..<cell + 1, of: arrays[array])
        }
        changed = builder.finish()
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
            merged = try PatchContents(
                merging: readers + [try PatchReader(PatchCoding.encode(contents))], of: self)
        }
        patches.removeSubrange(start...)
        // An object that was added and deleted again leaves nothing.
        if !merged.isEmpty { patches.append(try merged.write(to: store)) }
    }
}
