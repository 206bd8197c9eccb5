import Columns
import RealmModel

@testable import RealmComparison

/// Properties of a class, and the values of its objects in their order.
typealias Rows = ([Property], [[Value]])

extension Rehearsal {
    /// Rehearses a migration of one class that keeps its objects.
    init(_ before: Rows, _ after: Rows) throws {
        let store = MemorySegmentStore()
        let sides = try [before, after].map { properties, rows in
            let schema = ObjectSchema("Thing", properties: properties)
            let writer = ClassWriter(schema: schema, store: store, limits: RowGroupLimits(rows: 8, bytes: 1 << 20))
            for (key, row) in rows.enumerated() {
                for (column, value) in row.enumerated() { try writer.columns[column].append(value) }
                try writer.endRow(key: ObjectKey(Int64(key)))
            }
            let stored = try writer.finish(nextSequence: Int64(rows.count))
            return Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: [stored])
        }
        try self.init(from: sides[0], to: sides[1], store: store)
    }
}
