import RealmModel

/// Reads the objects of one class of a snapshot, row group by row group; decodes only the columns that are asked for.
///
/// Shows the class with its patches: objects that these delete are deleted, cells that they change are changed, and the
/// objects that they add are in row groups behind the stored ones.
///
/// Each row group's keys and columns count as work (`WorkBudget`).
public final class ClassReader {
    /// The class that is read.
    public let stored: StoredClass
    /// The row groups in order of their keys.
    public let rowGroups: [RowGroup]
    /// How many of them are stored; the others are of objects that patches add.
    public let storedGroupCount: Int

    /// The rows of these, deleted ones included.
    public var storedRowCount: Int { rowGroups[..<storedGroupCount].reduce(0) { $0 + $1.rowCount } }

    private let patched: PatchedRows?
    private let store: any SegmentStore
    private var keySegments: [Segment]?
    private var columnSegments: [[Segment]?]

    /// Reads the list of row groups and nothing else.
    public init(_ stored: StoredClass, store: any SegmentStore) throws {
        self.stored = stored
        self.store = store
        let groups = try stored.rowGroups.map { try SnapshotCoding.decodeRowGroups(try store.read(segment: $0)) } ?? []
        try WorkBudget.spend(Self.openingBytes + groups.count * 32 + stored.columns.count * 8)
        columnSegments = stored.columns.map { _ in nil }
        storedGroupCount = groups.count
        guard !stored.patches.isEmpty else {
            rowGroups = groups
            patched = nil
            return
        }
        for patch in stored.patches { store.willRead(patch: patch) }
        let keys = StoredKeys(stored, groupCount: groups.count, store)
        let patched = try PatchedRows(
            groups, try stored.patches.map { try store.read(patch: $0) }, keysOfStored: keys.keys(inGroup:))
        rowGroups = patched.groups
        self.patched = patched
    }

    /// The object keys of a row group, deleted rows included.
    public func keys(inGroup group: Int) throws -> [Int64] {
        try WorkBudget.spend(rowGroups[group].rowCount * 8)
        if let keys = rowGroups[group].keysWithoutGaps { return Array(keys) }
        if let patched, group >= storedGroupCount { return patched.keys(ofAdded: group) }
        let array = try store.read(try keySegment(group), as: ColumnType(.int))
        guard case .int(let keys) = array.values else { throw ColumnError.damaged(what: "object keys", offset: 0) }
        return keys
    }

    /// One property of a row group, deleted rows included.
    ///
    /// - Parameters:
    ///   - property: the index in `stored.schema.properties`.
    ///   - group: the index in `rowGroups`.
    public func column(_ property: Int, inGroup group: Int) throws -> ColumnArray {
        guard let patched else { return try storedColumn(property, inGroup: group) }
        let array = try patched.column(property, of: stored, inGroup: group) {
            try storedColumn(property, inGroup: group)
        }
        try WorkBudget.spend(array.byteCount)
        return array
    }

    /// The value of one cell in patches; nil where it is as it is stored.
    ///
    /// For who looks at few cells of a row group, which `column` would make whole.
    ///
    /// - Parameters:
    ///   - property: the index in `stored.schema.properties`.
    ///   - row: the row in its row group.
    ///   - group: the index in `rowGroups`.
    public func patchedValue(_ property: Int, at row: Int, inGroup group: Int) throws -> Value? {
        try patched?.value(property, of: stored, at: row, inGroup: group)
    }

    /// One property of a stored row group, without what patches make of it.
    public func storedColumn(_ property: Int, inGroup group: Int) throws -> ColumnArray {
        let array = try store.read(
            try storedSegment(property, inGroup: group), as: ColumnType(stored.schema.properties[property]))
        try WorkBudget.spend(array.byteCount)
        return array
    }

    /// Opening a class counts as this many bytes, however small the class is.
    private static let openingBytes = 4096

    /// How many row groups are announced at once.
    private static let announcedGroups = 16

