import RealmModel

/// Writes the objects of one class into a store, row group by row group, in ascending order of their keys.
public final class ClassWriter {
    /// The stored schema: properties in column order, linking objects left out.
    public let schema: ObjectSchema
    /// One builder a property of `schema`; append a row to each, then call `endRow`.
    public let columns: [ColumnBuilder]
    /// The objects written so far.
    @exclusivity(unchecked) public private(set) var objectCount = 0

    private let store: any SegmentStore
    private let limits: RowGroupLimits
    @exclusivity(unchecked) private var keys: [Int64] = []
    /// The number of rows of the open row group at which its bytes are counted.
    @exclusivity(unchecked) private var nextLook = 1
    private static let mostRowsUnseen = 64
    @exclusivity(unchecked) private var rowGroups: [RowGroup] = []
    @exclusivity(unchecked) private var keySegments: [Segment] = []
    @exclusivity(unchecked) private var columnSegments: [[Segment]]

    /// Starts a class without objects.
    public init(schema: ObjectSchema, store: any SegmentStore, limits: RowGroupLimits = .standard) {
        var stored = schema
        stored.properties = schema.persistedProperties
        self.schema = stored
        self.store = store
        self.limits = limits
        columns = stored.properties.map { ColumnBuilder(ColumnType($0)) }
        columnSegments = stored.properties.map { _ in [] }
    }

    /// The largest key written so far.
    public var lastKey: ObjectKey? {
        keys.last.map { ObjectKey($0) } ?? rowGroups.last?.lastKey
    }

    /// Ends a row whose values are in the builders, and closes the row group where it is full.
    ///
    /// - Parameter key: greater than all before it.
    public func endRow(key: ObjectKey) throws {
        keys.append(key.value)
        guard keys.count >= min(limits.rows, nextLook) else { return }
        let bytes = columns.reduce(0) { $0 + $1.byteCount }
        guard keys.count < limits.rows, bytes < limits.bytes else { return try closeRowGroup() }
        // Half of the rows that would fill the group if they went on as they are, so that none is far over its limit.
        let rest = (limits.bytes - bytes) / max(bytes / keys.count, 1) / 2
        nextLook = keys.count + min(max(rest, 1), Self.mostRowsUnseen)
    }

    /// Writes a whole row group at once; rows waiting in the builders are closed before it.
    ///
    /// - Parameters:
    ///   - keys: ascending, greater than all before them, at least one.
    ///   - arrays: one a property, each of as many rows as there are keys.
    public func append(keys: [Int64], columns arrays: [ColumnArray]) throws {
        try closeRowGroup()
        try write(keys: keys, columns: arrays)
    }

    /// Closes the last row group and describes the class.
    ///
    /// - Parameter nextSequence: the counter that the next object's key is made of.
    public func finish(nextSequence: Int64) throws -> StoredClass {
        try closeRowGroup()
        guard !rowGroups.isEmpty else {
            var empty = StoredClass(empty: schema)
            empty.nextSequence = nextSequence
            return empty
        }
        return StoredClass(
            schema: schema, nextSequence: nextSequence, objectCount: objectCount,
            rowGroups: try store.write(segment: SnapshotCoding.encode(rowGroups: rowGroups)),
            keys: .segments(try store.write(column: keySegments)),
            columns: try columnSegments.map { .segments(try store.write(column: $0)) })
    }

    private func closeRowGroup() throws {
        guard !keys.isEmpty else { return }
        nextLook = 1
        var closing: [Int64] = []
        swap(&closing, &keys)
        try write(keys: closing, columns: columns.map { $0.finish() })
    }

    private func write(keys: [Int64], columns arrays: [ColumnArray]) throws {
        guard let first = keys.first, let last = keys.last else { return }
        rowGroups.append(RowGroup(rowCount: keys.count, firstKey: ObjectKey(first), lastKey: ObjectKey(last)))
        keySegments.append(try store.write(ColumnArray(count: keys.count, values: .int(keys))))
        for (index, array) in arrays.enumerated() { columnSegments[index].append(try store.write(array)) }
        objectCount += keys.count
    }
}
