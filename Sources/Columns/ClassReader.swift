import RealmModel

/// Reads the objects of one class of a snapshot, row group by row group; decodes only the columns that are asked for.
public final class ClassReader {
    /// The class that is read.
    public let stored: StoredClass
    /// The row groups in order of their keys.
    public let rowGroups: [RowGroup]

    private let store: any SegmentStore
    private var keySegments: [Segment]?
    private var columnSegments: [[Segment]?]

    /// Reads the list of row groups and nothing else.
    public init(_ stored: StoredClass, store: any SegmentStore) throws {
        self.stored = stored
        self.store = store
        rowGroups = try stored.rowGroups.map { try SnapshotCoding.decodeRowGroups(try store.read(segment: $0)) } ?? []
        columnSegments = stored.columns.map { _ in nil }
    }

    /// The object keys of a row group, deleted rows included.
    public func keys(inGroup group: Int) throws -> [Int64] {
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
        try store.read(
            try segment(property, inGroup: group), as: ColumnType(stored.schema.properties[property]))
    }

    /// How many row groups are announced at once.
    private static let announcedGroups = 16

    /// Announces to the store what is to be read, row group by row group, from one on; keys come before properties.
    ///
    /// Called before each row group; speaks of some at once.
    ///
    /// - Parameter properties: the indexes in `stored.schema.properties`, in the order in which they are read.
    public func willRead(keys: Bool = true, _ properties: some Collection<Int>, inGroup first: Int) throws {
        guard first.isMultiple(of: Self.announcedGroups) else { return }
        for group in first..<max(first, min(first + Self.announcedGroups, rowGroups.count)) {
            try willRead(keys: keys, properties, ofGroup: group)
        }
    }

    /// Announces to the store that one row group is to be read.
    public func willRead(keys: Bool = true, _ properties: some Collection<Int>, ofGroup group: Int) throws {
        let unread = properties.filter { columnSegments[$0] == nil }.map { stored.columns[$0] }
        for case .segments(let id) in (keys && keySegments == nil ? [stored.keys] : []) + unread {
            store.willRead(column: id, segmentCount: rowGroups.count)
        }
        if keys { store.willRead(try keySegment(group)) }
        for property in properties { store.willRead(try segment(property, inGroup: group)) }
    }

    /// Where one property of a row group is kept.
    public func segment(_ property: Int, inGroup group: Int) throws -> Segment {
        if columnSegments[property] == nil { columnSegments[property] = try segments(of: stored.columns[property]) }
        return try segment(group, of: columnSegments[property])
    }

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
        case .constant(let value): rowGroups.map { Segment(repeating: value, rowCount: $0.rowCount) }
        case .segments(let id): try store.read(column: id)
        }
    }
}
