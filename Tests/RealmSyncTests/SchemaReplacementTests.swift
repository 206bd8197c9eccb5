import Columns
import RealmModel
import RealmSync
import Testing

@Suite struct `Another schema for a synced realm` {
    private static let note = ObjectSchema(
        "Note", primaryKey: "_id",
        properties: [
            Property("_id", .int), Property("title", .string), Property("rating", .int, isOptional: true),
            Property("tags", .string, collection: .list),
        ])
    private static let tag = ObjectSchema("Tag", primaryKey: "_id", properties: [Property("_id", .int)])

    private let store = MemorySegmentStore()

    /// Notes with the titles "7", "8", … and a rating of every other one.
    private func realm(_ count: Int = 4) throws -> Snapshot {
        let writer = ClassWriter(schema: Self.note, store: store, limits: RowGroupLimits(rows: 3, bytes: 1 << 20))
        for number in 0..<count {
            let values: [Value] = [
                .int(Int64(number)), .string("\(number + 7)"), number.isMultiple(of: 2) ? .int(5) : .null,
                .list([.string("a")]),
            ]
            for (builder, value) in zip(writer.columns, values) { try builder.append(value) }
            try writer.endRow(key: ObjectKey(Int64(number)))
        }
        return Snapshot(
            schemaVersion: 1, declared: Schema([Self.note, Self.tag]),
            classes: [try writer.finish(nextSequence: Int64(count)), StoredClass(empty: Self.tag)])
    }

    private func replaced(_ change: (inout ObjectSchema) -> Void) throws -> Snapshot {
        var note = Self.note
        change(&note)
        return try SchemaReplacement(try realm(), in: store).replaced(by: Schema([note, Self.tag]))
    }

    private func values(_ property: String, in snapshot: Snapshot) throws -> [Value] {
        let reader = try ClassReader(try #require(snapshot["Note"]), store: store)
        let index = try #require(
            reader.stored.schema.properties.firstIndex { $0.name.hasSameBytes(as: property) })
        return try reader.rowGroups.indices.flatMap { group in
            let column = try reader.column(index, inGroup: group)
            return try reader.rowGroups[group].liveRows.map {
                try column.value(at: $0, as: ColumnType(reader.stored.schema.properties[index]))
            }
        }
    }

