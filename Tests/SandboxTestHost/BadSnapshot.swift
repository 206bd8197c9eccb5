import Columns
import RealmModel

/// Snapshots that no decoder and no migration makes.
enum BadSnapshot {
    /// The snapshot of a fault; nil where there is no such.
    static func named(_ fault: String, in store: any SegmentStore) throws -> Snapshot? {
        switch fault {
        case "foreign snapshot": foreign
        case "more rows than any group has": try snapshot(rows: [Int(Int32.max)], in: store)
        case "more objects than rows": try snapshot(rows: [3], objects: 4, in: store)
        case "fewer keys than rows": try snapshot(rows: [3], keys: [2], in: store)
        case "fewer values than rows": try snapshot(rows: [3, 3], values: [3, 2], in: store)
        case "no values for a row group": try snapshot(rows: [3, 3], values: [3], in: store)
        case "a constant of another type": try snapshot(rows: [3], constant: .string("1"), in: store)
        case "constant keys": try snapshot(rows: [3], hasKeys: false, in: store)
        case "keys that go back": try snapshot(rows: [3, 3], firstKeys: [5, 0], in: store)
        default: nil
        }
    }

    private static var foreign: Snapshot {
        var stored = StoredClass(empty: ObjectSchema("A", properties: [Property("a", .int)]))
        stored.columns = [.segments(SegmentID(batch: BatchID(high: 0, low: 0), ordinal: 0))]
        return Snapshot(schemaVersion: 0, declared: Schema(), classes: [stored])
    }

    /// A snapshot of one class with constants for values, whose parts need not fit one another.
    private static func snapshot(
        rows: [Int], objects: Int? = nil, keys: [Int]? = nil, values: [Int]? = nil, constant: Value = .int(1),
        hasKeys: Bool = true, firstKeys: [Int64] = [0, 10], in store: any SegmentStore
    ) throws -> Snapshot {
        let schema = ObjectSchema("A", properties: [Property("a", .int)])
        let groups = zip(rows, firstKeys).map { rows, first in
            RowGroup(rowCount: rows, firstKey: ObjectKey(first), lastKey: ObjectKey(first + 2))
        }
        let keyColumn = (keys ?? rows).map { Segment(repeating: .int(0), rowCount: $0) }
        let valueColumn = (values ?? rows).map { Segment(repeating: constant, rowCount: $0) }
        let stored = StoredClass(
            schema: schema, nextSequence: 20, objectCount: objects ?? rows.reduce(0, +),
            rowGroups: try store.write(segment: SnapshotCoding.encode(rowGroups: groups)),
            keys: hasKeys ? .segments(try store.write(column: keyColumn)) : .constant(.int(0)),
            columns: [.segments(try store.write(column: valueColumn))])
        return Snapshot(schemaVersion: 0, declared: Schema([schema]), classes: [stored])
    }
}
