import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Converting classes to embedded and back` {
    private func part(_ kind: ClassKind, primaryKey: String? = nil, _ more: [Property] = []) -> ObjectSchema {
        ObjectSchema("Part", kind: kind, primaryKey: primaryKey, properties: [Property("n", .int)] + more)
    }

    private let whole = ObjectSchema(
        "Whole",
        properties: [
            Property("part", .object, objectType: "Part", isOptional: true),
            Property("parts", .object, collection: .list, objectType: "Part"),
            Property("byName", .object, collection: .dictionary, objectType: "Part", isOptional: true),
        ])

    private func realm(parts: Int64, wholes: [TestRealm.Object], rows: Int = 2) throws -> TestRealm {
        try TestRealm(
            [part(.topLevel), whole], objects: ["Part": (0..<parts).map { ["n": .int($0)] }, "Whole": wholes],
            limits: .init(rows: rows, bytes: 1 << 20))
    }

    private func link(_ key: Int64) -> Value { .link(ObjectKey(key)) }

    /// The parts of each whole, by their numbers.
    private func owned(_ realm: TestRealm) throws -> [[Value]] {
        let numbers = try Dictionary(uniqueKeysWithValues: realm.objects("Part").map { ($0["_key"], $0["n"]) })
        return try realm.objects("Whole").map { object in
            ["part", "parts", "byName"].flatMap { (object[$0] ?? .null).linkedKeys }
                .map { numbers[.int($0.value)].flatMap { $0 } ?? .null }
        }
    }

    @Test(arguments: [false, true])
    func `is free for empty classes, either way`(isEmbedded: Bool) throws {
        let (before, after) = isEmbedded ? (part(.embedded), part(.topLevel)) : (part(.topLevel), part(.embedded))
        let source = try TestRealm([before, whole])
        #expect(try source.failed(to: [after, whole], version: 0).code == .schemaMismatch)
        let migrated = try source.migrated(to: [after, whole])
        #expect(migrated.snapshot["Part"]?.schema.kind == after.kind)
    }

    @Test(arguments: [1, 2, 16_384], [false, true])
    func `keeps objects that have one link each`(rows: Int, resolves: Bool) throws {
        let source = try realm(
            parts: 4,
            wholes: [
                ["part": link(3)], ["parts": .list([link(1), link(0)])],
                ["byName": .dictionary([DictionaryEntry("k", link(2)), DictionaryEntry("none", .null)])],
            ], rows: rows)
        let migrated = try source.migrated(
            to: [part(.embedded), whole], resolving: resolves
        ) { transaction in
            var count = 0
            try transaction.enumerate("Part") { old, new throws in
                count += 1
                #expect(
                    try transaction.value("n", of: try #require(old)) == transaction.value("n", of: try #require(new)))
            }
            #expect(count == 4)
        }
        #expect(try migrated.contents() == source.contents())
        #expect(migrated.snapshot["Part"]?.schema.kind == .embedded)
    }

    @Test func `needs a link to each object`() throws {
        let source = try realm(parts: 2, wholes: [["part": link(1)]])
        let error = try source.failed(to: [part(.embedded), whole])
        #expect(
            error.message
                == "Cannot convert 'Part' to embedded: at least one object has no incoming links and would be deleted.")
        #expect(error.details.map(\.key) == [ObjectKey(0)])
        #expect(error.details[0].hint?.hasPrefix("Nothing links to object 0: ") == true)
        let resolved = try source.migrated(to: [part(.embedded), whole], resolving: true)
        #expect(try owned(resolved) == [[.int(1)]])
        #expect(try resolved.objects("Part").count == 1)
    }

    @Test(arguments: [1, 2, 16_384])
    func `needs one link alone to each object, or makes copies`(rows: Int) throws {
        let source = try realm(
            parts: 2,
            wholes: [
                ["part": link(0)], ["part": link(0), "parts": .list([link(1), link(0), link(0)])],
                ["byName": .dictionary([DictionaryEntry("a", link(0)), DictionaryEntry("b", link(0))])],
            ], rows: rows)
        let error = try source.failed(to: [part(.embedded), whole])
        #expect(
            error.message == "Cannot convert 'Part' to embedded: at least one object has more than one incoming link.")
        let resolved = try source.migrated(to: [part(.embedded), whole], resolving: true) { _ in }
        #expect(try owned(resolved) == [[.int(0)], [.int(0), .int(1), .int(0), .int(0)], [.int(0), .int(0)]])
        #expect(try resolved.objects("Part").count == 7)
        // Each copy belongs to one parent.
        let keys = try resolved.objects("Whole").flatMap { $0.values.flatMap(\.linkedKeys) }
        #expect(Set(keys).count == keys.count)
    }

    @Test func `is saved by a script that takes the links away and deletes the objects`() throws {
        let source = try realm(parts: 1, wholes: [["part": link(0)], ["part": link(0)]])
        let migrated = try source.migrated(to: [part(.embedded), whole]) { transaction in
            try transaction.enumerate("Whole") { _, new in
                try transaction.set("part", of: try #require(new), to: .null)
            }
            try transaction.enumerate("Part") { _, new in try transaction.delete(try #require(new)) }
        }
        #expect(try migrated.values("Whole", "part") == [.null, .null])
        #expect(try migrated.objects("Part").isEmpty)
    }

    @Test func `is spoilt by a script that adds links`() throws {
        let source = try realm(parts: 1, wholes: [["part": link(0)]])
        let error = try source.failed(to: [part(.embedded), whole]) { transaction in
            try transaction.enumerate("Whole") { _, new in
                #expect(try transaction.value("part", of: try #require(new)) == link(0))
                _ = try transaction.create(
                    in: "Whole", .members([("part", .object(transaction.reference("Part", 0)))]))
            }
        }
        #expect(
            error.message == "Cannot convert 'Part' to embedded: at least one object has more than one incoming link.")
    }

    @Test func `does not count links of deleted objects and removed properties`() throws {
        let removed = Property("removed", .object, objectType: "Part", isOptional: true)
        let wide = ObjectSchema("Whole", properties: whole.properties + [removed])
        let source = try TestRealm(
            [part(.topLevel), wide],
            objects: [
                "Part": [["n": .int(1)]],
                "Whole": [["part": link(0)], ["part": link(0)], ["removed": link(0)]],
            ])
        let migrated = try source.migrated(to: [part(.embedded), whole]) {
            try $0.delete($0.reference("Whole", 1))
        }
        #expect(try owned(migrated) == [[.int(1)], []])
    }

    @Test(arguments: [false, true])
    func `is refused for a link from a mixed value, at any depth`(resolves: Bool) throws {
        let any = ObjectSchema("Any", properties: [Property("any", .mixed, isOptional: true)])
        let target: Value = .typedLink(className: "Part", ObjectKey(0))
        for value in [target, .list([.int(1), target]), .dictionary([DictionaryEntry("k", .list([target]))])] {
            let source = try TestRealm(
                [part(.topLevel), whole, any],
                objects: ["Part": [["n": .int(1)]], "Whole": [["part": link(0)]], "Any": [["any": value]]])
            let error = try source.failed(
                to: [part(.embedded), whole, any], resolving: resolves)
            #expect(
                error.message
                    == "Cannot convert 'Part' to embedded: there is an incoming link from the Mixed property 'Any.any', "
                    + "which does not support linking to embedded objects.")
            #expect(error.code == .illegalOperation)
        }
    }

    @Test func `drops a primary key on the way, and may add one on the way back`() throws {
        let keyed = part(.topLevel, primaryKey: "n")
        let source = try TestRealm(
            [keyed, whole], objects: ["Part": [["n": .int(1)]], "Whole": [["part": link(0)]]])
        let embedded = try source.migrated(to: [part(.embedded), whole])
        #expect(embedded.snapshot["Part"]?.schema.primaryKey == nil)
        let back = try embedded.migrated(to: [keyed, whole])
        #expect(try back.contents() == source.contents())
    }

    @Test func `lets a script create objects of a class that is embedded only in the end`() throws {
        let migrated = try realm(parts: 0, wholes: []).migrated(to: [part(.embedded), whole]) { transaction in
            let made = try transaction.create(in: "Part", .members([("n", .int(1))]))
            _ = try transaction.create(in: "Whole", .members([("part", .object(made))]))
        }
        #expect(try owned(migrated) == [[.int(1)]])
    }

    @Test func `makes embedded objects objects of their own`() throws {
        let source = try TestRealm(
            [part(.embedded), whole],
            objects: [
                "Part": [["n": .int(1)], ["n": .int(2)]], "Whole": [["part": link(1), "parts": .list([link(0)])]],
            ])
        let migrated = try source.migrated(to: [part(.topLevel), whole])
        #expect(try migrated.contents() == source.contents())
        #expect(migrated.snapshot["Part"]?.schema.kind == .topLevel)
    }

    @Test func `takes the parts of an embedded object along into its copies`() throws {
        let inner = ObjectSchema("Inner", kind: .embedded, properties: [Property("n", .int)])
        let link = Property("inner", .object, objectType: "Inner", isOptional: true)
        let source = try TestRealm(
            [part(.topLevel, [link]), whole, inner],
            objects: [
                "Part": [["n": .int(1), "inner": self.link(0)]], "Inner": [["n": .int(5)]],
                "Whole": [["part": self.link(0)], ["part": self.link(0)]],
            ])
        let migrated = try source.migrated(to: [part(.embedded, [link]), whole, inner], resolving: true)
        #expect(try migrated.values("Inner", "n") == [.int(5), .int(5)])
        let inners = try migrated.values("Part", "inner")
        #expect(Set(inners).count == 2)
    }
}
