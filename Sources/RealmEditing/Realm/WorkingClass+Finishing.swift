import Columns
import RealmModel

extension WorkingClass {
    /// The class as a snapshot has it.
    func finish() throws -> StoredClass {
        try recountUnsynced(knowing: source.schema)
        if context.keepsPatches, cleared == nil { return try patched() }
        if groupsModified, try needsRewrite() { return try rewritten() }
        var stored = source
        stored.schema = schema
        stored.nextSequence = nextSequence
        stored.objectCount = objectCount
        stored.unsyncedCount = unsyncedCount
        if !source.patches.isEmpty, keepsSourceRows {
            stored.columns = columns.map(\.source)
            return stored
        }
        stored.patches = []
        let isChanged = groupsModified || !source.patches.isEmpty
        let groups = isChanged || columns.contains(where: \.isModified) ? try self.groups() : []
        if isChanged {
            stored.rowGroups = try groups.isEmpty ? nil : context.store.write(segment: encode(groups))
        }
        stored.keys = try keys.finish(in: groups)
        stored.columns = try columns.map { try $0.finish(in: groups) }
        return stored
    }

    /// Whether patches of the source say of the class as it is now what they said of the source: no cell changed, and
    /// columns were added at most.
    private var keepsSourceRows: Bool {
        !groupsModified && !columns.contains(where: \.isModified)
            && source.schema.properties.indices.allSatisfy { index in
                let property = source.schema.properties[index]
                // A column that was added may have the name of one that went.
                return column(named: property.name).map {
                    $0.patched?.property == index && $0.type == ColumnType(property)
                } == true
            }
    }

    func encode(_ groups: [WorkingGroup]) -> [UInt8] {
        SnapshotCoding.encode(
            rowGroups: groups.map {
                RowGroup(
                    rowCount: $0.rowCount, firstKey: ObjectKey($0.firstKey), lastKey: ObjectKey($0.lastKey),
                    deleted: $0.deleted)
            })
    }

    /// Whether rows have to move: half of them are deleted, a group is empty, or keys no longer ascend.
    private func needsRewrite() throws -> Bool {
        let groups = try groups()
        let rowCount = groups.reduce(0) { $0 + $1.rowCount }
        return objectCount * 2 < rowCount || groups.contains { $0.objectCount == 0 }
            || zip(groups, groups.dropFirst()).contains { $0.lastKey >= $1.firstKey }
    }

    private func rewritten() throws -> StoredClass {
        let writer = ClassWriter(schema: schema, store: context.store, limits: context.limits)
        try forEachObjectInKeyOrder { position, key in
            for (column, builder) in zip(columns, writer.columns) {
                try builder.append(try value(column, at: position))
            }
            try writer.endRow(key: ObjectKey(key))
        }
        var stored = try writer.finish(nextSequence: nextSequence)
        stored.unsyncedCount = unsyncedCount
        return stored
    }

    /// Calls with every object in order of the keys, wherever their rows stand.
    func forEachObjectInKeyOrder(_ body: (RowPosition, Int64) throws -> Void) throws {
        let groups = try groups()
        guard zip(groups, groups.dropFirst()).contains(where: { $0.lastKey >= $1.firstKey }) else {
            return try forEachObject(body)
        }
        var positions: [(key: Int64, position: RowPosition)] = []
        try forEachObject { positions.append(($1, $0)) }
        positions.sort { $0.key < $1.key }
        for entry in positions { try body(entry.position, entry.key) }
    }
}
