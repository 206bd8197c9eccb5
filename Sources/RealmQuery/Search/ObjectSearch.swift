import Columns
import RealmModel

/// Finds objects of a class of a snapshot by a query in Realm's language, by columns.
public struct ObjectSearch {
    private let objects: SnapshotObjects
    private let classIndex: Int
    private let query: Query?

    /// Reads the query.
    ///
    /// - Parameters:
    ///   - query: nil for all objects.
    ///   - arguments: what `$0`, `$1` … stand for.
    ///   - name: a class of the declared schema.
    /// - Throws: `QueryError`; nil where the declared schema has no such class.
    public init?(
        _ query: String?, arguments: [Value] = [], on name: String, in snapshot: Snapshot, from store: any SegmentStore
    ) throws(QueryError) {
        objects = SnapshotObjects(snapshot, from: store)
        guard let index = objects.classIndex(of: name) else { return nil }
        classIndex = index
        guard let query else {
            self.query = nil
            return
        }
        self.query = try Query(query, arguments: arguments, on: name, in: snapshot.declared)
    }

    /// Whether the query says in its text how its objects are sorted or cut; then they come all at once.
    public var isOrdered: Bool { query?.isOrdered ?? false }

    /// The first objects that fit, in the order of their keys, or in the query's where it has one.
    ///
    /// - Parameters:
    ///   - key: only objects behind this; nil for the first.
    ///   - limit: the most objects.
    /// - Returns: their keys.
    public func keys(after key: ObjectKey? = nil, limit: Int) throws -> [ObjectKey] {
        if isOrdered { return Array(try orderedObjects().prefix(limit).map(\.key)) }
        var found: [ObjectKey] = []
        try forEachRun(after: key) { run in
            found += run.prefix(limit - found.count)
            return found.count < limit
        }
        return found
    }

    /// The number of objects that fit.
    public func count() throws -> Int {
        if isOrdered { return try orderedObjects().count }
        var count = 0
        try forEachRun { run in
            count += run.count
            return true
        }
        return count
    }

    /// The first objects that fit, in an order, equal ones in that of their keys; no more than some thousand beside those are held.
    ///
    /// - Parameter key: only objects that come behind the one of this key; nil for the first.
    public func keys(
        sorted order: [(path: String, isReversed: Bool)], after key: ObjectKey? = nil, limit: Int
    ) throws -> [ObjectKey] {
        let sort = try SortOrder(order, on: objects.schema.classes[classIndex].name, in: objects.schema)
        if isOrdered { return try sort.sorted(try orderedObjects(), in: objects).prefix(limit).map(\.key) }
        let last = key.map { SnapshotObjects.Object(classIndex: classIndex, key: $0) }
        let place = try last.map { (values: try sort.values(of: $0, in: objects), key: $0.key) }
        var best: [SnapshotObjects.Object] = []
        try forEachRun { run in
            for start in stride(from: 0, to: run.count, by: Self.sortedAtOnce) {
                let part = run[start..<min(start + Self.sortedAtOnce, run.count)]
                let candidates = best + part.map { SnapshotObjects.Object(classIndex: classIndex, key: $0) }
                best = try objects.releasingValues {
                    Array(try sort.sorted(candidates, behind: place, in: objects).prefix(limit))
                }
            }
            return true
        }
        return best.map(\.key)
    }

    private static let sortedAtOnce = 16_384

    /// All objects that fit, in the query's own order.
    private func orderedObjects() throws -> [SnapshotObjects.Object] {
        var found: [SnapshotObjects.Object] = []
        try forEachRun { run in
            try objects.hold(run.count * MemoryLayout<SnapshotObjects.Object>.stride)
            found += run.map { SnapshotObjects.Object(classIndex: classIndex, key: $0) }
            return true
        }
        return try query?.ordered(found, in: objects) ?? found
    }

    /// Hands over the fitting objects of each row group, until a function says no.
    private func forEachRun(after key: ObjectKey? = nil, _ body: ([ObjectKey]) throws -> Bool) throws {
        try forEachGroup(after: key) { _, rows, keys in try body(rows.map { ObjectKey(keys[$0]) }) }
    }

    /// Hands over the number of each row group, the rows of its fitting objects and the keys of all rows, until a function says no.
    private func forEachGroup(
        after key: ObjectKey? = nil, _ body: (_ group: Int, _ rows: [Int], _ keys: [Int64]) throws -> Bool
    ) throws {
        let reader = try objects.reader(of: classIndex)
        for (number, group) in reader.rowGroups.enumerated() {
            if let key, group.lastKey <= key { continue }
            let keys = try objects.keys(of: classIndex, inGroup: number)
            var rows = group.liveRows
            if let key { rows.removeAll { keys[$0] <= key.value } }
            if let query {
                let source = RowGroupObjects(objects: objects, classIndex: classIndex, group: number)
                rows = try query.rows(rows, of: source)
            }
            guard try body(number, rows, keys) else { return }
        }
    }

    /// The values of a property of the objects that fit, with their numbers.
    ///
    /// - Parameter name: a property that is no collection and no link.
    /// - Throws: `QueryError` for any other, and where the query says how objects are sorted or cut.
    public func values(of name: String) throws -> ValueCounts {
        let declared = objects.schema.classes[classIndex]
        guard let column = declared.column(named: name) else {
            throw QueryError("'\(declared.name)' has no property: '\(name)'")
        }
        guard !column.property.isCollection, column.property.type != .object, column.property.type != .linkingObjects
        else {
            throw QueryError("Cannot count values of '\(declared.name).\(name)': property is a collection or a link")
        }
        guard !isOrdered else { throw QueryError("Values are counted of a query without SORT, DISTINCT and LIMIT") }
        let type = ColumnType(column.property)
        var counts = ValueCounts(isMixed: column.property.type == .mixed)
        try forEachGroup { group, rows, _ in
            guard !rows.isEmpty else { return true }
            let array = try objects.column(column.index, of: classIndex, inGroup: group)
            for row in rows {
                try WorkBudget.current?.spend(array.byteCount(at: row))
                let value = try array.value(at: row, as: type)
                if counts.add(value) {
                    try WorkBudget.hold(array.valueByteCount(at: row, as: type) + ValueCounts.entryBytes)
                }
            }
            return true
        }
        return counts
    }
}
