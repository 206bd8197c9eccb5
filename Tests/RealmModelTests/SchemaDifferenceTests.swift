import RealmModel
import Testing

@Suite struct SchemaDifferenceTests {
    private static let stored = Schema([
        ObjectSchema("Gone", properties: [Property("x", .int)]),
        ObjectSchema(
            "B",
            properties: [
                Property("removed", .data), Property("typed", .int, isOptional: true, index: .general),
                Property("optional", .string), Property("required", .string, isOptional: true),
                Property("indexed", .int), Property("unindexed", .int, index: .general), Property("same", .bool),
                Property("computed", .object, objectType: "B", isOptional: true), Property("retargeted", .int),
            ]),
        ObjectSchema("A", kind: .embedded, properties: [Property("x", .int)]),
    ])
    private static let target = Schema([
        ObjectSchema("New", properties: [Property("x", .int)]),
        ObjectSchema("A", properties: [Property("y", .int), Property("x", .int)]),
        ObjectSchema(
            "B", primaryKey: "added2",
            properties: [
                Property("added2", .string), Property("added1", .object, collection: .dictionary, objectType: "A"),
                Property("same", .bool, alias: "other", defaultValue: .bool(true)), Property("unindexed", .int),
                Property("indexed", .int, index: .general), Property("required", .string),
                Property("optional", .string, isOptional: true), Property("typed", .int, collection: .set),
                Property("computed", .linkingObjects, objectType: "B", originProperty: "computed"),
                Property("retargeted", .object, objectType: "New", isOptional: true),
            ]),
    ])

    @Test func `changes are in Realm's order`() {
        let changes = SchemaDifference.compare(existing: Self.stored, target: Self.target)
        #expect(
            changes.compactMap(\.message) == [
                "Class 'New' has been added.",
                "Property 'A.y' has been added.",
                "Property 'B.removed' has been removed.",
                "Property 'B.typed' has been changed from 'int' to 'set<int>'.",
                "Property 'B.optional' has been made optional.",
                "Property 'B.required' has been made required.",
                "Property 'B.indexed' has been made indexed.",
                "Property 'B.unindexed' has been made unindexed.",
                "Property 'B.computed' has been removed.",
                "Property 'B.retargeted' has been changed from 'int' to '<New>'.",
                "Property 'B.added2' has been added.",
                "Property 'B.added1' has been added.",
                "Primary Key for class 'B' has been added.",
                "Class 'A' has been changed from Embedded to TopLevel.",
            ])
        #expect(changes.contains(.addInitialProperties(Self.target.classes[0])))
    }

    @Test func `a class that is gone is told only where it is asked for`() {
        let changes = SchemaDifference.compare(
            existing: Self.stored, target: Self.target, includesTableRemovals: true)
        #expect(changes.compactMap(\.message).contains("Class 'Gone' has been removed."))
    }

    @Test func `a primary key brings its index`() {
        let plain = ObjectSchema("A", properties: [Property("a", .int), Property("b", .int)])
        func keyed(_ key: String?) -> Schema {
            var object = plain
            object.primaryKey = key
            return Schema([object])
        }
        func messages(_ from: String?, _ to: String?) -> [String] {
            SchemaDifference.compare(existing: keyed(from), target: keyed(to)).compactMap(\.message)
        }
        #expect(
            messages("a", "b") == [
                "Property 'A.a' has been made unindexed.", "Property 'A.b' has been made indexed.",
                "Primary Key for class 'A' has changed from 'a' to 'b'.",
            ])
        #expect(messages("a", nil).last == "Primary Key for class 'A' has been removed.")
        #expect(messages("a", "a") == [])
    }

    /// A property of an index, and one of another.
    @Test(arguments: [
        (PropertyIndex.general, PropertyIndex.fullText, ["unindexed", "indexed"]),
        (.fullText, .general, ["indexed", "unindexed"]), (.none, .fullText, ["indexed"]),
        (.fullText, .none, ["unindexed"]), (.fullText, .fullText, []),
    ])
    func `each kind of index comes and goes by itself`(from: PropertyIndex, to: PropertyIndex, made: [String]) {
        func schema(_ index: PropertyIndex) -> Schema {
            Schema([ObjectSchema("A", properties: [Property("s", .string, index: index)])])
        }
        let changes = SchemaDifference.compare(existing: schema(from), target: schema(to))
        #expect(changes.compactMap(\.message) == made.map { "Property 'A.s' has been made \($0)." })
    }

    @Test func `a primary key has the general index beside the full-text one that it asks for`() {
        func schema(_ key: String?, _ index: PropertyIndex) -> Schema {
            Schema([ObjectSchema("A", primaryKey: key, properties: [Property("s", .string, index: index)])])
        }
        func messages(_ from: Schema, _ to: Schema) -> [String] {
            SchemaDifference.compare(existing: from, target: to).compactMap(\.message)
        }
        let indexed = "Property 'A.s' has been made indexed."
        #expect(messages(schema("s", .none), schema("s", .fullText)) == [indexed])
        #expect(
            messages(schema(nil, .none), schema("s", .fullText)) == [
                indexed, indexed, "Primary Key for class 'A' has been added.",
            ])
    }

    @Test func `making the changes leaves no difference`() {
        // The target is the stored schema with its changes made, whatever the order of its properties.
        var shuffled = Self.target
        shuffled.classes.reverse()
        for index in shuffled.classes.indices { shuffled.classes[index].properties.reverse() }
        #expect(SchemaDifference.compare(existing: Self.target, target: shuffled) == [])
    }

    @Test func `every header has its text`() {
        let changes = [SchemaChange.addTable(ObjectSchema("A")), .addInitialProperties(ObjectSchema("A"))]
        #expect(
            SchemaMessageHeader.migrationRequired.text(changes) == """
                Migration is required due to the following errors:
                - Class 'A' has been added.
                """)
        #expect(
            SchemaMessageHeader.externalChange.text(changes) == """
                Unsupported schema changes were made by another client or process:
                - Class 'A' has been added.
                If your app is running in development mode, you can delete the realm and restart the app to update your \
                schema.
                """)
    }

    @Test func `what a mode makes it also permits`() {
        for change in SchemaDifference.compare(existing: Self.stored, target: Self.target) {
            if change.isWrittenInAdditiveMode || change.isOfIndex { #expect(change.isPermittedInAdditiveMode) }
            if change.isPermittedAtSameVersion { #expect(change.isPermittedReadOnly) }
        }
    }

    @Test func `names are limited in bytes`() {
        #expect(NameLimit.violation(className: String(repeating: "K", count: 57)) == nil)
        #expect(
            NameLimit.violation(className: String(repeating: "K", count: 58))?.hasPrefix("Name too long: class_KK")
                == true)
        #expect(NameLimit.violation(property: String(repeating: "\u{e9}", count: 31), of: "A") == nil)
        #expect(
            NameLimit.violation(property: String(repeating: "\u{e9}", count: 32), of: "A")?.hasPrefix(
                "Name too long: \u{e9}")
                == true)
    }
}
