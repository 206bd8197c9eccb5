import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Default values` {
    private let before = [ObjectSchema("A", properties: [Property("n", .int)])]
    private let after = [
        ObjectSchema(
            "A",
            properties: [
                Property("n", .int), Property("text", .string, defaultValue: .string("default")),
                Property("maybe", .int, isOptional: true, defaultValue: .int(7)),
                Property("list", .double, collection: .list, defaultValue: .list([.double(1), .double(2)])),
                Property("any", .mixed, isOptional: true, defaultValue: .bool(true)),
            ])
    ]
    private let given: TestRealm.Object = [
        "text": .string("default"), "maybe": .int(7), "list": .list([.double(1), .double(2)]), "any": .bool(true),
    ]
    private let blank: TestRealm.Object = ["text": .string(""), "maybe": .null, "list": .list([]), "any": .null]

    private func realm() throws -> TestRealm {
        try TestRealm(before, objects: ["A": (0..<3).map { ["n": .int($0)] }])
    }

    private func defaults(_ realm: TestRealm) throws -> [TestRealm.Object] {
        try realm.objects("A").map { $0.filter { $0.key != "_key" && $0.key != "n" } }
    }

    @Test func `go to objects that the script creates, and to no others`() throws {
        let migrated = try realm().migrated(to: after) { transaction in
            _ = try transaction.create(in: "A", .members([("n", .int(9))]))
            _ = try transaction.create(
                in: "A", .members([("n", .int(9)), ("text", .string("given")), ("maybe", .null), ("list", .array([]))]))
        }
        let own: TestRealm.Object = ["text": .string("given"), "maybe": .null, "list": .list([]), "any": .bool(true)]
        #expect(try defaults(migrated) == [blank, blank, blank, given, own])
    }

    @Test(arguments: [false, true])
    func `go to existing objects where that is asked for, in properties that are added`(runsScript: Bool) throws {
        let migrated = try realm().migrated(
            to: after, options: DeclaredMigration(applyDefaults: .existing), script: runsScript ? { _ in } : nil)
        #expect(try defaults(migrated) == [given, given, given])
        #expect(try migrated.values("A", "n") == [.int(0), .int(1), .int(2)])
    }

    @Test func `that were applied are there for the script, and may be set`() throws {
        let migrated = try realm().migrated(to: after, options: DeclaredMigration(applyDefaults: .existing)) {
            transaction in
            try transaction.enumerate("A") { old, new in
                #expect(try transaction.value("text", of: try #require(new)) == .string("default"))
                guard try transaction.value("n", of: try #require(old)) == .int(1) else { return }
                try transaction.set("text", of: try #require(new), to: .string("set"))
            }
        }
        #expect(try migrated.values("A", "text") == ["default", "set", "default"].map { .string($0) })
    }

    @Test func `do not touch properties that were there, nor those that change their type`() throws {
        let stored = [ObjectSchema("A", properties: [Property("n", .int), Property("text", .int)])]
        let target = [
            ObjectSchema(
                "A",
                properties: [
                    Property("n", .int, defaultValue: .int(5)), Property("text", .string, defaultValue: .string("d")),
                ])
        ]
        let source = try TestRealm(stored, objects: ["A": [["n": .int(1), "text": .int(2)]]])
        let migrated = try source.migrated(to: target, options: DeclaredMigration(applyDefaults: .existing))
        #expect(try migrated.objects("A") == [["_key": .int(0), "n": .int(1), "text": .string("")]])
    }

    @Test func `give way to the values of a renamed property`() throws {
        let target = [ObjectSchema("A", properties: [Property("m", .int, defaultValue: .int(5))])]
        let migrated = try realm().migrated(
            to: target, options: DeclaredMigration(applyDefaults: .existing),
            renames: [PropertyRename(className: "A", from: "n", to: "m")])
        #expect(try migrated.values("A", "m") == [.int(0), .int(1), .int(2)])
    }

    @Test func `are no part of what is stored`() throws {
        let migrated = try realm().migrated(to: after)
        #expect(migrated.snapshot.storedSchema.classes[0].properties.allSatisfy { $0.defaultValue == nil })
        #expect(migrated.snapshot.declared == Schema(after))
    }
}
