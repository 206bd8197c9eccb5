import Columns
import RealmModel

/// The changes of a class since its source, as a patch.
extension WorkingClass {
    /// The source with a patch of what changed.
    func patched() throws -> StoredClass {
        guard groupsModified || columns.contains(where: \.isModified) else { return source }
        if try addsRowGroupsAlone {
            let stored = try withRowGroups()
            grown = stored
            return stored
        }
        let changes = try changes()
        patch = changes
        return try appending(changes, to: source)
    }

    /// The result of `patched`, made of the same objects in other row groups and patches.
    ///
    /// - Returns: nil where something else than a patch changed.
    func patched(_ kept: StoredClass) throws -> StoredClass? {
        guard cleared == nil, kept.schema == source.schema, kept.nextSequence == source.nextSequence,
            kept.objectCount == source.objectCount
        else { return nil }
        if let grown { return kept == source ? grown : nil }
        return try patch.map { try appending($0, to: kept) } ?? kept
    }

    /// Whether all that changed are new objects, so many that they fill row groups: behind a class without patches these stand
    /// where maintenance would put them.
    private var addsRowGroupsAlone: Bool {
        get throws {
            guard source.patches.isEmpty, deletedOfSource.isEmpty, columns.allSatisfy(\.patches.isEmpty) else {
                return false
            }
            let created = try groups()[sourceGroupCount...]
            let (rowCount, limit) = (created.reduce(0) { $0 + $1.rowCount }, context.limits.rows)
            return rowCount >= max(limit, created.count * limit / 2)
                && created.allSatisfy { $0.deleted == nil && $0.rowCount <= limit }
        }
    }

    /// The source with row groups behind its own.
    private func withRowGroups() throws -> StoredClass {
        let groups = try groups()
        var stored = source
        stored.nextSequence = nextSequence
        stored.objectCount = objectCount
        stored.unsyncedCount = unsyncedCount
        stored.rowGroups = try context.store.write(segment: encode(groups))
        stored.keys = try keys.finish(in: groups)
        stored.columns = try columns.map { try $0.finish(in: groups) }
        return stored
    }

    private func appending(_ changes: PatchContents, to before: StoredClass) throws -> StoredClass {
        var stored = before
        stored.nextSequence = nextSequence
        stored.objectCount = objectCount
        stored.unsyncedCount = unsyncedCount
        try stored.append(changes, in: context.store)
        return stored
    }

    private func changes() throws -> PatchContents {
        let groups = try groups()
        let created = sourceGroupCount..<groups.count
        var contents = PatchContents(deleted: deletedOfSource.sorted())
        for group in created {
            let keys = try keys(inGroup: group)
            for run in groups[group].liveRuns { contents.inserted += keys[run] }
        }
        let cells = try columns.map { try changedCells($0, groups) }
        contents.changed = Set(cells.flatMap { $0.map(\.key) }).sorted()
        for (column, changed) in zip(columns, cells) {
            var patch = PatchContents.PatchColumn(column.property.name)
            if !contents.inserted.isEmpty {
                patch.inserted = try inserted(column, created, of: groups)
                if let keys = patch.inserted, let primaryKey, column.property.name.hasSameBytes(as: primaryKey) {
                    contents.primaryKeys = try PrimaryKeyIndex(of: keys)
                }
            }
            if !changed.isEmpty {
                var place = 0
                patch.changedRows = changed.map { cell in
                    while contents.changed[place] < cell.key { place += 1 }
                    return Int64(place)
                }
                patch.changed = try ColumnArray(changed.lazy.map(\.value), as: column.type)
            }
            if patch.inserted != nil || patch.changed != nil { contents.columns.append(patch) }
        }
        return contents
    }

    /// The values of created objects that are there still.
    private func inserted(
        _ column: WorkingColumn, _ created: Range<Int>, of groups: [WorkingGroup]
    ) throws -> ColumnArray {
        // Mostly one batch's objects in one row group.
        if created.count == 1, groups[created.lowerBound].deleted == nil {
            return try column.array(group: created.lowerBound, in: groups)
        }
        let builder = ColumnBuilder(column.type)
        for group in created {
            let array = try column.array(group: group, in: groups)
            for run in groups[group].liveRuns { try builder.append(run, of: array) }
        }
        return builder.finish()
    }

    /// The changed cells of objects of the source that are there still, in the order of their keys.
    private func changedCells(
        _ column: WorkingColumn, _ groups: [WorkingGroup]
    ) throws -> [(key: Int64, value: Value)] {
        try column.patches.sorted { $0.key < $1.key }.flatMap { group, cells in
            let keys = try keys(inGroup: group)
            return cells.filter { !groups[group].isDeleted($0.key) }.sorted { $0.key < $1.key }
                .map { (keys[$0.key], $0.value) }
        }
    }
}
