import JobStore
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms
import Testing

@testable import MigrationJobs

@Suite struct `A synced realm's migration` {
    private typealias Kind = SchemaChangeReport.Kind

    private static let size = Property("size", .int)
    private static let color = Property("color", .string, isOptional: true)

    // MARK: The server-side column of Realm's table

    /// A change of the server's schema, and whether the table has it as breaking there.
    struct Row: Sendable, CustomTestStringConvertible {
        let kind: SchemaChangeReport.Kind
        let target: Schema
        var renames: [PropertyRename] = []
        let isBreaking: Bool

        var testDescription: String { kind.row ?? kind.rawValue }
    }

    private static let rows = [
        Row(
            kind: .addObjectType,
            target: Schema(
                SyncedFixture.schema.classes
                    + [ObjectSchema("Folder", primaryKey: "_id", properties: [Property("_id", .string)])]),
            isBreaking: false),
        Row(kind: .addRequiredProperty, target: SyncedFixture.note { $0.properties.append(size) }, isBreaking: false),
        Row(kind: .addOptionalProperty, target: SyncedFixture.note { $0.properties.append(color) }, isBreaking: false),
        Row(
            kind: .removeObjectType,
            target: Schema(SyncedFixture.note { $0.properties.removeLast() }.classes.dropLast()), isBreaking: true),
        Row(
            kind: .removeRequiredProperty, target: SyncedFixture.note { $0.properties.remove(at: 1) }, isBreaking: true),
        Row(
            kind: .removeOptionalProperty, target: SyncedFixture.note { $0.properties.remove(at: 2) }, isBreaking: true),
        Row(
            kind: .changePropertyName, target: SyncedFixture.note { $0.properties[1].name = "name" },
            renames: [.init(className: "Note", from: "title", to: "name")], isBreaking: true),
        Row(kind: .changePropertyType, target: SyncedFixture.note { $0.properties[1].type = .int }, isBreaking: true),
        Row(
            kind: .changePropertyOptionalToRequired,
            target: SyncedFixture.note { $0.properties[2].isOptional = false }, isBreaking: true),
        Row(
            kind: .changePropertyRequiredToOptional,
            target: SyncedFixture.note { $0.properties[1].isOptional = true }, isBreaking: true),
    ]

    @Test func `has all rows of the table that schemas and declared renames can show`() {
        let table = Set(Kind.allCases.filter { $0.row != nil })
        // A renamed class is a removed one and an added one to everything that is declared.
        #expect(Set(Self.rows.map(\.kind)) == table.subtracting([.changeObjectTypeName]))
    }

