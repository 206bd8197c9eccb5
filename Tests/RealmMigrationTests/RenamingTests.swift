import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Renaming a property` {
    /// One property of every type and collection, with a value that is not its type's own.
    static let properties: [(property: Property, value: Value)] = {
        let scalars: [(PropertyType, Value)] = [
            (.int, .int(7)), (.bool, .bool(true)), (.float, .float(0.5)), (.double, .double(1.25)),
            (.string, .string("text")), (.data, .data([1, 2])), (.date, .date(Timestamp(seconds: 1, nanoseconds: 2))),
            (.decimal128, .decimal128(Decimal128(low: 5, high: 0x3040_0000_0000_0000))),
            (.objectId, .objectId(.zero)), (.uuid, .uuid(.zero)),
        ]
        let single = scalars.map { type, value in (Property("p", type), value) }
        let collections = scalars.flatMap { type, value in
            [
                (Property("p", type, collection: .list), Value.list([value, value])),
                (Property("p", type, collection: .set), .list([value])),
                (Property("p", type, collection: .dictionary), .dictionary([DictionaryEntry("k", value)])),
            ]
        }
        let others: [(Property, Value)] = [
            (Property("p", .mixed, isOptional: true), .string("mixed")),
            (Property("p", .object, objectType: "A", isOptional: true), .link(ObjectKey(0))),
            (Property("p", .object, collection: .list, objectType: "A"), .list([.link(ObjectKey(0))])),
            (Property("p", .object, collection: .set, objectType: "A"), .list([.link(ObjectKey(0))])),
        ]
        return single + collections + others
    }()

    private func stringRealm(_ properties: [Property], primaryKey: String? = nil) throws -> TestRealm {
        try TestRealm(
            [ObjectSchema("A", primaryKey: primaryKey, properties: properties)],
            objects: ["A": [["before": .string("0")], ["before": .string("1")]]])
    }

    private func target(_ properties: [Property], primaryKey: String? = nil) -> [ObjectSchema] {
        [ObjectSchema("A", primaryKey: primaryKey, properties: properties)]
    }

    @Test(arguments: 0..<properties.count)
    func `keeps the values of every type`(index: Int) throws {
        let (property, value) = Self.properties[index]
        var renamed = property
        renamed.name = "q"
        let source = try TestRealm(
            [ObjectSchema("A", properties: [property])], objects: ["A": [["p": value], ["p": value], ["p": value]]])
        let migrated = try source.migrated(to: target([renamed])) { transaction in
            try transaction.renameProperty(of: "A", from: "p", to: "q")
            try transaction.enumerate("A") { old, new in
                let new = try #require(new)
                #expect(try transaction.value("p", of: try #require(old)) == value)
                #expect(transaction.index(of: "p", new) == nil)
                #expect(try transaction.value("q", of: new) == value)
            }
        }
        #expect(try migrated.values("A", "q") == [value, value, value])
        #expect(migrated.snapshot.storedSchema.classes[0].properties.map(\.name) == ["q"])
    }

    /// The properties before and after, and where they may differ.
    struct Combination: CustomTestStringConvertible {
        let before: Property
        let after: Property
        var primaryKeyBefore = false
        var primaryKeyAfter = false
        let testDescription: String

        static let permitted: [Combination] = {
            let plain = Property("before", .string)
            let after = Property("after", .string)
            let optional = Property("after", .string, isOptional: true)
            let indexed = Property("before", .string, index: .general)
            return [
                Combination(before: plain, after: after, testDescription: "nothing"),
                Combination(before: plain, after: optional, testDescription: "required to optional"),
                Combination(
                    before: Property("before", .string, isOptional: true), after: optional, testDescription: "optional"),
                Combination(before: indexed, after: after, testDescription: "index lost"),
                Combination(
                    before: plain, after: Property("after", .string, index: .general), testDescription: "index gained"),
                Combination(
                    before: indexed, after: Property("after", .string, index: .general), testDescription: "index kept"),
                Combination(
                    before: indexed, after: Property("after", .string, index: .fullText),
                    testDescription: "index of another kind"),
                Combination(
                    before: plain, after: after, primaryKeyBefore: true, testDescription: "primary key lost"),
                Combination(
                    before: plain, after: after, primaryKeyAfter: true, testDescription: "primary key gained"),
                Combination(
                    before: plain, after: after, primaryKeyBefore: true, primaryKeyAfter: true,
                    testDescription: "primary key kept"),
                Combination(
                    before: plain, after: optional, primaryKeyBefore: true, primaryKeyAfter: true,
                    testDescription: "primary key made optional"),
            ]
        }()
    }

    @Test(arguments: Combination.permitted)
    func `may change nullability, index and primary key on the way`(combination: Combination) throws {
        let source = try stringRealm([combination.before], primaryKey: combination.primaryKeyBefore ? "before" : nil)
        let classes = target([combination.after], primaryKey: combination.primaryKeyAfter ? "after" : nil)
        for (index, migrated) in [
            try source.migrated(to: classes, renames: [PropertyRename(className: "A", from: "before", to: "after")]),
            try source.migrated(to: classes) { try $0.renameProperty(of: "A", from: "before", to: "after") },
        ].enumerated() {
            #expect(try migrated.values("A", "after") == [.string("0"), .string("1")], "way \(index)")
            let stored = migrated.snapshot.storedSchema
            #expect(stored.classes == classes, "way \(index)")
        }
    }

    @Test func `may go over names that no schema has`() throws {
        let source = try stringRealm([Property("before", .string)])
        let migrated = try source.migrated(to: target([Property("after", .string)]), version: 2) { transaction in
            try transaction.renameProperty(of: "A", from: "before", to: "between")
            try transaction.enumerate("A") { _, new throws in
                #expect(transaction.index(of: "between", try #require(new)) == nil)
                #expect(try transaction.value("after", of: try #require(new)) == .string(""))
            }
            try transaction.renameProperty(of: "A", from: "between", to: "again")
            try transaction.renameProperty(of: "A", from: "again", to: "after")
        }
        #expect(try migrated.values("A", "after") == [.string("0"), .string("1")])
    }

    @Test func `can exchange two properties with a third that is gone`() throws {
        let source = try TestRealm(
            [ObjectSchema("A", properties: [Property("a", .int), Property("b", .int)])],
            objects: ["A": [["a": .int(1), "b": .int(2)]]])
        let migrated = try source.migrated(
            to: target([Property("x", .int), Property("y", .int)]),
            renames: [
                PropertyRename(className: "A", from: "a", to: "t"), PropertyRename(className: "A", from: "b", to: "x"),
                PropertyRename(className: "A", from: "t", to: "y"),
            ])
        #expect(try migrated.objects("A") == [["_key": .int(0), "x": .int(2), "y": .int(1)]])
    }

    @Test func `replaces what was written to the new name before`() throws {
        let migrated = try stringRealm([Property("before", .string)]).migrated(to: target([Property("after", .string)]))
        {
            transaction in
            try transaction.enumerate("A") { _, new in
                try transaction.set("after", of: try #require(new), to: .string("lost"))
            }
            try transaction.renameProperty(of: "A", from: "before", to: "after")
        }
        #expect(try migrated.values("A", "after") == [.string("0"), .string("1")])
    }

    @Test func `may replace a property that both schemas have`() throws {
        let source = try stringRealm([Property("before", .string), Property("after", .string)])
        let migrated = try source.migrated(to: target([Property("after", .string)])) {
            try $0.renameProperty(of: "A", from: "before", to: "after")
        }
        #expect(try migrated.values("A", "after") == [.string("0"), .string("1")])
    }

    @Test func `goes with creating and setting objects before and afterwards`() throws {
        let migrated = try stringRealm([Property("before", .string)]).migrated(to: target([Property("after", .string)]))
        {
            transaction in
            _ = try transaction.create(in: "A", .members([("after", .string("early"))]))
            try transaction.renameProperty(of: "A", from: "before", to: "after")
            _ = try transaction.create(in: "A", .members([("after", .string("late"))]))
            try transaction.set("after", of: transaction.reference("A", 1), to: .string("set"))
        }
        // The early object had nothing in the column that was renamed.
        #expect(try migrated.values("A", "after") == ["0", "set", "", "late"].map { .string($0) })
    }

    @Test func `tells names apart by their bytes, as Realm does`() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        let source = try TestRealm(
            [ObjectSchema("A", properties: [Property(composed, .string)])],
            objects: ["A": [[composed: .string("0")]]])
        let migrated = try source.migrated(
            to: target([Property(decomposed, .string)]),
            renames: [PropertyRename(className: "A", from: composed, to: decomposed)])
        #expect(try migrated.values("A", decomposed) == [.string("0")])
        let name = try #require(migrated.snapshot.storedSchema.classes[0].properties.first?.name)
        #expect(name.hasSameBytes(as: decomposed))
    }

    struct Refusal: CustomTestStringConvertible {
        var className = "A"
        var from = "before"
        var to = "after"
        var stored = [Property("before", .string, isOptional: true)]
        var target = [Property("after", .string, isOptional: true)]
        let message: String
        let code: RealmErrorCode

        var testDescription: String { message }

        private static func types(_ from: Property, _ to: Property, _ fromType: String, _ toType: String) -> Refusal {
            Refusal(
                stored: [from], target: [to],
                message: "Cannot rename property 'A.before' to 'after' because it would change from type '\(fromType)' "
                    + "to '\(toType)'.",
                code: .illegalOperation)
        }

        static let all = [
            Refusal(
                className: "None", message: "Cannot rename properties for type 'None' because it does not exist.",
                code: .noSuchTable),
            Refusal(
                className: "Removed",
                message: "Cannot rename properties for type 'Removed' because it has been removed from the Realm.",
                code: .noSuchTable),
            Refusal(
                target: [Property("before", .string, isOptional: true), Property("after", .string, isOptional: true)],
                message: "Cannot rename property 'A.before' to 'after' because the source property still exists.",
                code: .illegalOperation),
            Refusal(
                from: "none1", to: "none2", message: "Cannot rename property 'A.none1' because it does not exist.",
                code: .invalidProperty),
            Refusal(
                to: "none", message: "Renamed property 'A.none' does not exist.", code: .invalidProperty),
            Refusal(
                target: [Property("after", .string)],
                message:
                    "Cannot rename property 'A.before' to 'after' because it would change from optional to required.",
                code: .illegalOperation),
            types(Property("before", .int), Property("after", .string, isOptional: true), "int", "string"),
            types(Property("before", .float), Property("after", .double), "float", "double"),
            types(
                Property("before", .object, objectType: "A", isOptional: true),
                Property("after", .object, objectType: "B", isOptional: true), "<A>", "<B>"),
            types(
                Property("before", .object, collection: .list, objectType: "A"),
                Property("after", .object, collection: .list, objectType: "B"), "array<A>", "array<B>"),
            types(
                Property("before", .object, collection: .set, objectType: "A"),
                Property("after", .object, collection: .set, objectType: "B"), "set<A>", "set<B>"),
            types(
                Property("before", .object, collection: .dictionary, objectType: "A", isOptional: true),
                Property("after", .object, collection: .dictionary, objectType: "B", isOptional: true),
                "dictionary<string, A>", "dictionary<string, B>"),
            types(Property("before", .int), Property("after", .int, collection: .list), "int", "array<int>"),
            types(
                Property("before", .int, collection: .list), Property("after", .int, collection: .set), "array<int>",
                "set<int>"),
        ]
    }

    @Test(arguments: Refusal.all, [false, true])
    func `is refused where the values would not fit, and nothing changes`(refusal: Refusal, isDeclared: Bool) throws {
        let b = ObjectSchema("B", properties: [Property("n", .int)])
        let source = try TestRealm(
            [
                ObjectSchema("A", properties: refusal.stored),
                ObjectSchema("Removed", properties: [Property("n", .int)]), b,
            ],
            objects: ["A": [[:], [:]]])
        let rename = PropertyRename(className: refusal.className, from: refusal.from, to: refusal.to)
        let error =
            if isDeclared {
                try source.failed(to: target(refusal.target) + [b], renames: [rename])
            } else {
                try source.failed(to: target(refusal.target) + [b]) {
                    try $0.renameProperty(of: rename.className, from: rename.from, to: rename.to)
                }
            }
        #expect(error.message == refusal.message)
        #expect(error.code == refusal.code)
    }
}
