import Columns
import RealmEditing
import RealmModel
import TestRandomness
import Testing

/// Objects that lack a value which their class requires are counted as they come and go, whatever happens to them.
@Suite struct `The count of unsynced objects` {
    private static let name = Property("name", .string)
    private static let required = [Property("age", .int), Property("city", .string)]

    private let store = MemorySegmentStore()

    /// Objects with the primary keys from 0 on, and then two required properties that none of them has.
    private func realm(_ count: Int, _ limits: RowGroupLimits) throws -> Snapshot {
        let schema = ObjectSchema("Note", primaryKey: "_id", properties: [Property("_id", .int), Self.name])
        let writer = ClassWriter(schema: schema, store: store, limits: limits)
        for number in 0..<count {
            try writer.columns[0].append(.int(Int64(number)))
            try writer.columns[1].append(.string("note \(number)"))
            try writer.endRow(key: ObjectKey(Int64(number)))
        }
        let snapshot = Snapshot(
            schemaVersion: 1, declared: Schema([schema]), classes: [try writer.finish(nextSequence: Int64(count))])
        let editor = RealmEditor(editing: snapshot, in: store, limits: limits)
        let notes = try #require(editor.view.realm["Note"])
        for property in Self.required { notes.addColumn(property, filledWith: .null) }
        return try editor.view.realm.finish(schemaVersion: 1, declared: Schema([notes.schema]))
    }

    /// How many objects have a null where none may be, looked for one by one.
    private func scanned(_ snapshot: Snapshot) throws -> Int {
        let reader = try ClassReader(try #require(snapshot["Note"]), store: store)
        let required = reader.requiredProperties
        return try reader.rowGroups.indices.reduce(0) { count, group in
            let columns = try required.map { try reader.column($0, inGroup: group) }
            return count + reader.rowGroups[group].liveRows.count { row in columns.contains { $0.isNull(row) } }
        }
    }

    private func change(_ editor: RealmEditor, _ random: inout SeededGenerator, next: inout Int64) throws {
        let note = try editor.view.object(in: 0, primaryKey: .int(Int64(random.below(Int(next)))))
        switch random.below(5) {
        case 0:
            let id = next
            next += 1
            _ = try editor.create(
                in: "Note",
                .members([
                    ("_id", .int(id)), ("name", .string("")), ("age", .int(id)), ("city", .string("Bath")),
                ]))
        case 1: if let note { try editor.delete(note) }
        case 2: if let note { try editor.set(2, of: note, to: .int(1)) }
        case 3: if let note { try editor.set(3, of: note, to: .string("Ely")) }
        default: if let note { try editor.set(1, of: note, to: .string("other")) }
        }
    }

    @Test(arguments: [1, 2, 3, 100])
    func `is that of a scan after every batch of changes`(rows: Int) throws {
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        var random = SeededGenerator(seed: 11, iteration: UInt64(rows))
        var snapshot = try realm(40, limits)
        #expect(snapshot.unsyncedCount == 40)
        var next: Int64 = 40
        for _ in 0..<30 {
            let editor = RealmEditor(editing: snapshot, in: store, limits: limits)
            for _ in 0..<6 { try change(editor, &random, next: &next) }
            snapshot = try editor.view.realm.finish(schemaVersion: 1, declared: snapshot.declared)
            #expect(try snapshot.unsyncedCount == scanned(snapshot))
            #expect(try SnapshotCoding.decodeSnapshot(SnapshotCoding.encode(snapshot)) == snapshot)
            try #require(snapshot["Note"]).checkShape(in: store)
        }
        #expect(snapshot.unsyncedCount < 40)
    }

    @Test func `goes down when a column is filled as a whole`() throws {
        let limits = RowGroupLimits(rows: 3, bytes: 1 << 20)
        let before = try realm(7, limits)
        let editor = RealmEditor(editing: before, in: store, limits: limits)
        for group in 0..<3 {
            let count = try editor.view.realm["Note"]?.groups()[group].rowCount ?? 0
            for property in [2, 3] {
                let value: Value = property == 2 ? .int(1) : .string("Ely")
                let array = try ColumnArray(
                    repeating: value, count: count, as: ColumnType(Self.required[property - 2]))
                try editor.replaceColumn(property, of: 0, rowGroup: group, with: array)
                // The second property is the one that counts.
                let left = max(7 - 3 * (property == 3 ? group + 1 : group), 0)
                #expect(editor.view.realm["Note"]?.unsyncedCount == left)
            }
        }
        let after = try editor.view.realm.finish(schemaVersion: 1, declared: before.declared)
        #expect(after.unsyncedCount == 0)
    }

    @Test func `counts no object more than once, and none of a property that is optional now`() throws {
        let before = try realm(5, .standard)
        let editor = RealmEditor(editing: before, in: store)
        try editor.set(3, of: try #require(try editor.view.object(in: 0, primaryKey: .int(2))), to: .string("Ely"))
        let notes = try #require(editor.view.realm["Note"])
        notes.column(named: "age")?.property.isOptional = true
        let after = try editor.view.realm.finish(schemaVersion: 1, declared: Schema([notes.schema]))
        #expect(after.unsyncedCount == 4)
        #expect(try scanned(after) == 4)
    }

    @Test func `knows the rows`() throws {
        let reader = try ClassReader(try #require(try realm(3, .standard)["Note"]), store: store)
        let rows = try #require(try reader.unsyncedRows(inGroup: 0))
        #expect((0..<3).map { rows[$0] } == [true, true, true])
    }
}
