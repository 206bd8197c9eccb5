import RealmMigration
import RealmModel
import SnapshotStore
import Testing

@testable import MigrationJobs

@Suite struct `A synced realm's migration` {
    private let fixture: JobFixture
    private let realm = "shared"

    init() throws {
        fixture = try JobFixture()
        _ = try fixture.store.realms.put(realm, in: "shop", kind: .synced)
        try fixture.upload(to: realm)
    }

    private static let withoutName = Schema([
        ObjectSchema("Person", primaryKey: "id", properties: [Property("id", .int)])
    ])

    /// What an error says is breaking.
    private static func changes(_ error: SyncedRealmError?) throws -> [ProblemItem] {
        guard case .breakingChange(let changes)? = error else { throw try #require(error) }
        return changes
    }

    private func declare(_ version: UInt64, _ schema: Schema, script: String? = nil) throws {
        _ = try fixture.store.schemaVersions.put(
            version, of: "shop", schema: schema,
            migration: script.map { DeclaredMigration(language: "test", source: $0) })
    }

    @Test func `is refused a script, its own or a declared one, anywhere on the way`() throws {
        try declare(2, JobFixture.schema([JobFixture.age]), script: "append !")
        try declare(3, JobFixture.schema([JobFixture.age]))
        for request in [
            JobFixture.request("append !"), MigrationOrder.Request(targetVersion: 2),
            MigrationOrder.Request(targetVersion: 3, steps: .chain),
        ] {
            #expect(throws: SyncedRealmError.scriptNotAllowed) {
                try fixture.queue.enqueue(request, realm: realm, app: "shop")
            }
        }
        #expect(try fixture.count("job") == 0)
        #expect(
            try fixture.queue.enqueue(MigrationOrder.Request(targetVersion: 3), realm: realm, app: "shop").state
                == .queued)
    }

    @Test func `is refused a breaking change, also one that a later step takes back`() throws {
        try declare(2, Self.withoutName)
        try declare(3, JobFixture.schema())
        for request in [
            MigrationOrder.Request(targetVersion: 2), MigrationOrder.Request(targetVersion: 3, steps: .chain),
        ] {
            let error = #expect(throws: SyncedRealmError.self) {
                try fixture.queue.enqueue(request, realm: realm, app: "shop")
            }
            let changes = try Self.changes(error)
            #expect(changes.map(\.className) == ["Person"])
            #expect(changes.map(\.property) == ["name"])
        }
    }

    @Test func `is checked against the snapshot that is queued, whatever is uploaded between check and insertion`()
        throws
    {
        let request = JobFixture.request()
        let more = Property("email", .string, isOptional: true)
        var checks = 0
        let error = #expect(throws: SyncedRealmError.self) {
            try fixture.queue.enqueue(in: "shop") {
                let order = try MigrationJob.check(
                    request, realm: realm, app: "shop", store: fixture.store, scriptLimits: ScriptLimits())
                checks += 1
                // What only added a property to the snapshot before removes one from this.
                try fixture.upload(0, to: realm, schema: JobFixture.schema([more]))
                return order
            }
        }
        let changes = try Self.changes(error)
        #expect(changes.map(\.property) == ["email"])
        #expect(checks == 1)
        #expect(try fixture.count("job") == 0)
    }

    @Test func `is queued at the snapshot that came between, where that permits it`() throws {
        var latest: SnapshotInfo?
        let job = try fixture.queue.enqueue(in: "shop") {
            let order = try MigrationJob.check(
                JobFixture.request(), realm: realm, app: "shop", store: fixture.store, scriptLimits: ScriptLimits())
            if latest == nil { latest = try fixture.upload(3, to: realm) }
            return order
        }
        #expect(job.migration.sourceSnapshot == latest?.id)
    }

    @Test(arguments: ["append !", nil])
    func `fails where its declaration was mended into what is refused while it waited`(script: String?) throws {
        try declare(2, JobFixture.schema([JobFixture.age]))
        try declare(3, JobFixture.schema([JobFixture.age]))
        let job = try fixture.queue.enqueue(
            MigrationOrder.Request(targetVersion: 3, steps: .chain), realm: realm, app: "shop")
        try declare(2, script == nil ? Self.withoutName : JobFixture.schema([JobFixture.age]), script: script)
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.problem?.code == (script == nil ? "synced_breaking_change" : "synced_script_not_allowed"))
        #expect(try fixture.currentSnapshot(realm) == job.migration.sourceSnapshot)
    }
}
