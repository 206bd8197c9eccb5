import Columns
import RealmModel

/// One class while its realm is edited: its row groups, its objects' keys and its columns.
///
/// Row groups of the source come first; those of objects that are created follow. Rows never move, so a
/// position stays good; deleting sets a bit.
package final class WorkingClass {
    package let name: String
    package var kind: ClassKind
    package var primaryKey: String?
    /// The stored columns in their order.
    package var columns: [WorkingColumn]
    private(set) var nextSequence: Int64
    /// Grows with every deletion; zero while every key of the source is there.
    package private(set) var deletionCount = 0

    let context: WorkingContext
    let source: StoredClass
    private let sourceReader: SourceReader
    /// Objects that were deleted, where what changes is kept as patches: those of the source, and all that links may be left to.
    private(set) var deletedOfSource: Set<Int64> = []
    private(set) var deadKeys: Set<Int64> = []
    let keys: WorkingColumn
    private var loadedGroups: [WorkingGroup]?
    private(set) var sourceGroupCount = 0
    private(set) var groupsModified = false
    private var liveCount: Int
    /// The objects that lack a value that the class requires; counted on while there are any.
    package internal(set) var unsyncedCount: Int
    /// The class as it was, where its objects were all deleted at once.
    private(set) var cleared: WorkingClass?
    /// The objects whose links to deleted ones were cleared since anybody asked, where that is kept as a patch.
    var clearedKeys: Set<Int64> = []
    /// The objects that lacked a value which the class requires, and have it now, where that is kept as a patch.
    package var filledKeys: Set<Int64> = []
    /// The changes, once the class is finished, where they are kept as a patch.
    var patch: PatchContents?
    /// The class, once it is finished, where it only got row groups.
    var grown: StoredClass?
    /// The keys of the row group that takes the next created object.
    private var openKeys: [Int64] = []
    /// Bytes of the values in the row group that takes the next created object, near enough.
    private var openBytes = 0

    init(_ source: StoredClass, context: WorkingContext) {
        self.source = source
        self.context = context
        name = source.schema.name
        kind = source.schema.kind
        primaryKey = source.schema.primaryKey
        nextSequence = source.nextSequence
        liveCount = source.objectCount
        unsyncedCount = source.unsyncedCount
        let reader = SourceReader(source, context.store)
        sourceReader = reader
        func patched(_ property: Int?) -> WorkingColumn.PatchedSource? {
            source.patches.isEmpty
                ? nil : WorkingColumn.PatchedSource(property: property, reader: reader.callAsFunction)
        }
        columns = source.columns.indices.map {
            WorkingColumn(
                source.schema.properties[$0], source: source.columns[$0], context: context, patched: patched($0))
        }
        keys = WorkingColumn(Property("", .int), source: source.keys, context: context, patched: patched(nil))
    }

    // MARK: Schema

    /// The schema as it is stored now.
    package var schema: ObjectSchema {
        ObjectSchema(name, kind: kind, primaryKey: primaryKey, properties: columns.map(\.property))
    }

    package func column(named name: String) -> WorkingColumn? {
        columns.first { $0.property.name.hasSameBytes(as: name) }
    }

    /// Adds a column that holds a value in every row.
    ///
    /// - Parameter value: null in a property that requires a value says that no object has one yet.
    package func addColumn(_ property: Property, filledWith value: Value) {
        if value.isNull, property.requiresValue { unsyncedCount = liveCount }
        columns.append(WorkingColumn(property, filledWith: value, context: context))
    }

    package func removeColumn(named name: String) {
        columns.removeAll { $0.property.name.hasSameBytes(as: name) }
        if primaryKey?.hasSameBytes(as: name) == true { primaryKey = nil }
    }

    /// Gives a column another name; a primary key stays it.
    package func rename(_ column: WorkingColumn, to name: String) {
        if primaryKey?.hasSameBytes(as: column.property.name) == true { primaryKey = name }
        column.property.name = name
    }

    /// Puts a column behind all others, where Realm has it after it made another of it.
    package func moveToEnd(_ column: WorkingColumn) {
        columns.removeAll { $0 === column }
        columns.append(column)
    }

    // MARK: Rows

    /// The objects that are there now.
    package var objectCount: Int { liveCount }

    /// The row groups, those of created objects included.
    package func groups() throws -> [WorkingGroup] {
        if let loadedGroups { return loadedGroups }
        let groups = try sourceReader().rowGroups.map { WorkingGroup($0) }
        loadedGroups = groups
        sourceGroupCount = groups.count
        return groups
    }

    /// The row groups that were there when the migration began; their rows stay what they are.
    func sourceGroups() throws -> ArraySlice<WorkingGroup> { try groups().prefix(sourceGroupCount) }

    /// The keys of a row group, those of deleted objects included, ascending.
    package func keys(inGroup group: Int) throws -> [Int64] {
        let groups = try groups()
        if group >= sourceGroupCount, group == groups.count - 1 { return openKeys }
        if let first = groups[group].firstKeyWithoutGaps { return Array(first...groups[group].lastKey) }
        guard case .int(let cells) = try keys.array(group: group, in: groups).values else {
            throw ColumnError.damaged(what: "object keys", offset: 0)
        }
        return cells
    }

    /// Where the object of a key stands; nil where there is none or it was deleted.
    package func position(of key: Int64) throws -> RowPosition? {
        let groups = try groups()
        guard
            let position = try position(of: key, in: 0..<sourceGroupCount, of: groups)
                ?? position(of: key, in: sourceGroupCount..<groups.count, of: groups)
        else { return nil }
        return groups[position.group].isDeleted(position.row) ? nil : position
    }

    private func position(of key: Int64, in range: Range<Int>, of groups: [WorkingGroup]) throws -> RowPosition? {
        let group = groups[range].partitioningIndex { $0.lastKey >= key }
        guard range.contains(group), groups[group].firstKey <= key else { return nil }
        // Keys without gaps need no look: as most classes have them.
        if let first = groups[group].firstKeyWithoutGaps { return RowPosition(group: group, row: Int(key - first)) }
        return try keys(inGroup: group).index(ofSorted: key).map { RowPosition(group: group, row: $0) }
    }

    /// The key of a row.
    func key(at position: RowPosition) throws -> Int64 {
        if let first = try groups()[position.group].firstKeyWithoutGaps { return first + Int64(position.row) }
        return try keys(inGroup: position.group)[position.row]
    }

    /// The number of each row group's first row, counted through all of them.
    func firstRows() throws -> [Int] {
        var next = 0
        return try groups().map { group in
            defer { next += group.rowCount }
            return next
        }
    }

    /// The index that a column had as it was; nil where it was added, perhaps with the name of one that went.
    func place(inSourceOf column: WorkingColumn) -> Int? {
        let place = source.schema.index(ofProperty: column.originalName)
        return place.flatMap { source.columns[$0] == column.source ? $0 : nil }
    }

    /// The rows of the source, counted through all row groups, that may have a value in a column as it was, by the store's index.
    ///
    /// - Parameter place: the index that the column had.
    /// - Returns: nil where the store has none of the column, and where all objects were deleted at once.
    func rows(inStoreOf value: Value, in place: Int?) throws -> [Int]? {
        guard cleared == nil, let place else { return nil }
        return try sourceReader().rows(withPrimaryKey: value, property: place)
    }

    /// The rows of those objects that patches of the source add, which may have a primary key.
    func rows(inPatchesOf value: Value) throws -> [Int] { try sourceReader().addedRows(withPrimaryKey: value) }

    /// Hears that objects are going to be looked up by primary key.
    func willLookUp(_ values: [Value], in place: Int?) throws {
        guard cleared == nil, let place else { return }
        try context.store.willLookUp(primaryKeys: values, of: try sourceReader(), property: place)
    }

    /// How many row groups the source stores; those of objects that its patches add come behind them.
    func storedGroupCount() throws -> Int { try sourceReader().storedGroupCount }

    package func value(_ column: WorkingColumn, at position: RowPosition) throws -> Value {
        try column.value(at: position, in: try groups())
    }

    package func set(_ value: Value, in column: WorkingColumn, at position: RowPosition) throws {
        try countingUnsynced(column, [position]) { try column.set(value, at: position, in: try groups()) }
    }

    func array(_ column: WorkingColumn, group: Int) throws -> ColumnArray {
        try column.array(group: group, in: try groups())
    }

    func replace(_ column: WorkingColumn, group: Int, by array: ColumnArray) throws {
        try countingUnsynced(column, inGroup: group) {
            try column.replace(group: group, by: array, in: try groups())
        }
    }

    func constant(_ column: WorkingColumn, group: Int) throws -> Value? {
        try column.constant(group: group, in: try groups())
    }

    /// Whether an object has a value of a kind; looks no further than the first.
    package func contains(in column: WorkingColumn, where isWanted: (Value) -> Bool) throws -> Bool {
        if let constant = column.constant { return objectCount > 0 && isWanted(constant) }
        for (group, rows) in try groups().enumerated() {
            for row in 0..<rows.rowCount where !rows.isDeleted(row) {
                if isWanted(try value(column, at: RowPosition(group: group, row: row))) { return true }
            }
        }
        return false
    }

    /// Calls with the position and key of every object, row group by row group.
    package func forEachObject(_ body: (RowPosition, Int64) throws -> Void) throws {
        for group in try groups().indices {
            for (row, key) in try keys(inGroup: group).enumerated() where try !groups()[group].isDeleted(row) {
                try body(RowPosition(group: group, row: row), key)
            }
        }
    }

    // MARK: Creating and deleting

    /// Adds an object with a key of its own.
    ///
    /// - Parameter values: one a column.
    package func create(_ values: [Value]) throws -> ObjectKey {
        let key = try allocateKey()
        let open = openGroup(of: try groups())
        if open == nil { try closeGroup() }
        openBytes = values.reduce(openBytes) { $0 + $1.memorySize }
        for (column, value) in zip([keys] + columns, [.int(key.value)] + values) {
            if let open {
                try column.append(value, group: open, in: try groups())
            } else {
                try column.appendGroup(value, in: try groups())
            }
        }
        openKeys.append(key.value)
        // In place: a copy of all row groups for each object would make creating many quadratic.
        if let open {
            loadedGroups?[open].rowCount += 1
            loadedGroups?[open].lastKey = key.value
            loadedGroups?[open].deleted?.append(false)
        } else {
            loadedGroups?.append(WorkingGroup(firstKey: key.value))
        }
        groupsModified = true
        liveCount += 1
        return key
    }

    /// Adds objects with keys of their own, as a row group of its own.
    ///
    /// - Parameter arrays: one a column, of its type and with a row an object; no value that is required is null.
    /// - Returns: the keys, ascending.
    package func create(_ arrays: [ColumnArray], count: Int) throws -> [Int64] {
        guard count > 0 else { return [] }
        _ = try groups()
        try closeGroup()
        var created: [Int64] = []
        created.reserveCapacity(count)
        for _ in 0..<count { created.append(try allocateKey().value) }
        let keyArray = ColumnArray(count: count, values: .int(created))
        for (column, array) in zip([keys] + columns, [keyArray] + arrays) {
            try column.appendGroup(array, in: try groups())
        }
        var group = WorkingGroup(firstKey: created[0])
        (group.rowCount, group.lastKey) = (count, created[count - 1])
        loadedGroups?.append(group)
        (openKeys, openBytes) = (created, context.limits.bytes)
        groupsModified = true
        liveCount += count
        return created
    }

    /// The row group that takes the next created object; nil where a new one has to begin.
    private func openGroup(of groups: [WorkingGroup]) -> Int? {
        guard groups.count > sourceGroupCount, groups[groups.count - 1].rowCount < context.limits.rows,
            openBytes < context.limits.bytes
        else { return nil }
        return groups.count - 1
    }

    /// Begins a new row group of created objects; the keys of the one before are looked up in their segment from now on.
    private func closeGroup() throws {
        if !openKeys.isEmpty { _ = try keys.writeBack(group: try groups().count - 1) }
        openKeys = []
        openBytes = 0
    }

    /// The next key that no object has; a class that had a primary key may have given some of them away.
    private func allocateKey() throws -> ObjectKey {
        if context.keepsPatches, let last = try groups().last?.lastKey {
            // Behind all others, so that no row has to move.
            guard let sequence = ObjectKey.sequence(after: ObjectKey(last), hasPrimaryKey: primaryKey != nil) else {
                throw EditingError(.limitExceeded, "The class \(name) has no object keys left.")
            }
            nextSequence = max(nextSequence, sequence)
        }
        while true {
            let key = ObjectKey.allocated(sequence: nextSequence, hasPrimaryKey: primaryKey != nil)
            nextSequence += 1
            if try !isTaken(key.value) { return key }
        }
    }

    /// Whether an object of the source has or had the key: two rows of one key would be ambiguous, and links to a
    /// deleted object would lead to the new one.
    private func isTaken(_ key: Int64) throws -> Bool {
        let groups = try groups()
        if try position(of: key, in: 0..<sourceGroupCount, of: groups) != nil { return true }
        return try cleared?.isTaken(key) ?? false
    }

    /// Deletes the object of a row.
    ///
    /// - Parameter leavesLinks: whether links may lead to it still.
    func delete(at position: RowPosition, leavesLinks: Bool = true) throws {
        let rowCount = try groups()[position.group].rowCount
        if loadedGroups?[position.group].deleted == nil {
            loadedGroups?[position.group].deleted = Bitmap(count: rowCount)
        }
        guard loadedGroups?[position.group].deleted?[position.row] == false else { return }
        if unsyncedCount > 0, try isUnsynced(at: position) { unsyncedCount -= 1 }
        if context.keepsPatches {
            let key = try key(at: position)
            if leavesLinks { deadKeys.insert(key) }
            if position.group < sourceGroupCount { deletedOfSource.insert(key) }
        }
        loadedGroups?[position.group].deleted?[position.row] = true
        groupsModified = true
        deletionCount += 1
        liveCount -= 1
    }

    /// Forgets the deleted objects that no link leads to any more.
    func forgetDead() { deadKeys = [] }

    /// Removes every object at once.
    func deleteAll() {
        cleared = cleared ?? WorkingClass(source, context: context)
        loadedGroups = []
        openKeys = []
        sourceGroupCount = 0
        groupsModified = true
        deletionCount += liveCount
        liveCount = 0
        unsyncedCount = 0
        for column in [keys] + columns { column.removeAll() }
    }
}