    @Test(arguments: rows) func `does what the server-side column of the table says`(row: Row) throws {
        #expect((row.kind.serverSide == .breaking) == row.isBreaking)
        let fixture = try SyncedFixture()
        let before = try fixture.current()
        let migration = row.renames.isEmpty ? nil : DeclaredMigration(renames: row.renames)
        let request = MigrationOrder.Request(targetVersion: 1, schema: row.target, migration: migration)
        guard row.isBreaking else {
            let job = try fixture.migrated(request)
            #expect(job.state == .succeeded)
            let after = try fixture.current().snapshot
            #expect(after.declared == row.target)
            #expect(try fixture.values("Note", "title").count == 3)
            return
        }
        let error = #expect(throws: SyncedRealmError.self) { try fixture.enqueue(request) }
        guard case .schema(.breaking(let changes))? = error else { throw try #require(error) }
        #expect(changes.contains { $0.kind == row.kind })
        let problem = ProblemDocumentText(try #require(error))
        #expect(problem.code == "synced_breaking_change")
        let title = try #require(row.kind.row)
        let message = try #require(problem.messages.first { $0.contains(title) })
        // The row, what it would break, and the ways out.
        #expect(message.contains("breaking in the server-side schema"))
        #expect(message.contains("terminate sync"))
        #expect(try fixture.current().info.id == before.info.id)
    }

    @Test func `is refused a renamed class, which is a removed one and an added one`() throws {
        let fixture = try SyncedFixture()
        var label = SyncedFixture.tag
        label.name = "Label"
        let target = SyncedFixture.note { $0.properties[3].objectType = "Label" }.classes[0]
        let error = #expect(throws: SyncedRealmError.self) {
            try fixture.enqueue(.init(targetVersion: 2, schema: Schema([target, label])))
        }
        guard case .schema(.breaking(let changes))? = error else { throw try #require(error) }
        #expect(changes.map(\.kind).contains(.removeObjectType))
        let renamed = #expect(throws: ServerSchemaError.self) {
            try ServerSchema(try fixture.current().snapshot).requireAdditions(
                to: Schema([target, label]), renames: [.objectType(from: "Tag", to: "Label")])
        }
        guard case .breaking(let reports)? = renamed else { throw try #require(renamed) }
        #expect(reports.first?.kind == .changeObjectTypeName)
    }

    @Test func `is refused another primary key`() throws {
        let fixture = try SyncedFixture()
        let target = SyncedFixture.note { $0.primaryKey = nil }
        #expect(throws: SyncedRealmError.self) { try fixture.enqueue(.init(targetVersion: 2, schema: target)) }
    }

    // MARK: Versions, scripts, modes

    @Test(arguments: [0, 1, 2, 9] as [UInt64]) func `takes no notice of the version that it is given`(version: UInt64)
        throws
    {
        let fixture = try SyncedFixture()
        let target = SyncedFixture.note { $0.properties.append(Self.color) }
        let job = try fixture.migrated(.init(targetVersion: version, schema: target))
        #expect(job.state == .succeeded)
        #expect(try fixture.current().snapshot.declared == target)
        // The same again, at any version, changes nothing of it.
        #expect(try fixture.migrated(.init(targetVersion: 4, schema: target)).state == .succeeded)
        #expect(try fixture.current().snapshot.declared == target)
    }

    @Test func `is refused a script, its own or a declared one, anywhere on the way`() throws {
        let fixture = try SyncedFixture()
        let grown = SyncedFixture.note { $0.properties.append(Self.color) }
        try fixture.declare(2, grown, DeclaredMigration(script: ScriptSource(.javaScript, "append !")))
        try fixture.declare(3, grown)
        let script = DeclaredMigration(script: ScriptSource(.javaScript, "append !"))
        for request in [
            MigrationOrder.Request(targetVersion: 3, migration: script), MigrationOrder.Request(targetVersion: 2),
            MigrationOrder.Request(targetVersion: 3, steps: .chain),
        ] {
            #expect(throws: SyncedRealmError.scriptNotAllowed) { try fixture.enqueue(request) }
        }
        #expect(try fixture.base.count("job") == 0)
        #expect(try fixture.enqueue(.init(targetVersion: 3)).state == .queued)
    }

    @Test(arguments: SchemaMode.allCases) func `is refused the modes that do not add`(mode: SchemaMode) throws {
        let fixture = try SyncedFixture()
        let target = SyncedFixture.note { $0.properties.append(Self.color) }
        let request = MigrationOrder.Request(targetVersion: 2, schema: target, mode: mode.rawValue)
        guard [.automatic, .additiveDiscovered, .additiveExplicit].contains(mode) else {
            #expect(throws: SyncedRealmError.modeNotAllowed(mode.rawValue)) { try fixture.enqueue(request) }
            return
        }
        #expect(try fixture.migrated(request).state == .succeeded)
        #expect(try fixture.values("Note", "title").count == 3)
    }

    @Test func `is refused a breaking change, also one that a later step takes back`() throws {
        let fixture = try SyncedFixture()
        try fixture.declare(2, SyncedFixture.note { $0.properties.remove(at: 1) })
        try fixture.declare(3, SyncedFixture.schema)
        for request in [
            MigrationOrder.Request(targetVersion: 2), MigrationOrder.Request(targetVersion: 3, steps: .chain),
        ] {
            let error = #expect(throws: SyncedRealmError.self) { try fixture.enqueue(request) }
            guard case .schema(.breaking(let changes))? = error else { throw try #require(error) }
            #expect(changes.map(\.property) == ["title"])
        }
    }

    // MARK: Names and keys

    @Test(
        arguments: [
            (
                nil,
                "There must be a primary key property named '_id' on a synchronized Realm but none was found for type 'Cat'"
            ),
            (
                "id",
                "The primary key property on a synchronized Realm must be named '_id' but found 'id' for type 'Cat'"
            ),
        ] as [(String?, String)])
    func `is refused a class without a primary key of the name _id`(primaryKey: String?, message: String) throws {
        let fixture = try SyncedFixture()
        let cat = ObjectSchema("Cat", primaryKey: primaryKey, properties: [Property("id", .int)])
        let error = #expect(throws: SyncedRealmError.self) {
            try fixture.enqueue(.init(targetVersion: 2, schema: Schema(SyncedFixture.schema.classes + [cat])))
        }
        let problem = ProblemDocumentText(try #require(error))
        #expect(problem.code == "schema_invalid")
        #expect(problem.messages == [message])
    }

    @Test func `takes another name in programs for no rename`() throws {
        let fixture = try SyncedFixture()
        let target = SyncedFixture.note { $0.properties[1].alias = "heading" }
        #expect(try fixture.migrated(.init(targetVersion: 2, schema: target)).state == .succeeded)
        #expect(try fixture.values("Note", "title") == (0..<3).map { .string("note \($0)") })
        #expect(try fixture.current().snapshot.declared["Note"]?.properties[1].publicName == "heading")
    }

    // MARK: Additions

    @Test func `gives a required property to no object that is there, and counts them`() throws {
        let fixture = try SyncedFixture()
        let target = SyncedFixture.note { $0.properties.append(Self.size) }
        #expect(try fixture.migrated(.init(targetVersion: 2, schema: target)).state == .succeeded)
        #expect(try fixture.values("Note", "size") == [.null, .null, .null])
        #expect(try fixture.sync().unsyncedCount == 3)
        try fixture.change { editor in
            let note = try #require(try editor.view.object(in: 0, primaryKey: .int(1)))
            try editor.set(4, of: note, to: .int(7))
        }
        #expect(try fixture.values("Note", "size") == [.null, .int(7), .null])
        #expect(try fixture.sync().unsyncedCount == 2)
        try fixture.change { try $0.delete(try #require(try $0.view.object(in: 0, primaryKey: .int(2)))) }
        #expect(try fixture.sync().unsyncedCount == 1)
    }

    @Test func `gives a required property its default where the declaration says so`() throws {
        let fixture = try SyncedFixture()
        let target = SyncedFixture.note {
            $0.properties.append(Property("size", .int, defaultValue: .int(3)))
        }
        let job = try fixture.migrated(
            .init(targetVersion: 2, schema: target, migration: DeclaredMigration(applyDefaults: .existing)))
        #expect(job.state == .succeeded)
        #expect(try fixture.values("Note", "size") == [.int(3), .int(3), .int(3)])
        #expect(try fixture.sync().unsyncedCount == 0)
    }

    @Test func `goes on beside changes, of which none is lost or waits`() throws {
        let fixture = try SyncedFixture()
        let grown = SyncedFixture.note { $0.properties.append(Self.color) }
        let job = try fixture.enqueue(.init(targetVersion: 2, schema: grown))
        // Queued, and clients go on.
        try fixture.change { editor in
            let note = try #require(try editor.view.object(in: 0, primaryKey: .int(0)))
            try editor.set(1, of: note, to: .string("changed"))
        }
        let latest = try fixture.current().info.id
        let done = try fixture.base.withWorkers { _ in try fixture.base.end(of: job) }
        #expect(done.state == .succeeded)
        let after = try fixture.current()
        #expect(after.info.parent == latest)
        #expect(after.snapshot.declared == grown)
        #expect(try fixture.values("Note", "title").first == .string("changed"))
    }

    @Test func `adds what two jobs add, one after the other`() throws {
        let fixture = try SyncedFixture()
        let both = SyncedFixture.note { $0.properties += [Self.color, Self.size] }
        let first = try fixture.enqueue(
            .init(targetVersion: 2, schema: SyncedFixture.note { $0.properties.append(Self.color) }))
        let second = try fixture.enqueue(.init(targetVersion: 2, schema: both))
        let ended = try fixture.base.withWorkers(.init(workers: 1)) { _ in
            try [first, second].map { try fixture.base.end(of: $0) }
        }
        #expect(ended.map(\.state) == [.succeeded, .succeeded])
        #expect(try fixture.current().snapshot.declared == both)
    }

    @Test func `fails where what another job added meanwhile would go`() throws {
        let fixture = try SyncedFixture()
        let first = try fixture.enqueue(
            .init(targetVersion: 2, schema: SyncedFixture.note { $0.properties.append(Self.color) }))
        let second = try fixture.enqueue(
            .init(targetVersion: 2, schema: SyncedFixture.note { $0.properties.append(Self.size) }))
        let ended = try fixture.base.withWorkers(.init(workers: 1)) { _ in
            try [first, second].map { try fixture.base.end(of: $0) }
        }
        #expect(ended.map(\.state) == [.succeeded, .failed])
        #expect(ended[1].problem?.code == "synced_breaking_change")
    }

    @Test func `leaves no embedded object without a value that it needs`() throws {
        let place = ObjectSchema("Place", kind: .embedded, properties: [Property("city", .string)])
        let note = SyncedFixture.note {
            $0.properties[3] = Property("tag", .object, objectType: "Place", isOptional: true)
        }
        let schema = Schema([note.classes[0], place])
        let fixture = try SyncedFixture(schema: schema)
        try fixture.change { editor in
            let note = try #require(try editor.view.object(in: 0, primaryKey: .int(0)))
            try editor.set(3, of: note, to: .members([("city", .string("Bath"))]))
        }
        var grown = schema
        grown.classes[1].properties.append(Property("zip", .string, defaultValue: .string("-")))
        let error = #expect(throws: SyncedRealmError.self) {
            try fixture.enqueue(.init(targetVersion: 2, schema: grown))
        }
        #expect(error == .schema(.embeddedWithoutValue(className: "Place", property: "zip")))
        let job = try fixture.migrated(
            .init(targetVersion: 2, schema: grown, migration: DeclaredMigration(applyDefaults: .existing)))
        #expect(job.state == .succeeded)
    }

    @Test(arguments: [true, false])
    func `fails where its declaration was mended into what is refused while it waited`(isScript: Bool) throws {
        let fixture = try SyncedFixture()
        let grown = SyncedFixture.note { $0.properties.append(Self.color) }
        try fixture.declare(2, grown)
        try fixture.declare(3, grown)
        let job = try fixture.enqueue(MigrationOrder.Request(targetVersion: 3, steps: .chain))
        let before = try fixture.current().info.id
        try fixture.declare(
            2, isScript ? grown : SyncedFixture.note { $0.properties.remove(at: 1) },
            isScript ? DeclaredMigration(script: ScriptSource(.javaScript, "append !")) : nil)
        let done = try fixture.base.withWorkers { _ in try fixture.base.end(of: job) }
        #expect(done.problem?.code == (isScript ? "synced_script_not_allowed" : "synced_breaking_change"))
        #expect(try fixture.current().info.id == before)
    }

    // MARK: Uploads and restores

    @Test func `is the only way beside changes: no upload, no restored snapshot`() throws {
        let fixture = try SyncedFixture()
        let first = try fixture.current().info.id
        #expect(throws: StoreError.realmIsSynced) {
            try fixture.store.snapshots.beginDraft(of: fixture.realm, in: "shop")
        }
        try fixture.change { try $0.delete(try #require(try $0.view.object(in: 0, primaryKey: .int(2)))) }
        #expect(throws: StoreError.realmIsSynced) {
            try fixture.store.realms.restore(first, in: fixture.realm, of: "shop")
        }
    }

    @Test func `needs a first upload whose classes have a primary key of the name _id`() throws {
        let fixture = try SyncedFixture()
        _ = try fixture.store.realms.put("other", in: "shop", kind: .synced)
        let error = #expect(throws: StoreError.self) { try fixture.base.upload(to: "other") }
        guard case .syncedSchemaInvalid(let errors)? = error else { throw try #require(error) }
        #expect(errors.count == 1)
        #expect(try fixture.store.realms.find("other", in: "shop").currentSnapshot == nil)
    }

    @Test func `leaves a local realm's jobs to themselves`() throws {
        let fixture = try SyncedFixture()
        let job = try fixture.base.enqueue()
        #expect(throws: StoreError.migrationActive(job: job.id)) { try fixture.base.upload() }
        #expect(try fixture.store.realms.find("alice", in: "shop").sync == nil)
    }
}