    /// Announces to the store what is to be read, row group by row group, from one on; keys come before properties.
    ///
    /// Called before each row group; speaks of some at once.
    ///
    /// - Parameter properties: the indexes in `stored.schema.properties`, in the order in which they are read.
    public func willRead(keys: Bool = true, _ properties: some Collection<Int>, inGroup first: Int) throws {
        guard first.isMultiple(of: Self.announcedGroups) else { return }
        for group in first..<max(first, min(first + Self.announcedGroups, storedGroupCount)) {
            try willRead(keys: keys, properties, ofGroup: group)
        }
    }

    /// Announces to the store that one row group is to be read.
    public func willRead(keys: Bool = true, _ properties: some Collection<Int>, ofGroup group: Int) throws {
        guard group < storedGroupCount else { return }
        let unread = properties.filter { columnSegments[$0] == nil }.map { stored.columns[$0] }
        for case .segments(let id) in (keys && keySegments == nil ? [stored.keys] : []) + unread {
            store.willRead(column: id, segmentCount: storedGroupCount)
        }
        if keys { store.willRead(try keySegment(group)) }
        for property in properties { store.willRead(try storedSegment(property, inGroup: group)) }
    }

    /// Where one property of a row group is kept; nil where patches have something of it.
    public func segment(_ property: Int, inGroup group: Int) throws -> Segment? {
        if let patched, try patched.isPatched(property, of: stored, inGroup: group) { return nil }
        return try storedSegment(property, inGroup: group)
    }

    /// The rows of the class, counted from its first, that may have a primary key: all that have it, and perhaps others.
    ///
    /// - Parameter property: the primary key's index in `stored.schema.properties`.
    /// - Returns: nil where the store has no index of the column; the column tells then, and `addedRows`.
    public func rows(withPrimaryKey value: Value, property: Int) throws -> [Int]? {
        guard let stored = try store.rows(withPrimaryKey: value, of: self, property: property) else { return nil }
        let added = addedRows(withPrimaryKey: value)
        return added.isEmpty ? stored : stored + added
    }

    /// The rows of those objects that patches add.
    public func addedRows(withPrimaryKey value: Value) -> [Int] {
        guard let patched, let hash = PrimaryKeyHash(value) else { return [] }
        return patched.addedRows(of: hash)
    }

    /// Where one property of a stored row group is kept, without what patches make of it.
    package func storedSegment(_ property: Int, inGroup group: Int) throws -> Segment {
        if columnSegments[property] == nil { columnSegments[property] = try segments(of: stored.columns[property]) }
        return try segment(group, of: columnSegments[property])
    }

    /// Where the keys of a stored row group are kept.
    package func keySegment(inGroup group: Int) throws -> Segment { try keySegment(group) }

    private func keySegment(_ group: Int) throws -> Segment {
        if keySegments == nil { keySegments = try segments(of: stored.keys) }
        return try segment(group, of: keySegments)
    }

    private func segment(_ group: Int, of segments: [Segment]?) throws -> Segment {
        guard let segments, segments.indices.contains(group) else {
            throw ColumnError.damaged(what: "row group \(group) has no segment", offset: 0)
        }
        return segments[group]
    }

    private func segments(of column: Column) throws -> [Segment] {
        switch column {
        case .constant(let value):
            rowGroups[..<storedGroupCount].map { Segment(repeating: value, rowCount: $0.rowCount) }
        case .segments(let id): try store.read(column: id)
        }
    }
}

/// The keys of a class's stored row groups.
private struct StoredKeys {
    private let column: Column
    private let groupCount: Int
    private let store: any SegmentStore

    init(_ stored: StoredClass, groupCount: Int, _ store: any SegmentStore) {
        column = stored.keys
        self.groupCount = groupCount
        self.store = store
    }

    func keys(inGroup group: Int) throws -> [Int64] {
        guard case .segments(let id) = column else { throw ColumnError.damaged(what: "object keys", offset: 0) }
        let segments = try store.read(column: id)
        guard segments.count == groupCount else { throw ColumnError.damaged(what: "object keys", offset: 0) }
        guard case .int(let keys) = try store.read(segments[group], as: ColumnType(.int)).values else {
            throw ColumnError.damaged(what: "object keys", offset: 0)
        }
        return keys
    }
}
