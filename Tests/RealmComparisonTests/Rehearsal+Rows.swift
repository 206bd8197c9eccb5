import Columns
import RealmModel

@testable import RealmComparison

/// Properties of a class, and the values of its objects in their order.
typealias Rows = ([Property], [[Value]])

/// A class, and the values of its objects in their order.
struct ClassRows {
    var schema: ObjectSchema
    var rows: [[Value]]

    init(_ name: String, kind: ClassKind = .topLevel, _ properties: [Property], _ rows: [[Value]]) {
        schema = ObjectSchema(name, kind: kind, properties: properties)
        self.rows = rows
    }
}

extension Rehearsal {
    /// Rehearses a migration of one class that keeps its objects.
    init(_ before: Rows, _ after: Rows) throws {
        try self.init([ClassRows("Thing", before.0, before.1)], [ClassRows("Thing", after.0, after.1)])
    }

    /// Rehearses a migration of some classes.
    init(_ before: [ClassRows], _ after: [ClassRows], renames: [SchemaRename] = [], groupRows: Int = 8) throws {
        let store = MemorySegmentStore()
        let sides = try [before, after].map { classes in
            let stored = try classes.map { table in
                let limits = RowGroupLimits(rows: groupRows, bytes: 1 << 20)
                let writer = ClassWriter(schema: table.schema, store: store, limits: limits)
                for (key, row) in table.rows.enumerated() {
                    for (column, value) in row.enumerated() { try writer.columns[column].append(value) }
                    try writer.endRow(key: ObjectKey(Int64(key)))
                }
                return try writer.finish(nextSequence: Int64(table.rows.count))
            }
            return Snapshot(schemaVersion: 1, declared: Schema(classes.map(\.schema)), classes: stored)
        }
        try self.init(from: sides[0], to: sides[1], renames: renames, store: store)
    }
}
