import RealmEditing
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Links, linking objects and nested objects` {
    private let person = ObjectSchema(
        "Person",
        properties: [
            Property("name", .string), Property("dog", .object, objectType: "Dog", isOptional: true),
            Property("dogs", .object, collection: .list, objectType: "Dog"),
        ])
    private let dog = ObjectSchema(
        "Dog",
        properties: [
            Property("name", .string), Property("house", .object, objectType: "House", isOptional: true),
            Property("owners", .linkingObjects, objectType: "Person", originProperty: "dog"),
            Property("keepers", .linkingObjects, objectType: "Person", originProperty: "dogs"),
        ])
    private let house = ObjectSchema("House", kind: .embedded, properties: [Property("rooms", .int, collection: .list)])

    private var classes: [ObjectSchema] { [person, dog, house] }

    private func realm() throws -> TestRealm {
        try TestRealm(
            classes,
            objects: [
                "Dog": [["name": .string("Rex")], ["name": .string("Fido")]],
                "Person": [
                    [
                        "name": .string("a"), "dog": .link(ObjectKey(0)),
                        "dogs": .list([.link(ObjectKey(1)), .link(ObjectKey(1))]),
                    ],
                    ["name": .string("b"), "dog": .link(ObjectKey(0))],
                ],
            ])
    }

    private func origins(_ name: String, of key: Int64, in transaction: MigrationTransaction) throws -> [Int64] {
        let dog = transaction.reference("Dog", key)
        return try transaction.linkingObjects(try #require(transaction.index(of: name, dog)), of: dog).map(\.key.value)
    }

    @Test func `are followed backwards, each link once`() throws {
        _ = try realm().migrated(to: classes) { transaction throws in
            #expect(try origins("owners", of: 0, in: transaction) == [0, 1])
            #expect(try origins("owners", of: 1, in: transaction) == [])
            #expect(try origins("keepers", of: 1, in: transaction) == [0, 0])
        }
    }

    @Test func `are followed backwards as they are now`() throws {
        _ = try realm().migrated(to: classes) { transaction in
            #expect(try origins("owners", of: 0, in: transaction) == [0, 1])
            try transaction.set(
                "dog", of: transaction.reference("Person", 0), to: .object(transaction.reference("Dog", 1)))
            #expect(try origins("owners", of: 0, in: transaction) == [1])
            _ = try transaction.create(
                in: "Person", .members([("name", .string("c")), ("dog", .object(transaction.reference("Dog", 0)))]))
            #expect(try origins("owners", of: 0, in: transaction) == [1, 2])
            try transaction.delete(transaction.reference("Person", 1))
            #expect(try origins("owners", of: 0, in: transaction) == [2])
            _ = try transaction.deleteData(of: "Person")
            #expect(try origins("owners", of: 0, in: transaction) == [])
        }
    }

    @Test func `are followed backwards after the property got another name`() throws {
        var renamed = person
        renamed.properties[1].name = "pet"
        var target = dog
        target.properties[2].originProperty = "pet"
        _ = try realm().migrated(to: [renamed, target, house]) { transaction in
            #expect(try origins("owners", of: 0, in: transaction) == [])
            try transaction.renameProperty(of: "Person", from: "dog", to: "pet")
            #expect(try origins("owners", of: 0, in: transaction) == [0, 1])
        }
    }

    @Test func `create what they lead to, at every depth`() throws {
        let migrated = try realm().migrated(to: classes) { transaction in
            _ = try transaction.create(
                in: "Person",
                .members([
                    ("name", .string("c")),
                    (
                        "dog",
                        .members([
                            ("name", .string("Bello")),
                            ("house", .members([("rooms", .array([.int(1), .int(2)]))])),
                        ])
                    ),
                    ("dogs", .array([.object(transaction.reference("Dog", 0)), .array([.string("Lassie"), .null])])),
                ]))
        }
        let made = try migrated.objects("Person")[2]
        #expect(made["dog"] == .link(ObjectKey(2)))
        #expect(made["dogs"] == .list([.link(ObjectKey(0)), .link(ObjectKey(3))]))
        #expect(try migrated.values("Dog", "house") == [.null, .null, .link(ObjectKey(0)), .null])
        #expect(try migrated.values("House", "rooms") == [.list([.int(1), .int(2)])])
    }

    @Test func `lead from a new object to the new side, also when the old object is given`() throws {
        let migrated = try realm().migrated(to: classes) { transaction in
            try transaction.enumerate("Dog") { old, _ in
                _ = try transaction.create(
                    in: "Person", .members([("name", .string("x")), ("dog", .object(try #require(old)))]))
            }
        }
        #expect(try migrated.values("Person", "dog").suffix(2) == [.link(ObjectKey(0)), .link(ObjectKey(1))])
    }

    @Test func `are refused where the class is another, or the object gone`() throws {
        let wrong = try realm().failure(to: classes) { transaction in
            let person = transaction.reference("Person", 0)
            try transaction.set("dog", of: person, to: .object(person))
        }
        #expect(wrong == "Expected 'Person.dog' to be an instance of Dog, got an instance of Person")
        let gone = try realm().failure(to: classes) { transaction in
            let dog = transaction.reference("Dog", 0)
            try transaction.delete(dog)
            try transaction.set("dog", of: transaction.reference("Person", 0), to: .object(dog))
        }
        #expect(gone == "Accessing object of type Dog which has been invalidated or deleted")
    }

    @Test func `replace the embedded object that was there`() throws {
        let migrated = try realm().migrated(to: classes) { transaction in
            let rex = transaction.reference("Dog", 0)
            for rooms in 1...3 as ClosedRange<Int64> {
                try transaction.set("house", of: rex, to: .members([("rooms", .array([.int(rooms)]))]))
            }
            // Assigning an embedded object to another parent makes a copy.
            let place = ObjectReference(side: .new, classIndex: 2, key: ObjectKey(2))
            try transaction.set("house", of: transaction.reference("Dog", 1), to: .object(place))
            try transaction.set("house", of: rex, to: .null)
        }
        #expect(try migrated.values("House", "rooms") == [.list([.int(3)])])
        #expect(try migrated.values("Dog", "house") == [.null, .link(ObjectKey(3))])
    }

    @Test func `stay good in references that a script keeps`() throws {
        let migrated = try realm().migrated(to: classes, memory: MemoryLimits(cachedBytes: 0, dirtyBytes: 0)) {
            transaction in
            var kept: [ObjectReference] = []
            try transaction.enumerate("Dog") { _, new in kept.append(try #require(new)) }
            for _ in 0..<10 { kept.append(try transaction.create(in: "Dog", .members([("name", .string("new"))]))) }
            for (number, object) in kept.enumerated() {
                try transaction.set("name", of: object, to: .string("\(number)"))
            }
            for (number, object) in kept.enumerated() {
                #expect(try transaction.value("name", of: object) == .string("\(number)"))
            }
        }
        #expect(try migrated.values("Dog", "name") == (0..<12).map { .string("\($0)") })
    }
}
