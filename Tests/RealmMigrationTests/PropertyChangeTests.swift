import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Adding, removing and changing properties` {
    private let number = Property("n", .int)
    private let text = Property("s", .string)

    private func classes(_ properties: Property...) -> [ObjectSchema] { [ObjectSchema("A", properties: properties)] }

    private func realm() throws -> TestRealm {
        try TestRealm(
            classes(number, text),
            objects: ["A": [["n": .int(1), "s": .string("one")], ["n": .int(2), "s": .string("two")]]])
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `lets a script fill what was added, wherever it stands`(order: [Int]) throws {
        let source = try TestRealm(classes(number), objects: ["A": [["n": .int(1)], ["n": .int(2)]]])
        let target = [ObjectSchema("A", properties: order.map { [number, text][$0] })]
        let migrated = try source.migrated(to: target) { transaction in
            try transaction.enumerate("A") { old, new in
                let (old, new) = (try #require(old), try #require(new))
                #expect(transaction.index(of: "s", old) == nil)
                let value = try transaction.value("n", of: old)
                #expect(try transaction.value("n", of: new) == value)
                guard case .int(let number) = value else { return }
                try transaction.set("s", of: new, to: .string("\(number)"))
            }
        }
        #expect(try migrated.values("A", "s") == [.string("1"), .string("2")])
        #expect(try migrated.values("A", "n") == [.int(1), .int(2)])
    }

    @Test func `shows what was removed on the old object alone`() throws {
        let migrated = try realm().migrated(to: classes(number)) { transaction in
            try transaction.enumerate("A") { old, new in
                let (old, new) = (try #require(old), try #require(new))
                #expect(transaction.index(of: "s", new) == nil)
                #expect(try !transaction.value("s", of: old).isNull)
                #expect(try transaction.value("n", of: new) == transaction.value("n", of: old))
            }
        }
        #expect(migrated.snapshot.storedSchema.classes[0].properties == [number])
    }

    @Test func `starts what replaces a removed property anew`() throws {
        let migrated = try realm().migrated(to: classes(Property("other", .int), text)) { transaction in
            try transaction.enumerate("A") { old, new throws in
                #expect(transaction.index(of: "other", try #require(old)) == nil)
                #expect(transaction.index(of: "n", try #require(new)) == nil)
                #expect(try transaction.value("other", of: try #require(new)) == .int(0))
            }
        }
        #expect(try migrated.values("A", "other") == [.int(0), .int(0)])
    }

    @Test func `blanks a property whose type changes, for the script to fill`() throws {
        let migrated = try realm().migrated(to: classes(Property("n", .string), text)) { transaction in
            try transaction.enumerate("A") { old, new in
                guard case .int(let number) = try transaction.value("n", of: try #require(old)) else { return }
                #expect(try transaction.value("n", of: try #require(new)) == .string(""))
                try transaction.set("n", of: try #require(new), to: .string("\(number)"))
            }
        }
        #expect(try migrated.values("A", "n") == [.string("1"), .string("2")])
    }

    @Test func `keeps the number of objects where all properties change`() throws {
        let migrated = try realm().migrated(to: classes(Property("n", .bool), Property("s", .data, isOptional: true)))
        #expect(
            try migrated.objects("A") == (0..<2).map { ["_key": .int($0), "n": .bool(false), "s": .null] })
    }

    @Test(arguments: [CollectionKind.none, .list, .set, .dictionary])
    func `drops the links of a property that leads to another class, and no others`(collection: CollectionKind) throws {
        func link(_ name: String, _ kind: CollectionKind, _ target: String) -> Property {
            Property(
                name, .object, collection: kind, objectType: target, isOptional: kind == .none || kind == .dictionary)
        }
        func cell(_ kind: CollectionKind) -> Value {
            switch kind {
            case .none: .link(ObjectKey(0))
            case .list, .set: .list([.link(ObjectKey(0))])
            case .dictionary: .dictionary([DictionaryEntry("k", .link(ObjectKey(0)))])
            }
        }
        let kinds = CollectionKind.allCases
        let target = ObjectSchema("T", properties: [number])
        func schema(_ changed: String) -> [ObjectSchema] {
            [
                ObjectSchema(
                    "L", properties: kinds.map { link("\($0)", $0, $0 == collection ? changed : "T") }), target,
            ]
        }
        let source = try TestRealm(
            schema("T"),
            objects: ["T": [[:]], "L": [Dictionary(uniqueKeysWithValues: kinds.map { ("\($0)", cell($0)) })]])
        let migrated = try source.migrated(to: schema("L")) { transaction in
            try transaction.enumerate("L") { old, new throws in
                for kind in kinds {
                    #expect(try transaction.value("\(kind)", of: try #require(old)) == cell(kind))
                    let empty = link("", kind, "T").initialValue
                    #expect(
                        try transaction.value("\(kind)", of: try #require(new))
                            == (kind == collection ? empty : cell(kind)))
                }
            }
        }
        #expect(migrated.snapshot.declared == Schema(schema("L")))
    }

    @Test func `tells the script both schemas`() throws {
        let target = [ObjectSchema("A", properties: [Property("n", .string)]), ObjectSchema("B", properties: [number])]
        _ = try realm().migrated(to: target) { transaction throws in
            #expect(transaction.oldSchema == Schema(classes(number, text)))
            #expect(transaction.newSchema == Schema(target))
        }
    }

    @Test func `takes a public name for a stored one`() throws {
        let aliased = Property("n", .int, alias: "number")
        let migrated = try realm().migrated(to: classes(aliased, text)) { transaction in
            _ = try transaction.create(in: "A", .members([("number", .int(3)), ("s", .string("three"))]))
            _ = try transaction.create(in: "A", .members([("n", .int(4)), ("s", .string("four"))]))
        }
        #expect(try migrated.values("A", "n") == [.int(1), .int(2), .int(3), .int(4)])
        #expect(migrated.snapshot.declared.classes[0].properties[0].alias == "number")
        #expect(migrated.snapshot.storedSchema.classes[0].properties[0].alias == nil)
    }

    @Test func `leaves the objects of a class that is taken out, and finds them again`() throws {
        let b = [ObjectSchema("B", properties: [number])]
        let without = try realm().migrated(to: b)
        #expect(without.snapshot.declared == Schema(b))
        let back = try without.migrated(to: classes(number, text) + b)
        #expect(try back.objects("A") == realm().objects("A"))
    }
}
