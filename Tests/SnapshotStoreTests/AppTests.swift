import Foundation
import Postgres
import RealmMigration
import RealmModel
import StoreCore
import TestStores
import Testing

@testable import SnapshotStore

@Suite struct AppTests {
    let fixture: StoreFixture
    var store: SnapshotStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    @Test func `is made once and found again`() throws {
        #expect(try store.apps.put("cafe").isNew)
        #expect(try !store.apps.put("cafe").isNew)
        #expect(try store.apps.find("cafe").name == "cafe")
        #expect(throws: StoreError.notFound(.app, "bar")) { try store.apps.find("bar") }
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `is listed once each, whatever the limit of a page`(_ limit: Int) throws {
        let names = ["Zoo", "a", "b", "b.1", "b_1", "shop"]
        for name in names { _ = try store.apps.put(name) }
        let pages = try allPages(limit) { try store.apps.list($0) }
        #expect(pages.flatMap(\.items).map(\.name) == names)
        #expect(pages.dropLast().allSatisfy { $0.items.count == limit })
    }

    @Test(arguments: ["", "x", "YXBwcw", "cmVhbG1zL2E", "YXBwcy9hAA", "%%%"])
    func `refuses a cursor that it did not give`(_ cursor: String) {
        #expect(throws: StoreError.invalidCursor) { try store.apps.list(PageRequest(cursor: cursor)) }
    }

    private static let migration = DeclaredMigration(
        script: ScriptSource(.javaScript, "function migrate(m) { '\0\\u0000' }"),
        renames: [PropertyRename(className: "Person", from: "a", to: "b")], nullability: .keep)

    @discardableResult
    private func declare(
        _ version: UInt64 = 1, _ schema: Schema = StoreFixture.schema, _ migration: DeclaredMigration? = migration
    ) throws -> (schemaVersion: DeclaredVersion, outcome: Declaration) {
        try store.schemaVersions.put(version, of: "shop", schema: schema, migration: migration)
    }

    @Test func `keeps schema versions as they were declared`() throws {
        let first = try declare()
        #expect(first.outcome == .new)
        #expect(first.schemaVersion.migration == Self.migration)
        #expect(first.schemaVersion.revision == 1)
        let again = try declare()
        #expect(again.outcome == .same)
        #expect(again.schemaVersion == first.schemaVersion)
        #expect(try store.schemaVersions.find(1, of: "shop") == first.schemaVersion)
        #expect(throws: StoreError.notFound(.app, "none")) {
            try store.schemaVersions.put(1, of: "none", schema: Schema(), migration: nil)
        }
    }

