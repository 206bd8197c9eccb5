import JobStore
import Postgres
import RealmMigration
import RealmModel
import TestDatabase
import TestStores
import Testing

@testable import StoreCore

@Suite struct StoredValueTests {
    @Test(arguments: [0, 1, 9_999, 10_000, 10_001, 100_000_000, 1_000_000_000_000_000_000, UInt64(Int64.max), .max])
    func `gives back schema versions as they were, in PostgreSQL's order`(_ version: UInt64) throws {
        let connection = try PostgresConnection(try TestDatabase.make())
        let row = try connection.query("SELECT \(StoredVersion(version)) AS v, \(StoredVersion(version))::text AS t")[0]
        #expect(try row.value("v", as: StoredVersion.self).number == version)
        #expect(try row.value("t", as: String.self) == "\(version)")
    }

    @Test(arguments: [
        (Timestamp(seconds: 0, nanoseconds: 0), "1970-01-01 00:00:00+00"),
        (Timestamp(seconds: 1_790_000_000, nanoseconds: 123_456_000), "2026-09-21 14:13:20.123456+00"),
        (Timestamp(seconds: -1, nanoseconds: -500_000_000), "1969-12-31 23:59:58.5+00"),
    ])
    func `gives back times as they were`(_ time: Timestamp, _ text: String) throws {
        let connection = try PostgresConnection(try TestDatabase.make())
        try connection.execute(script: "SET timezone = 'UTC'")
        let row = try connection.query("SELECT \(time) AS v, \(time)::text AS t")[0]
        #expect(try row.value("v", as: Timestamp.self) == time)
        #expect(try row.value("t", as: String.self) == text)
    }

    @Test func `gives back documents as they were, and refuses others`() throws {
        let migration = DeclaredMigration(
            script: ScriptSource(.javaScript, "a\0\u{1F600}\"\n"), renames: [.init(className: "P", from: "a", to: "b")],
            nullability: .keep, applyDefaults: .existing)
        let plan = MigrationOrder.Plan(
            steps: [
                .init(version: .max, schemaRevision: 3, migrationRevision: nil),
                .init(version: 0, schemaRevision: nil, migrationRevision: 1),
            ],
            limits: .init(
                timeoutSeconds: 0.5, memoryBytes: 1 << 40, createdCount: .max, writtenBytes: 0, logBytes: 1))
        let progress = JobProgress(
            phase: "script", className: "P", objectsDone: 1, objectsTotal: 2, objectsPerSecond: 1e6, etaSeconds: nil)
        #expect(try StoredJSON.document(StoredJSON.encode(migration)) == migration)
        #expect(try StoredJSON.document(StoredJSON.encode(DeclaredMigration())) == DeclaredMigration())
        #expect(try StoredJSON.document(StoredJSON.encode(plan)) == plan)
        #expect(try StoredJSON.document(StoredJSON.encode(progress)) == progress)
        // As earlier programs wrote them.
        let old = PostgresJSON(#"{"steps":[{"schemaRevision":1,"version":2}]}"#)
        let step = MigrationOrder.Plan.Step(version: 2, schemaRevision: 1, migrationRevision: nil)
        #expect(try StoredJSON.document(old) == MigrationOrder.Plan(steps: [step]))
        for damaged in ["[]", "{", #"{"steps":[{"version":-1}]}"#, #"{"steps":[],"memoryBytes":"1"}"#] {
            #expect(throws: StoreError.self) {
                _ = try StoredJSON.document(PostgresJSON(damaged)) as MigrationOrder.Plan
            }
        }
    }

    @Test func `makes UUIDs of version 7 that ascend by the millisecond`() {
        let ids = (0..<1000).map { _ in RealmModel.UUID.version7() }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.bytes[6] >> 4 == 7 && $0.bytes[8] >> 6 == 2 })
        let times = ids.map { $0.halves.high >> 16 }
        #expect(times == times.sorted())
    }

    @Test(arguments: ["a", "A.b_c-9", String(repeating: "x", count: 128)])
    func `takes names of apps and realms`(_ name: String) throws {
        try ResourceName.check(name, of: .app)
    }

    @Test(arguments: ["", "-a", ".a", "a/b", "ä", "a b", "a\n", String(repeating: "x", count: 129)])
    func `refuses other names`(_ name: String) {
        #expect(throws: StoreError.invalidName(.realm)) { try ResourceName.check(name, of: .realm) }
    }

    @Test(arguments: ["ada@example.org", "auth0|5f7c8ec7c33c6c004bbafe82", "oidc:g+1=2", "a@|:+="])
    func `17: takes names of realms that identity providers give, and no such apps`(_ name: String) throws {
        try ResourceName.check(name, of: .realm)
        #expect(throws: StoreError.invalidName(.app)) { try ResourceName.check(name, of: .app) }
        let fixture = try StoreFixture()
        _ = try fixture.store.realms.put(name, in: "shop", kind: .local)
        #expect(try fixture.store.realms.find(name, in: "shop").name == name)
    }
}
