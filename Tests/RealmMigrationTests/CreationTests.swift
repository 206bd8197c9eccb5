import RealmEditing
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Creating objects` {
    private let person = ObjectSchema(
        "Person",
        properties: [
            Property("name", .string), Property("age", .int, isOptional: true),
            Property("dog", .object, objectType: "Dog", isOptional: true),
            Property("tags", .string, collection: .list), Property("any", .mixed, isOptional: true),
        ])
    private let dog = ObjectSchema("Dog", properties: [Property("name", .string)])
    private let part = ObjectSchema("Part", kind: .embedded, properties: [Property("n", .int)])
    private let whole = ObjectSchema(
        "Whole",
        properties: [
            Property("part", .object, objectType: "Part", isOptional: true),
            Property("parts", .object, collection: .list, objectType: "Part"),
        ])

    private func realm() throws -> TestRealm { try TestRealm([person, dog, part, whole]) }

    private var all: [ObjectSchema] { [person, dog, part, whole] }

    @Test func `takes members by name, and leaves out what may be null or empty`() throws {
        let migrated = try realm().migrated(to: all) { transaction in
            _ = try transaction.create(in: "Person", .members([("name", .string("Ada"))]))
        }
        #expect(
            try migrated.objects("Person") == [
                [
                    "_key": .int(0), "name": .string("Ada"), "age": .null, "dog": .null, "tags": .list([]),
                    "any": .null,
                ]
            ])
    }

    @Test func `takes an array with a value for each property, in declared order`() throws {
        let migrated = try realm().migrated(to: all) { transaction in
            _ = try transaction.create(
                in: "Person", .array([.string("Ada"), .int(36), .null, .array([.string("x")]), .bool(true)]))
        }
        #expect(try migrated.values("Person", "age") == [.int(36)])
        #expect(try migrated.values("Person", "tags") == [.list([.string("x")])])
        #expect(try migrated.values("Person", "any") == [.bool(true)])
    }

    @Test func `takes an array in the target's order where the stored columns have another`() throws {
        let stored = ObjectSchema("Person", properties: person.properties.reversed())
        let migrated = try TestRealm([stored, dog, part, whole]).migrated(to: all) { transaction in
            _ = try transaction.create(
                in: "Person", .array([.string("Ada"), .int(36), .null, .array([]), .null]))
        }
        #expect(try migrated.values("Person", "name") == [.string("Ada")])
        #expect(try migrated.values("Person", "age") == [.int(36)])
    }

    @Test func `takes the properties of another object`() throws {
        let migrated = try realm().migrated(to: all) { transaction in
            let ada = try transaction.create(
                in: "Person", .members([("name", .string("Ada")), ("tags", .array([.string("x")]))]))
            _ = try transaction.create(in: "Person", .object(ada))
            _ = try transaction.create(in: "Dog", .object(ada))
        }
        #expect(try migrated.values("Person", "tags") == [.list([.string("x")]), .list([.string("x")])])
        #expect(try migrated.values("Dog", "name") == [.string("Ada")])
    }

    @Test func `copies embedded objects where it takes another object's properties`() throws {
        let migrated = try realm().migrated(to: all) { transaction in
            let first = try transaction.create(
                in: "Whole",
                .members([
                    ("part", .members([("n", .int(1))])), ("parts", .array([.members([("n", .int(2))])])),
                ]))
            let second = try transaction.create(in: "Whole", .object(first))
            try transaction.delete(first)
            #expect(try transaction.value("part", of: second) == .link(ObjectKey(2)))
        }
        #expect(try migrated.values("Part", "n") == [.int(1), .int(2)])
        #expect(try migrated.values("Part", "_key") == [.int(2), .int(3)])
    }

    @Test func `gives keys that no object had before`() throws {
        let source = try TestRealm([dog], objects: ["Dog": (0..<3).map { ["name": .string("\($0)")] }])
        let migrated = try source.migrated(to: [dog]) { transaction in
            try transaction.delete(transaction.reference("Dog", 2))
            _ = try transaction.create(in: "Dog", .array([.string("new")]))
        }
        #expect(try migrated.values("Dog", "_key") == [.int(0), .int(1), .int(3)])
        let emptied = try migrated.migrated(to: [dog]) { transaction in
            _ = try transaction.deleteData(of: "Dog")
            _ = try transaction.create(in: "Dog", .array([.string("last")]))
        }
        #expect(try emptied.values("Dog", "_key") == [.int(4)])
    }

    @Test func `spreads the keys of objects without primary key over clusters of 256`() throws {
        let source = try TestRealm([dog], objects: ["Dog": (0..<255).map { ["name": .string("\($0)")] }])
        let migrated = try source.migrated(to: [dog]) { transaction in
            for name in ["a", "b", "c"] { _ = try transaction.create(in: "Dog", .array([.string(name)])) }
        }
        #expect(try migrated.values("Dog", "_key").suffix(3) == [.int(255), .int(65_536), .int(65_537)])
    }

    @Test func `skips keys that are taken, also by an object that was deleted meanwhile`() throws {
        let keyed = ObjectSchema("Dog", primaryKey: "name", properties: dog.properties)
        var snapshot = try TestRealm([keyed], objects: ["Dog": (0..<5).map { ["name": .string("\($0)")] }])
        var stored = snapshot.snapshot
        stored.classes[0].nextSequence = 2
        snapshot = TestRealm(stored, store: snapshot.store, limits: snapshot.limits)
        let migrated = try snapshot.migrated(to: [keyed]) { transaction in
            try transaction.delete(transaction.reference("Dog", 3))
            let made = try transaction.create(in: "Dog", .array([.string("new")]))
            #expect(made.key.value == 5)
            #expect(try transaction.value("name", of: made) == .string("new"))
        }
        #expect(try migrated.values("Dog", "_key") == [0, 1, 2, 4, 5].map { .int($0) })
    }

    @Test func `can set, read and delete what it made before`() throws {
        let migrated = try realm().migrated(to: all) { transaction in
            let made = try (0..<5).map { number in
                try transaction.create(in: "Dog", .array([.string("\(number)")]))
            }
            try transaction.set("name", of: made[4], to: .string("four"))
            try transaction.set("name", of: made[1], to: .string("one"))
            #expect(try transaction.value("name", of: made[1]) == .string("one"))
            try transaction.delete(made[2])
            _ = try transaction.create(in: "Dog", .array([.string("last")]))
        }
        #expect(try migrated.values("Dog", "name") == ["0", "one", "3", "four", "last"].map { .string($0) })
    }

    private struct Refusal: CustomTestStringConvertible {
        let className: String
        let input: ObjectInput
        let message: String
        let code: RealmErrorCode?

        var testDescription: String { message }

        init(_ className: String, _ input: ObjectInput, _ message: String, _ code: RealmErrorCode? = nil) {
            (self.className, self.input, self.message, self.code) = (className, input, message, code)
        }

        static let all = [
            Refusal("NoSuchClass", .members([]), "Object type 'NoSuchClass' not found in schema.", .noSuchTable),
            Refusal("Dog", .members([]), "Missing value for property 'Dog.name'", .missingPropertyValue),
            Refusal("Dog", .undefined, "Missing value for property 'Dog.name'", .missingPropertyValue),
            Refusal("Dog", .members([("name", .null)]), "Missing value for property 'Dog.name'", .missingPropertyValue),
            Refusal(
                "Dog", .array([]),
                "Invalid array input: number of values (0) does not match number of properties (1).", .invalidArgument),
            Refusal(
                "Dog", .members([("name", .int(1))]), "Expected 'Dog.name' to be a string, got a number",
                .typeMismatch),
            Refusal(
                "Part", .members([("n", .int(1))]), "Explicit creation of embedded object not allowed in: class_Part",
                .illegalOperation),
            Refusal(
                "Person", .members([("name", .string("")), ("tags", .array([.null]))]),
                "Invalid null value for non-nullable property 'Person.tags'.", .propertyNotNullable),
            Refusal(
                "Person", .members([("name", .string("")), ("dog", .int(1))]),
                "Expected 'Person.dog' to be an instance of Dog, got a number", .typeMismatch),
            Refusal(
                "Person", .members([("name", .string("")), ("age", .double(1.5))]),
                "Expected 'Person.age' to be a number or bigint, got a number with a fraction", .typeMismatch),
            Refusal(
                "Person", .members([("name", .string("")), ("age", .double(.nan))]),
                "Expected 'Person.age' to be a number or bigint, got NaN", .typeMismatch),
        ]
    }

    @Test(arguments: Refusal.all)
    private func `refuses what is no object of the class`(refusal: Refusal) throws {
        let error = try realm().failed(to: all) { transaction in
            _ = try transaction.create(in: refusal.className, refusal.input)
        }
        #expect(error.message == refusal.message)
        #expect(error.code == refusal.code)
    }

    @Test(arguments: Refusal.all)
    private func `leaves no object behind where a script goes on after a refusal`(refusal: Refusal) throws {
        let migrated = try realm().migrated(to: all) { transaction in
            _ = try? transaction.create(in: refusal.className, refusal.input)
        }
        #expect(try migrated.contents().values.allSatisfy(\.isEmpty))
    }

    @Test func `refuses to assign to a property that is computed`() throws {
        var owned = dog
        owned.properties.append(
            Property("owners", .linkingObjects, objectType: "Person", originProperty: "dog"))
        let message = try realm().failure(to: [person, owned, part, whole]) { transaction in
            let dog = try transaction.create(in: "Dog", .members([("name", .string(""))]))
            try transaction.set(1, of: dog, to: .array([]))
        }
        #expect(message == "Cannot assign to read only property 'Dog.owners'.")
    }

    /// A copy of an object has members for them, too.
    @Test func `passes over a value for a property that is computed`() throws {
        var owned = dog
        owned.properties.append(
            Property("owners", .linkingObjects, objectType: "Person", originProperty: "dog"))
        let migrated = try realm().migrated(to: [person, owned, part, whole]) { transaction in
            _ = try transaction.create(in: "Dog", .members([("name", .string("Rex")), ("owners", .array([]))]))
        }
        #expect(try migrated.values("Dog", "name") == [.string("Rex")])
    }

    @Test(arguments: [1, 2, 100])
    func `fills row groups up to their size in bytes, too`(rows: Int) throws {
        let source = try TestRealm(
            [dog], objects: ["Dog": [["name": .string("first")]]], limits: .init(rows: 1000, bytes: 4000))
        let text = String(repeating: "x", count: 4000 / rows)
        let migrated = try source.migrated(to: [dog]) { transaction in
            for _ in 0..<200 { _ = try transaction.create(in: "Dog", .array([.string(text)])) }
        }
        let groups = try migrated.rowGroupSizes("Dog")
        #expect(groups.allSatisfy { $0 <= rows + 64 })
        #expect(groups.reduce(0, +) == 201)
    }

    @Test(.timeLimit(.minutes(1)))
    func `takes no longer the more objects a row group has`() throws {
        let count: Int64 = 12_000
        let source = try TestRealm([person, dog, part, whole], limits: .standard)
        let migrated = try source.migrated(to: all) { transaction in
            for number in 0..<count {
                let made = try transaction.create(in: "Dog", .array([.string("\(number)")]))
                let owner = try transaction.create(
                    in: "Person", .members([("name", .string("")), ("dog", .object(made))]))
                try transaction.set("age", of: owner, to: .int(number))
            }
        }
        let last = ObjectKey.allocated(sequence: count - 1, hasPrimaryKey: false)
        #expect(try migrated.values("Person", "dog").last == .link(last))
    }
}