    @Test func `a schema version that no realm has reached is mended and taken back, and every revision stays`() throws
    {
        let first = try declare().schemaVersion
        let second = try declare(1, Schema(), nil)
        #expect(second.outcome == .revised)
        #expect(second.schemaVersion.revision == 2)
        #expect(try store.schemaVersions.find(1, of: "shop") == second.schemaVersion)
        try store.schemaVersions.delete(1, of: "shop")
        #expect(throws: StoreError.notFound(.schemaVersion, "1")) { try store.schemaVersions.find(1, of: "shop") }
        #expect(throws: StoreError.notFound(.schemaVersion, "1")) { try store.schemaVersions.delete(1, of: "shop") }
        let third = try declare()
        #expect(third.outcome == .new)
        #expect(third.schemaVersion.revision == 3)
        #expect(try store.schemaVersions.find(1, revision: 1, of: "shop") == first)
        #expect(try store.schemaVersions.find(1, revision: 2, of: "shop") == second.schemaVersion)
        #expect(try store.schemaVersions.find(1, revision: 3, of: "shop") == third.schemaVersion)
        #expect(throws: StoreError.notFound(.schemaVersion, "1, revision 4")) {
            try store.schemaVersions.find(1, revision: 4, of: "shop")
        }
    }

    enum Reached: CaseIterable, Sendable {
        case bySnapshot
        case byEarlierSnapshot
        case byQueuedJob
    }

    @Test(arguments: Reached.allCases)
    func `of a schema version that a realm has reached the schema is fixed, and the migration is not`(
        how: Reached
    ) throws {
        let version: UInt64 = how == .byQueuedJob ? 2 : 1
        try declare(version)
        let source = try fixture.upload()
        if how == .byEarlierSnapshot {
            let draft = try store.snapshots.beginDraft(of: "alice", in: "shop")
            _ = try draft.commit(try StoreFixture.persons(1, version: 7, into: draft.store))
        }
        if how == .byQueuedJob {
            _ = try fixture.queueMigration(of: source)
        }
        #expect(throws: StoreError.schemaVersionInUse(version)) { try declare(version, Schema()) }
        #expect(throws: StoreError.schemaVersionInUse(version)) {
            try store.schemaVersions.delete(version, of: "shop")
        }
        let mended = try declare(version, StoreFixture.schema, nil)
        #expect(mended.outcome == .revised)
        #expect(mended.schemaVersion.revision == 2)
        #expect(try declare(version, StoreFixture.schema, nil).outcome == .same)
        #expect(try store.schemaVersions.find(version, revision: 1, of: "shop").migration == Self.migration)
    }

    @Test func `a schema version that no job leads to any more can be taken back`() throws {
        try declare(2)
        let source = try fixture.upload()
        let job = try fixture.queueMigration(of: source)
        _ = try fixture.jobs.cancel(job.id)
        #expect(try declare(2, Schema()).outcome == .revised)
        try store.schemaVersions.delete(2, of: "shop")
    }

    @Test func `many who mend a schema version at once make a revision each`() throws {
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            let schema = Schema([ObjectSchema("Class\(number)", properties: [Property("a", .int)])])
            #expect(throws: Never.self) { try declare(1, schema) }
        }
        #expect(try store.schemaVersions.find(1, of: "shop").revision == 8)
        let schemas = try (1...8).map { try store.schemaVersions.find(1, revision: $0, of: "shop").schema }
        #expect(Set(schemas).count == 8)
    }

    @Test func `lists schema versions by number, to the greatest`() throws {
        let versions: [UInt64] = [0, 2, 10, 1 << 63, .max - 1]
        for version in versions.shuffled() {
            _ = try store.schemaVersions.put(version, of: "shop", schema: StoreFixture.schema, migration: nil)
        }
        let pages = try allPages(2) { try store.schemaVersions.list(of: "shop", $0) }
        #expect(pages.flatMap(\.items).map(\.version) == versions)
        #expect(try store.schemaVersions.find(before: 10, of: "shop")?.version == 2)
        #expect(try store.schemaVersions.find(before: 0, of: "shop") == nil)
        #expect(try store.schemaVersions.find(before: .max, of: "shop")?.version == .max - 1)
        func way(_ source: UInt64?, _ target: UInt64) throws -> [UInt64] {
            try store.schemaVersions.way(from: source, to: target, of: "shop").map(\.version)
        }
        #expect(try way(nil, .max) == versions)
        #expect(try way(0, 1 << 63) == [2, 10, 1 << 63])
        #expect(try way(2, 9).isEmpty)
        // The target is there whatever the way to it.
        #expect(try way(10, 10) == [10])
        #expect(try way(.max - 1, 2) == [2])
        #expect(try store.schemaVersions.way(from: nil, to: 10, of: "cafe").isEmpty)
    }

    @Test func `goes with everything in it`() throws {
        try fixture.upload()
        _ = try store.schemaVersions.put(1, of: "shop", schema: StoreFixture.schema, migration: nil)
        try store.apps.delete("shop")
        #expect(throws: StoreError.notFound(.app, "shop")) { try store.apps.find("shop") }
        #expect(try fixture.count("realm") == 0)
        #expect(try fixture.count("snapshot") == 0)
        #expect(try fixture.count("schema_version") == 0)
        _ = try store.apps.put("shop")
        #expect(throws: StoreError.notFound(.realm, "alice")) { try store.realms.find("alice", in: "shop") }
    }

    @Test func `stays while a realm of it is being migrated`() throws {
        let source = try fixture.upload()
        let job = try fixture.queueMigration(of: source)
        #expect(throws: StoreError.appActive(job: job.id, fleet: nil)) { try store.apps.delete("shop") }
        #expect(throws: StoreError.migrationActive(job: job.id)) { try store.realms.delete("alice", in: "shop") }
        _ = try fixture.jobs.cancel(job.id)
        try store.realms.delete("alice", in: "shop")
        #expect(throws: StoreError.notFound(.job, job.id.description)) { try fixture.jobs.find(job.id) }
        try store.apps.delete("shop")
    }

    @Test func `are listed as far as they may be seen`() throws {
        for app in ["notes", "shop", "zoo"] { _ = try store.apps.put(app) }
        #expect(try store.apps.list(among: .named(["zoo", "notes", "none"])).items.map(\.name) == ["notes", "zoo"])
        #expect(try store.apps.list(among: .named([])).items.isEmpty)
        let first = try store.apps.list(PageRequest(limit: 1), among: .named(["zoo", "notes"]))
        let second = try store.apps.list(PageRequest(limit: 1, cursor: first.next), among: .named(["zoo", "notes"]))
        #expect((first.items + second.items).map(\.name) == ["notes", "zoo"])
    }
}
