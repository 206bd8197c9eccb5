import RealmModel
import Testing

@testable import SnapshotStore

@Suite struct AppTests {
    let fixture: StoreFixture
    var store: SnapshotStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    @Test func `is made once and found again`() throws {
        #expect(try store.putApp("cafe").isNew)
        #expect(try !store.putApp("cafe").isNew)
        #expect(try store.app("cafe").name == "cafe")
        #expect(throws: StoreError.notFound(.app, "bar")) { try store.app("bar") }
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `is listed once each, whatever the limit of a page`(_ limit: Int) throws {
        let names = ["Zoo", "a", "b", "b.1", "b_1", "shop"]
        for name in names { _ = try store.putApp(name) }
        let pages = try allPages(limit) { try store.apps($0) }
        #expect(pages.flatMap(\.items).map(\.name) == names)
        #expect(pages.dropLast().allSatisfy { $0.items.count == limit })
    }

    @Test(arguments: ["", "x", "YXBwcw", "cmVhbG1zL2E", "%%%"])
    func `refuses a cursor that it did not give`(_ cursor: String) {
        #expect(throws: StoreError.invalidCursor) { try store.apps(PageRequest(cursor: cursor)) }
    }

    @Test func `keeps schema versions as they were declared`() throws {
        let migration = DeclaredMigration(
            language: "javascript", source: "function migrate(m) { '\0\\u0000' }",
            renames: [DeclaredMigration.Rename(className: "Person", from: "a", to: "b")], nullability: .keep)
        let first = try store.putSchemaVersion(1, of: "shop", schema: StoreFixture.schema, migration: migration)
        #expect(first.isNew)
        #expect(first.schemaVersion.migration == migration)
        #expect(try !store.putSchemaVersion(1, of: "shop", schema: StoreFixture.schema, migration: migration).isNew)
        #expect(throws: StoreError.schemaVersionInUse(1)) {
            try store.putSchemaVersion(1, of: "shop", schema: StoreFixture.schema, migration: nil)
        }
        #expect(throws: StoreError.schemaVersionInUse(1)) {
            try store.putSchemaVersion(1, of: "shop", schema: Schema(), migration: migration)
        }
        #expect(try store.schemaVersion(1, of: "shop").schema == StoreFixture.schema)
    }

    @Test func `lists schema versions by number, to the greatest`() throws {
        let versions: [UInt64] = [0, 2, 10, 1 << 63, .max - 1]
        for version in versions.shuffled() {
            _ = try store.putSchemaVersion(version, of: "shop", schema: StoreFixture.schema, migration: nil)
        }
        let pages = try allPages(2) { try store.schemaVersions(of: "shop", $0) }
        #expect(pages.flatMap(\.items).map(\.version) == versions)
        #expect(try store.schemaVersion(before: 10, of: "shop")?.version == 2)
        #expect(try store.schemaVersion(before: 0, of: "shop") == nil)
        #expect(try store.newestSchemaVersion(of: "shop")?.version == .max - 1)
    }

    @Test func `goes with everything in it`() throws {
        try fixture.upload()
        _ = try store.putSchemaVersion(1, of: "shop", schema: StoreFixture.schema, migration: nil)
        try store.deleteApp("shop")
        #expect(throws: StoreError.notFound(.app, "shop")) { try store.app("shop") }
        #expect(try fixture.count("realm") == 0)
        #expect(try fixture.count("snapshot") == 0)
        #expect(try fixture.count("schema_version") == 0)
        _ = try store.putApp("shop")
        #expect(throws: StoreError.notFound(.realm, "alice")) { try store.realm("alice", in: "shop") }
    }

    @Test func `stays while a realm of it is being migrated`() throws {
        let source = try fixture.upload()
        let job = try store.insertJob(JobRequest(targetVersion: 2), source: source, realm: "alice", app: "shop")
        #expect(throws: StoreError.migrationActive(job: job.id)) { try store.deleteApp("shop") }
        #expect(throws: StoreError.migrationActive(job: job.id)) { try store.deleteRealm("alice", in: "shop") }
        _ = try store.cancelJob(job.id)
        try store.deleteRealm("alice", in: "shop")
        #expect(throws: StoreError.notFound(.job, job.id.description)) { try store.job(job.id) }
        try store.deleteApp("shop")
    }

    @Test func `gives keys that open, until they are deleted`() throws {
        let made = try store.createAPIKey(named: "laptop")
        #expect(try store.apiKey(authenticating: made.secret) == made.key)
        #expect(try store.apiKey(authenticating: made.secret + "0") == nil)
        #expect(try store.apiKeys().items == [made.key])
        let stored = try fixture.pool.withConnection {
            try $0.query("SELECT encode(hash, 'hex') AS hash FROM api_key")[0].value("hash", as: String.self)
        }
        #expect(!made.secret.contains(stored))
        try store.deleteAPIKey(made.key.id)
        #expect(try store.apiKey(authenticating: made.secret) == nil)
        #expect(throws: StoreError.notFound(.apiKey, made.key.id.description)) { try store.deleteAPIKey(made.key.id) }
    }
}

/// Every page of a list, one after the other.
func allPages<Item>(_ limit: Int, _ list: (PageRequest) throws -> Page<Item>) throws -> [Page<Item>] {
    var pages = [try list(PageRequest(limit: limit))]
    while let next = pages.last?.next { pages.append(try list(PageRequest(limit: limit, cursor: next))) }
    return pages
}
