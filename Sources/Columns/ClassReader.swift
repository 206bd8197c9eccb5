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
        if keySegments == nil { keySegments = try segments(of: stored.keys) }
        let array = try store.read(try segment(group, of: keySegments), as: ColumnType(.int))
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

    /// Where one property of a row group is kept.
    public func segment(_ property: Int, inGroup group: Int) throws -> Segment {
        if columnSegments[property] == nil { columnSegments[property] = try segments(of: stored.columns[property]) }
        return try segment(group, of: columnSegments[property])
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
