import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Schema versions` {
    private let a = [ObjectSchema("A", properties: [Property("n", .int)])]
    private let b = [ObjectSchema("A", properties: [Property("n", .string)])]

    @Test func `are given to the script and kept afterwards`() throws {
        var versions: [UInt64] = []
        let migrated = try TestRealm(a, version: 3).migrated(to: b, version: 10) { transaction throws in
            versions = [transaction.oldSchemaVersion, transaction.newSchemaVersion]
        }
        #expect(versions == [3, 10])
        #expect(migrated.snapshot.schemaVersion == 10)
    }

    @Test(arguments: [false, true])
    func `cannot go down`(changes: Bool) throws {
        let error = try TestRealm(a, version: 10).failed(to: changes ? b : a, version: 5) { _ in
            Issue.record("The script ran.")
        }
        #expect(error.message == "Provided schema version 5 is less than last set version 10.")
        #expect(error.code == .invalidSchemaVersion)
    }

    @Test func `are each realm's own`() throws {
        let first = try TestRealm(a, version: 10)
        let second = try TestRealm(a, version: 0).migrated(to: a, version: 5)
        #expect(first.snapshot.schemaVersion == 10)
        #expect(second.snapshot.schemaVersion == 5)
    }

    /// Whether the script ran.
    private func runs(_ source: TestRealm, to classes: [ObjectSchema], version: UInt64) throws -> Bool {
        var ran = false
        _ = try source.migrated(to: classes, version: version) { _ in ran = true }
        return ran
    }

    @Test func `run the script whenever they are raised, though the schema stays`() throws {
        #expect(try runs(try TestRealm(a, version: 1), to: a, version: 2))
        #expect(try runs(try TestRealm(a, version: 1), to: a, version: 3))
        #expect(try runs(try TestRealm(a, version: 1), to: b, version: 3))
    }

    @Test func `run no script where they stay`() throws {
        #expect(try !runs(try TestRealm(a, version: 1), to: a, version: 1))
        #expect(
            try !runs(
                try TestRealm(a, version: 1), to: a + [ObjectSchema("B", properties: [Property("n", .int)])], version: 1
            ))
    }

    @Test func `run no script for a realm that has none yet`() throws {
        let source = try TestRealm([], version: nil)
        #expect(try !runs(source, to: a, version: 0))
        #expect(try !runs(source, to: a, version: 7))
        #expect(try source.migrated(to: a, version: 7).snapshot.schemaVersion == 7)
    }

    @Test(arguments: [0, 1, 1 << 40, UInt64.max - 1] as [UInt64])
    func `may be any number of 64 bits`(version: UInt64) throws {
        let migrated = try TestRealm(a, version: version).migrated(to: b, version: version + 1)
        #expect(migrated.snapshot.schemaVersion == version + 1)
    }

    /// Schemas between which a realm has to be migrated, with the line that says so.
    struct Change: CustomTestStringConvertible {
        let before: [ObjectSchema]
        let after: [ObjectSchema]
        let line: String

        var testDescription: String { line }

        private static func change(
            _ before: [Property], _ after: [Property], key: String? = nil, newKey: String? = nil, _ line: String
        ) -> Change {
            let target = [
                ObjectSchema("B", properties: [Property("n", .int)]),
                ObjectSchema("C", properties: [Property("n", .int)]),
            ]
            return Change(
                before: [ObjectSchema("A", primaryKey: key, properties: before)] + target,
                after: [ObjectSchema("A", primaryKey: newKey, properties: after)] + target, line: line)
        }

        private static let one = Property("one", .string)
        private static let two = Property("two", .string)
        private static let optional = Property("one", .string, isOptional: true)

        static let all: [Change] = {
            func link(_ target: String, _ collection: CollectionKind = .none) -> Property {
                Property("l", .object, collection: collection, objectType: target, isOptional: collection == .none)
            }
            let part = [Property("n", .int)]
            let whole = ObjectSchema(
                "Whole", properties: [Property("part", .object, objectType: "Part", isOptional: true)])
            return [
                change([one], [one, two], "Property 'A.two' has been added."),
                change([one, two], [one], "Property 'A.two' has been removed."),
                change([one, two], [one, two], newKey: "one", "Primary Key for class 'A' has been added."),
                change([one, two], [one, two], key: "one", "Primary Key for class 'A' has been removed."),
                change(
                    [one, two], [one, two], key: "one", newKey: "two",
                    "Primary Key for class 'A' has changed from 'one' to 'two'."),
                change([one], [optional], "Property 'A.one' has been made optional."),
                change([optional], [one], "Property 'A.one' has been made required."),
                change([link("B")], [link("C")], "Property 'A.l' has been changed from '<B>' to '<C>'."),
                change(
                    [link("B", .list)], [link("C", .list)],
                    "Property 'A.l' has been changed from 'array<B>' to 'array<C>'."),
                change(
                    [link("B", .set)], [link("C", .set)], "Property 'A.l' has been changed from 'set<B>' to 'set<C>'."),
                change(
                    [Property("n", .int)], [Property("n", .string)],
                    "Property 'A.n' has been changed from 'int' to 'string'."),
                Change(
                    before: [ObjectSchema("Part", properties: part), whole],
                    after: [ObjectSchema("Part", kind: .embedded, properties: part), whole],
                    line: "Class 'Part' has been changed from TopLevel to Embedded."),
                Change(
                    before: [ObjectSchema("Part", kind: .embedded, properties: part), whole],
                    after: [ObjectSchema("Part", properties: part), whole],
                    line: "Class 'Part' has been changed from Embedded to TopLevel."),
            ]
        }()
    }

    @Test(arguments: Change.all)
    func `have to be raised for what needs a migration`(change: Change) throws {
        let source = try TestRealm(change.before)
        let error = try source.failed(to: change.after, version: 0) { _ in Issue.record("The script ran.") }
        #expect(error.message == "Migration is required due to the following errors:\n- \(change.line)")
        #expect(error.code == .schemaMismatch)
        #expect(try runs(source, to: change.after, version: 1))
        let stored = try source.migrated(to: change.after).snapshot.storedSchema
        #expect(SchemaDifference.compare(existing: stored, target: Schema(change.after)).isEmpty)
    }

    @Test func `may stay for classes, indexes and another order of properties`() throws {
        let properties = [Property("one", .string), Property("two", .string)]
        let indexed = [Property("one", .string, index: .general), Property("two", .string)]
        let extra = ObjectSchema("B", properties: [Property("n", .int)])
        for (before, after) in [
            ([ObjectSchema("A", properties: properties)], [ObjectSchema("A", properties: properties), extra]),
            ([ObjectSchema("A", properties: properties), extra], [ObjectSchema("A", properties: properties)]),
            ([ObjectSchema("A", properties: properties)], [ObjectSchema("A", properties: properties.reversed())]),
            ([ObjectSchema("A", properties: properties)], [ObjectSchema("A", properties: indexed)]),
            ([ObjectSchema("A", properties: indexed)], [ObjectSchema("A", properties: properties)]),
        ] {
            let source = try TestRealm(before, objects: ["A": [["one": .string("x"), "two": .string("y")]]])
            #expect(try !runs(source, to: after, version: 0))
            let opened = try source.migrated(to: after, version: 0)
            #expect(try opened.objects("A") == source.objects("A"))
            #expect(SchemaDifference.compare(existing: opened.snapshot.storedSchema, target: Schema(after)).isEmpty)
        }
    }
}
