import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Hints about declarations` {
    private static func schema(_ properties: [Property]) -> Schema {
        Schema([ObjectSchema("A", properties: [Property("n", .int)] + properties)])
    }

    private let earlier: [(version: UInt64, schema: Schema)] = [
        (1, schema([Property("note", .string)])), (2, schema([])), (3, schema([])),
    ]

    @Test(arguments: [
        "function migrate(migration) { migration.deleteData('A'); }",
        "function migrate(migration, version) { migration.deleteData('A'); }",
        "function migrate(m, oldSchemaVersion) { m.deleteData('A'); } // if (oldSchemaVersion < 2)",
        "const migrate = (m, v) => { m.deleteData(\"v\"); /* v */ };",
        "function onMigration(oldRealm, newRealm) { newRealm.deleteModel('A'); }",
    ])
    func `say where a script never looks at the version`(script: String) {
        let hints = DeclarationHint.all(version: 4, schema: Self.schema([]), script: script, earlier: earlier)
        #expect(hints.map(\.rule) == [.versionNotAsked])
        // From one version alone there is nothing to tell apart.
        let few = DeclarationHint.all(
            version: 4, schema: Self.schema([]), script: script, earlier: Array(earlier.suffix(1)))
        #expect(few.isEmpty)
    }

    @Test(arguments: [
        "function migrate(migration, version) { if (version < 2) migration.deleteData('A'); }",
        "function migrate(migration) { if (migration.oldSchemaVersion < 2) migration.deleteData('A'); }",
        "const migrate = (m, v) => { console.log(`${v}`); };",
        "var migrate = function (m, v) { const text = 'it\\'s'; return v; };",
        "function migrate({ oldSchemaVersion, deleteData }) { if (oldSchemaVersion < 2) deleteData('A'); }",
        "function onMigration(oldRealm, newRealm) { if (oldRealm.schemaVersion < 2) newRealm.deleteModel('A'); }",
        "function migrate() { return arguments[1]; }",
    ])
    func `say nothing where it does`(script: String) {
        #expect(DeclarationHint.all(version: 4, schema: Self.schema([]), script: script, earlier: earlier).isEmpty)
    }

    @Test func `say which property comes back, once`() {
        let back = Self.schema([Property("note", .string)])
        let hints = DeclarationHint.all(version: 4, schema: back, script: nil, earlier: earlier)
        #expect(hints.map(\.rule) == [.propertyComesBack])
        #expect(hints.first?.className == "A" && hints.first?.property == "note")
        #expect(hints.first?.message.contains("version 2 removed or changed it") == true)
        #expect(
            DeclarationHint.all(version: 4, schema: back, script: nil, earlier: Array(earlier.dropFirst())).isEmpty)
    }
}