    @Test func `keeps the old values of a property whose type changes, and has the objects unsynced for it`() throws {
        let after = try replaced { $0.properties[1].type = .int }
        let stored = try #require(after["Note"])
        #expect(stored.unsyncedCount == 4)
        #expect(try values("title", in: after) == [.null, .null, .null, .null])
        let kept = try #require(stored.schema.keptProperties(of: "title").first)
        #expect(kept.type == .string)
        #expect(try values(kept.name, in: after) == (7..<11).map { .string("\($0)") })
        let unsynced = try UnsyncedObject.list(in: after, from: store, limit: 10)
        #expect(unsynced.map(\.key.value) == [0, 1, 2, 3])
        #expect(
            unsynced.first?.reason
                == "The property 'Note.title' has no value; an old one of type 'string' is kept.")
        #expect(after.declared["Note"]?.property(named: kept.name) == nil)
    }

    @Test func `keeps what has values where a type changes twice`() throws {
        var once = try replaced { $0.properties[1].type = .int }
        var note = Self.note
        note.properties[1].type = .bool
        once = try SchemaReplacement(once, in: store).replaced(by: Schema([note, Self.tag]))
        let names = try #require(once["Note"]).schema.properties.filter { $0.alias == "title" }.map(\.name)
        #expect(names == ["~~1"])
        #expect(once.unsyncedCount == 4)
    }

    @Test func `has objects unsynced that have null where none is permitted any more`() throws {
        let after = try replaced { $0.properties[2].isOptional = false }
        #expect(after.unsyncedCount == 2)
        #expect(try values("rating", in: after) == [.int(5), .null, .int(5), .null])
        let unsynced = try UnsyncedObject.list(in: after, from: store, limit: 10)
        #expect(unsynced.map(\.reason).first == "The required property 'Note.rating' is missing.")
        #expect(unsynced.map(\.primaryKey) == [.int(1), .int(3)])
    }

    @Test func `leaves values where a property is made optional, and where it goes`() throws {
        let optional = try replaced { $0.properties[1].isOptional = true }
        #expect(optional.unsyncedCount == 0)
        #expect(try values("title", in: optional) == (7..<11).map { .string("\($0)") })
        let gone = try replaced { $0.properties.remove(at: 1) }
        #expect(gone.unsyncedCount == 0)
        #expect(gone.declared["Note"]?.property(named: "title") == nil)
        #expect(try values("title", in: gone) == (7..<11).map { .string("\($0)") })
    }

    @Test func `adds what is new, and has objects unsynced that lack a required property`() throws {
        let after = try replaced { $0.properties.append(Property("size", .int)) }
        #expect(after.unsyncedCount == 4)
        let optional = try replaced { $0.properties.append(Property("size", .int, isOptional: true)) }
        #expect(optional.unsyncedCount == 0)
        let more = Schema([
            Self.note, ObjectSchema("Folder", primaryKey: "_id", properties: [Property("_id", .string)]),
        ])
        let grown = try SchemaReplacement(try realm(), in: store).replaced(by: more)
        #expect(grown["Folder"]?.objectCount == 0)
        #expect(grown["Tag"] != nil)
        #expect(grown.declared["Tag"] == nil)
    }

    @Test func `takes a renamed property for another one, and keeps the old one's values`() throws {
        let after = try replaced { $0.properties[1].name = "name" }
        #expect(after.unsyncedCount == 4)
        #expect(try values("title", in: after) == (7..<11).map { .string("\($0)") })
    }

    @Test func `keeps a collection whose elements change, and has the objects unsynced for it`() throws {
        let after = try replaced { $0.properties[3].type = .int }
        #expect(after.unsyncedCount == 4)
        #expect(try values("tags", in: after) == [.list([]), .list([]), .list([]), .list([])])
        #expect(try values("~~1", in: after).allSatisfy { $0 == .list([.string("a")]) })
        let unsynced = try UnsyncedObject.list(in: after, from: store, limit: 2)
        #expect(unsynced.map { $0.missing.map(\.property) } == [["tags"], ["tags"]])
    }

    @Test func `has objects unsynced whose optional value is of another type now`() throws {
        let after = try replaced { $0.properties[2].type = .string }
        #expect(after.unsyncedCount == 2)
        #expect(try values("rating", in: after) == [.null, .null, .null, .null])
        let unsynced = try UnsyncedObject.list(in: after, from: store, limit: 10)
        #expect(unsynced.map(\.key.value) == [0, 2])
        let title = try replaced { ($0.properties[1].type, $0.properties[1].isOptional) = (.int, true) }
        #expect(title.unsyncedCount == 4)
    }

    @Test(arguments: [[PropertyType.bool], [.bool, .double], [.bool, .double, .bool, .data]])
    func `puts kept values back where their type comes back`(others: [PropertyType]) throws {
        for place in [1, 2, 3] {
            var changed = try realm()
            for type in others {
                var note = Self.note
                note.properties[place].type = type
                changed = try SchemaReplacement(changed, in: store).replaced(by: Schema([note, Self.tag]))
            }
            let back = try SchemaReplacement(changed, in: store).replaced(by: Schema([Self.note, Self.tag]))
            #expect(back.unsyncedCount == 0)
            let name = Self.note.properties[place].name
            #expect(try values(name, in: back) == values(name, in: realm()))
            #expect(back["Note"]?.schema.properties.count == 4)
        }
    }

    @Test func `has nothing unsynced for what left the schema, until that is there again`() throws {
        var note = Self.note
        note.properties[3].type = .int
        let changed = try SchemaReplacement(try realm(), in: store).replaced(by: Schema([note, Self.tag]))
        let tags = note.properties.remove(at: 3)
        let gone = try SchemaReplacement(changed, in: store).replaced(by: Schema([note, Self.tag]))
        #expect(gone.unsyncedCount == 0)
        note.properties.append(tags)
        let back = try SchemaReplacement(gone, in: store).replaced(by: Schema([note, Self.tag]))
        #expect(back.unsyncedCount == 4)
        #expect(try SchemaReplacement(changed, in: store).without(note).unsyncedCount == 0)
        #expect(try SchemaReplacement(changed, in: store).replaced(by: Schema([Self.tag])).unsyncedCount == 0)
    }

    @Test func `is refused where objects would not be found again`() throws {
        #expect(throws: ServerSchemaError.notReplaceable(className: "Note")) {
            try replaced { $0.properties[0].type = .string }
        }
        #expect(throws: ServerSchemaError.self) { try replaced { $0.primaryKey = nil } }
        var embedded = Self.tag
        embedded.kind = .embedded
        embedded.primaryKey = nil
        var note = Self.note
        note.properties.append(Property("tag", .object, objectType: "Tag", isOptional: true))
        #expect(throws: ServerSchemaError.notReplaceable(className: "Tag")) {
            try SchemaReplacement(try realm(), in: store).replaced(by: Schema([note, embedded]))
        }
    }
}
