import RealmEditing
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Collections` {
    private let classes = [
        ObjectSchema(
            "A",
            properties: [
                Property("doubles", .double, collection: .set),
                Property("bag", .mixed, collection: .set, isOptional: true),
                Property("list", .int, collection: .list),
                Property("parts", .object, collection: .list, objectType: "Part"),
                Property("map", .string, collection: .dictionary, isOptional: true),
                Property("links", .object, collection: .list, objectType: "A"),
                Property("any", .mixed, isOptional: true),
                Property("byName", .object, collection: .dictionary, objectType: "Part", isOptional: true),
            ]),
        ObjectSchema("Part", kind: .embedded, properties: [Property("n", .int)]),
    ]

    private func migrated(
        _ object: TestRealm.Object = [:], script: (MigrationTransaction, ObjectReference) throws -> Void
    ) throws -> TestRealm {
        try withoutActuallyEscaping(script) { script in
            try TestRealm(classes, objects: ["A": [object]]).migrated(to: classes) {
                try script($0, $0.reference("A", 0))
            }
        }
    }

    private func place(_ name: String) -> Int { classes[0].properties.firstIndex { $0.name == name } ?? 0 }

    @Test(arguments: [(Value.double(0.0), ObjectInput.double(-0.0)), (.double(-0.0), .int(0)), (.double(2), .int(2))])
    func `of doubles lose an element that is the same number`(element: Value, removed: ObjectInput) throws {
        let realm = try migrated(["doubles": .list([element])]) { transaction, object throws in
            #expect(try transaction.remove(removed, from: place("doubles"), of: object))
            #expect(try !transaction.remove(removed, from: place("doubles"), of: object))
        }
        #expect(try realm.values("A", "doubles") == [.list([])])
    }

    @Test func `of mixed values lose a number whatever its type`() throws {
        let realm = try migrated(["bag": .list([.double(1), .string("1")])]) { transaction, object throws in
            #expect(try transaction.remove(.int(1), from: place("bag"), of: object))
        }
        #expect(try realm.values("A", "bag") == [.list([.string("1")])])
    }

    @Test func `that are sets take an element once, in Realm's order`() throws {
        let realm = try migrated { transaction, object in
            for number in [3, 1, 2, 3, 1] as [Double] {
                _ = try transaction.append(.double(number), to: place("doubles"), of: object)
            }
        }
        #expect(try realm.values("A", "doubles") == [.list([.double(1), .double(2), .double(3)])])
    }

    @Test func `that are lists are spliced within their bounds`() throws {
        let realm = try migrated(["list": .list([.int(1), .int(2), .int(3)])]) { transaction, object in
            let first = try transaction.splice(
                place("list"), of: object, at: 1, removeCount: 1, inserting: [.int(7), .int(8)])
            #expect(first == [.int(2)])
            let rest = try transaction.splice(place("list"), of: object, at: 3, removeCount: .max, inserting: [])
            #expect(rest == [.int(3)])
            let none = try transaction.splice(place("list"), of: object, at: -5, removeCount: -1, inserting: [.int(0)])
            #expect(none.isEmpty)
        }
        #expect(try realm.values("A", "list") == [.list([.int(0), .int(1), .int(7), .int(8)])])
    }

    @Test func `of embedded objects delete what leaves them`() throws {
        let realm = try migrated { transaction, object in
            try transaction.set(
                "parts", of: object, to: .array((0..<4).map { .members([("n", .int($0))]) }))
            _ = try transaction.splice(place("parts"), of: object, at: 1, removeCount: 2, inserting: [])
            _ = try transaction.append(.members([("n", .int(9))]), to: place("parts"), of: object)
            try transaction.setEntry("k", of: place("byName"), of: object, to: .members([("n", .int(5))]))
            try transaction.setEntry("k", of: place("byName"), of: object, to: .members([("n", .int(6))]))
            try transaction.setEntry("l", of: place("byName"), of: object, to: .members([("n", .int(7))]))
            #expect(try transaction.remove(.string("l"), from: place("byName"), of: object))
        }
        #expect(try realm.values("Part", "n") == [.int(0), .int(3), .int(9), .int(6)])
    }

    @Test func `keep their links through deletions, each in its way`() throws {
        let source = try TestRealm(
            classes,
            objects: [
                "A": [
                    [:],
                    [
                        "links": .list([.link(ObjectKey(0)), .link(ObjectKey(1)), .link(ObjectKey(0))]),
                        "any": .dictionary([
                            DictionaryEntry("a", .typedLink(className: "A", ObjectKey(0))),
                            DictionaryEntry("b", .list([.typedLink(className: "A", ObjectKey(0)), .int(1)])),
                        ]),
                    ],
                ]
            ])
        let migrated = try source.migrated(to: classes) { transaction in
            try transaction.delete(transaction.reference("A", 0))
            let other = transaction.reference("A", 1)
            #expect(try transaction.value("links", of: other) == .list([.link(ObjectKey(1))]))
            #expect(try transaction.append(.object(other), to: place("links"), of: other) == 2)
        }
        #expect(try migrated.values("A", "links") == [.list([.link(ObjectKey(1)), .link(ObjectKey(1))])])
        #expect(
            try migrated.values("A", "any") == [
                .dictionary([DictionaryEntry("a", .null), DictionaryEntry("b", .list([.int(1)]))])
            ])
    }

    @Test func `set a dictionary's entries one by one, in bytewise order`() throws {
        let realm = try migrated(["map": .dictionary([DictionaryEntry("m", .null)])]) { transaction, object in
            try transaction.setEntry("z", of: place("map"), of: object, to: .string("last"))
            try transaction.setEntry("", of: place("map"), of: object, to: .string("first"))
            try transaction.setEntry("m", of: place("map"), of: object, to: .null)
            #expect(try transaction.remove(.string("z"), from: place("map"), of: object))
            #expect(try !transaction.remove(.string("none"), from: place("map"), of: object))
        }
        #expect(
            try realm.values("A", "map") == [
                .dictionary([DictionaryEntry("", .string("first")), DictionaryEntry("m", .null)])
            ])
    }

    @Test func `and mixed values hold no link to an embedded object`() throws {
        for input in [ObjectInput.object(ObjectReference(side: .new, classIndex: 1, key: ObjectKey(0)))] {
            let source = try TestRealm(
                classes, objects: ["A": [["parts": .list([.link(ObjectKey(0))])]], "Part": [["n": .int(1)]]])
            for value in [input, .array([input]), .members([("k", input)])] {
                let error = try source.failed(to: classes) { transaction in
                    try transaction.set("any", of: transaction.reference("A", 0), to: value)
                }
                #expect(error.message == "Cannot link to embedded object")
                #expect(error.code == .illegalOperation)
            }
        }
    }

    @Test func `take no null where their elements are required`() throws {
        for (name, input, message) in [
            ("list", ObjectInput.array([.int(1), .null]), "Invalid null value for non-nullable property 'A.list'."),
            ("links", .array([.null]), "Invalid null value for non-nullable property 'A.links'."),
            ("list", .int(1), "Expected 'A.list' to be an array, got a number"),
            ("map", .array([]), "Expected 'A.map' to be an object, got an array"),
            ("list", .array([.string("1")]), "Expected 'A.list' to be a number or bigint, got a string"),
        ] {
            let found = try TestRealm(classes, objects: ["A": [[:]]]).failure(to: classes) { transaction in
                try transaction.set(name, of: transaction.reference("A", 0), to: input)
            }
            #expect(found == message)
        }
    }
}
