import RealmModel

extension StoredClass {
    /// Checks that row groups, keys and columns speak of the same rows, so that a reader of one stays within the others.
    ///
    /// Reads the lists of row groups and segments, and no segment.
    ///
    /// - Parameters:
    ///   - store: where the class is.
    ///   - known: a class that was checked before; what both have in common is not read again.
    /// - Throws: `ColumnError` where they do not, and what the store throws.
    public func checkShape(in store: any SegmentStore, knowing known: StoredClass? = nil) throws {
        let known = known?.rowGroups == rowGroups ? known : nil
        let groups = try rowGroups.map { try SnapshotCoding.decodeRowGroups(try store.read(segment: $0)) } ?? []
        let shape = RowGroupShape(groups)
        guard patches.isEmpty else { throw ColumnError.damaged(what: "patches where none can be", offset: 0) }
        guard shape.isAscending else { throw ColumnError.damaged(what: "the keys of row groups", offset: 0) }
        guard shape.objectCount == objectCount, (0...objectCount).contains(unsyncedCount), nextSequence >= 0 else {
            throw ColumnError.damaged(what: "the number of objects", offset: 0)
        }
        if case .constant = keys, !groups.isEmpty { throw ColumnError.damaged(what: "object keys", offset: 0) }
        guard columns.count == schema.properties.count else {
            throw ColumnError.damaged(what: "the number of columns", offset: 0)
        }
        if keys != known?.keys { try shape.check(keys, as: ColumnType(.int), in: store) }
        for (index, column) in columns.enumerated() {
            if case .segments = column, known?.columns.contains(column) == true { continue }
            try shape.check(column, as: ColumnType(schema.properties[index]), in: store)
        }
    }
}

/// How many rows each row group of a class has.
private struct RowGroupShape {
    private let rowCounts: [Int]
    let objectCount: Int
    /// Whether keys ascend from group to group.
    let isAscending: Bool

    init(_ groups: [RowGroup]) {
        rowCounts = groups.map(\.rowCount)
        objectCount = groups.reduce(0) { $0 + $1.objectCount }
        isAscending =
            groups.allSatisfy { $0.firstKey <= $0.lastKey }
            && zip(groups, groups.dropFirst()).allSatisfy { $0.lastKey < $1.firstKey }
    }

    /// Checks that a column has a segment of as many rows for each group, and that constants are of its type.
    func check(_ column: Column, as type: ColumnType, in store: any SegmentStore) throws {
        switch column {
        case .constant(let value): try Self.check(value, as: type)
        case .segments(let id):
            let segments = try store.read(column: id)
            guard rowCounts.isEmpty || segments.map(\.rowCount) == rowCounts else {
                throw ColumnError.damaged(what: "the rows of a column", offset: 0)
            }
            for case .constant(let value) in segments.map(\.content) { try Self.check(value, as: type) }
        }
    }

    private static func check(_ value: Value, as type: ColumnType) throws(ColumnError) {
        try ColumnBuilder(type).append(value)
    }
}
