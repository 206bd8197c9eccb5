import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Deleting objects` {
    private let child = ObjectSchema("Child", kind: .embedded, properties: [Property("n", .int)])
    private let parent = ObjectSchema(
        "Parent",
        properties: [
            Property("n", .int), Property("one", .object, objectType: "Child", isOptional: true),
            Property("many", .object, collection: .list, objectType: "Child"),
        ])
    private let other = ObjectSchema(
        "Other",
        properties: [
            Property("link", .object, objectType: "Parent", isOptional: true),
            Property("list", .object, collection: .list, objectType: "Parent"),
            Property("set", .object, collection: .set, objectType: "Parent"),
            Property("map", .object, collection: .dictionary, objectType: "Parent", isOptional: true),
            Property("any", .mixed, isOptional: true),
        ])

    private var classes: [ObjectSchema] { [parent, child, other] }

    private func realm(rows: Int = 2) throws -> TestRealm {
        let keys = (0..<3).map { Value.link(ObjectKey($0)) }
        return try TestRealm(
            classes,
            objects: [
                "Parent": (0..<3).map {
                    ["n": .int($0), "one": .link(ObjectKey($0 * 2)), "many": .list([.link(ObjectKey($0 * 2 + 1))])]
                },
                "Child": (0..<6).map { ["n": .int($0)] },
                "Other": [
                    [
                        "link": keys[1], "list": .list(keys + keys), "set": .list(keys),
                        "map": .dictionary(keys.enumerated().map { DictionaryEntry("k\($0)", $1) }),
                        "any": .typedLink(className: "Parent", ObjectKey(1)),
                    ]
                ],
            ], limits: .init(rows: rows, bytes: 1 << 20))
    }

    @Test(arguments: [1, 2, 16_384])
    func `nulls single links, shortens lists and sets, and keeps a dictionary's keys`(rows: Int) throws {
        let migrated = try realm(rows: rows).migrated(to: classes) {
            try $0.delete($0.reference("Parent", 1))
        }
        let left = [Value.link(ObjectKey(0)), .link(ObjectKey(2))]
        #expect(
            try migrated.objects("Other") == [
                [
                    "_key": .int(0), "link": .null, "list": .list(left + left), "set": .list(left),
                    "map": .dictionary([
                        DictionaryEntry("k0", left[0]), DictionaryEntry("k1", .null), DictionaryEntry("k2", left[1]),
                    ]), "any": .null,
                ]
            ])
    }

    @Test(arguments: [1, 2, 16_384])
    func `takes the embedded objects along`(rows: Int) throws {
        let migrated = try realm(rows: rows).migrated(to: classes) {
            try $0.delete($0.reference("Parent", 1))
        }
        #expect(try migrated.values("Child", "n") == [0, 1, 4, 5].map { .int($0) })
        let emptied = try realm(rows: rows).migrated(to: classes) { transaction in
            _ = try transaction.deleteData(of: "Parent")
        }
        #expect(try emptied.contents().mapValues(\.count) == ["Parent": 0, "Child": 0, "Other": 1])
    }

    @Test func `removes embedded objects from their parents`() throws {
        let migrated = try realm().migrated(to: classes) { transaction in
            try transaction.delete(transaction.reference("Child", 0))
            try transaction.delete(transaction.reference("Child", 3))
        }
        #expect(try migrated.values("Parent", "one")[0] == .null)
        #expect(try migrated.values("Parent", "many")[1] == .list([]))
    }

    @Test(arguments: [1, 2, 16_384])
    func `leaves the others in their order`(rows: Int) throws {
        let migrated = try realm(rows: rows).migrated(to: classes) { transaction in
            try transaction.enumerate("Parent") { old, new in
                guard try transaction.value("n", of: try #require(old)) != .int(1) else { return }
                try transaction.delete(try #require(new))
            }
        }
        #expect(try migrated.values("Parent", "n") == [.int(1)])
        #expect(try migrated.values("Parent", "_key") == [.int(1)])
    }

    @Test func `may be done in one enumeration after the other`() throws {
        let migrated = try realm().migrated(to: classes) { transaction in
            for deleted in [0, 2] as [Int64] {
                try transaction.enumerate("Parent") { old, new in
                    guard try transaction.value("n", of: try #require(old)) == .int(deleted) else { return }
                    try transaction.delete(try #require(new))
                }
            }
        }
        #expect(try migrated.values("Parent", "n") == [.int(1)])
    }

    @Test func `is refused for an object that is gone`() throws {
        let text = "Accessing object of type Parent which has been invalidated or deleted"
        for use in 0..<4 {
            let error = try realm().failed(to: classes) { transaction in
                let object = transaction.reference("Parent", 1)
                if use % 2 == 0 {
                    try transaction.delete(object)
                } else {
                    _ = try transaction.deleteData(of: "Parent")
                }
                if use < 2 {
                    try transaction.delete(object)
                } else {
                    try transaction.set("n", of: object, to: .int(0))
                }
            }
            #expect(error.message == text)
            #expect(error.code == .invalidatedObject)
        }
    }

    @Test func `shows at once to everything that links to the object`() throws {
        _ = try realm().migrated(to: classes) { transaction in
            try transaction.delete(transaction.reference("Parent", 1))
            let object = transaction.reference("Other", 0)
            #expect(try transaction.value("link", of: object) == .null)
            #expect(try transaction.value("any", of: object) == .null)
            #expect(try transaction.value("set", of: object) == .list([.link(ObjectKey(0)), .link(ObjectKey(2))]))
            #expect(try !transaction.isValid(transaction.reference("Child", 2)))
        }
    }

    // MARK: deleteData

    @Test func `of a class answers whether there was one`() throws {
        let gone = ObjectSchema("Gone", properties: [Property("n", .int)])
        let source = try TestRealm(classes + [gone], objects: ["Gone": [["n": .int(1)]]])
        let fresh = ObjectSchema("Fresh", properties: [Property("n", .int)])
        let migrated = try source.migrated(to: classes + [fresh]) { transaction in
            let answers = try ["Gone", "NoSuchClass", "", "Gone", "Fresh"].map { try transaction.deleteData(of: $0) }
            #expect(answers == [true, false, false, false, true])
            _ = try transaction.create(in: "Fresh", .array([.int(1)]))
            _ = try transaction.deleteData(of: "Fresh")
        }
        #expect(migrated.snapshot["Gone"] == nil)
        #expect(try migrated.objects("Fresh").isEmpty)
        let back = try migrated.migrated(to: classes + [fresh, gone])
        #expect(try back.objects("Gone").isEmpty)
    }

    @Test func `of a class that is to go is refused while another links to it`() throws {
        let left = ObjectSchema("Other", properties: [Property("any", .mixed, isOptional: true)])
        let error = try realm().failed(to: [left]) { transaction in _ = try transaction.deleteData(of: "Parent") }
        #expect(error.message == "Cannot remove class_Parent that is target of outside links")
        #expect(error.code == .crossTableLinkTarget)
        let a = ObjectSchema("A", properties: [Property("n", .int)])
        let b = ObjectSchema("B", properties: [Property("a", .object, objectType: "A", isOptional: true)])
        let both = try TestRealm([a, b, child], objects: ["B": [[:]]]).migrated(to: [child]) { transaction in
            _ = try transaction.deleteData(of: "B")
            _ = try transaction.deleteData(of: "A")
        }
        #expect(both.snapshot.classes.map(\.schema.name) == ["Child"])
    }

    /// A migration that treats a mixed value of one class before it deletes another, which it linked to or not.
    @Test(arguments: [
        (true, "nothing", true), (true, "clears", true), (true, "deletes", true), (true, "removes the class", true),
        (false, "nothing", false),
    ])
    func `of a class that is to go is refused where a mixed value linked there`(
        isLinked: Bool, step: String, isRefused: Bool
    ) throws {
        let a = ObjectSchema("A", properties: [Property("own", .mixed, isOptional: true)])
        let b = ObjectSchema("B", properties: [Property("any", .mixed, collection: .list, isOptional: true)])
        let link = Value.typedLink(className: "A", ObjectKey(0))
        let source = try TestRealm(
            [a, b], objects: ["A": [["own": link]], "B": [["any": .list(isLinked ? [link] : [])]]])
        let script: (MigrationTransaction) throws -> Void = { transaction in
            let object = transaction.reference("B", 0)
            switch step {
            case "clears": try transaction.set("any", of: object, to: .array([]))
            case "deletes": try transaction.delete(object)
            case "removes the class": _ = try transaction.deleteData(of: "B")
            default: break
            }
            _ = try transaction.deleteData(of: "A")
        }
        let left = step == "removes the class" ? [] : [b]
        guard isRefused else {
            #expect(try source.migrated(to: left, script: script).snapshot["A"] == nil)
            return
        }
        #expect(
            try source.failure(to: left, script: script) == "Cannot remove class_A that is target of outside links")
    }

    @Test(arguments: [false, true])
    func `of a class may be followed by new objects`(links: Bool) throws {
        let migrated = try realm().migrated(to: classes) { transaction in
            _ = try transaction.deleteData(of: "Parent")
            let made = try transaction.create(in: "Parent", .members([("n", .int(9))]))
            if links { try transaction.set("link", of: transaction.reference("Other", 0), to: .object(made)) }
        }
        #expect(try migrated.values("Parent", "n") == [.int(9)])
        #expect(try migrated.values("Other", "link") == [links ? .link(ObjectKey(3)) : .null])
        #expect(try migrated.values("Other", "list") == [.list([])])
    }

    @Test func `of a class leaves no link to objects whose keys are given again`() throws {
        let keyed = ObjectSchema("A", primaryKey: "id", properties: [Property("id", .int)])
        let link = ObjectSchema("L", properties: [Property("a", .object, objectType: "A", isOptional: true)])
        let source = try TestRealm(
            [keyed, link], objects: ["A": [["id": .int(1)], ["id": .int(2)]], "L": [["a": .link(ObjectKey(1))]]])
        var snapshot = source.snapshot
        // As a class has that once had no primary key: its counter will come to a key that it has already given.
        snapshot.classes[0].nextSequence = 1
        let migrated = try TestRealm(snapshot, store: source.store, limits: source.limits)
            .migrated(to: [keyed, link]) { transaction in
                _ = try transaction.deleteData(of: "A")
                _ = try transaction.create(in: "A", .array([.int(3)]))
            }
        #expect(try migrated.values("L", "a") == [.null])
    }
}
