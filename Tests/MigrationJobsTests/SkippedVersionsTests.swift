import JobStore
import MigrationJobs
import RealmModel
import SnapshotStore
import Testing

@Suite struct `Versions that a job skips` {
    /// A fixture in which version 2 deletes `name` and version 3 adds it again.
    private func fixture() throws -> JobFixture {
        let fixture = try JobFixture()
        let without = Schema([ObjectSchema("Person", primaryKey: "id", properties: [Property("id", .int)])])
        _ = try fixture.store.schemaVersions.put(2, of: "shop", schema: without, migration: nil)
        _ = try fixture.store.schemaVersions.put(3, of: "shop", schema: JobFixture.schema(), migration: nil)
        return fixture
    }

    private func run(_ request: MigrationOrder.Request, in fixture: JobFixture) throws -> [String] {
        let job = try fixture.queue.enqueue(request, realm: "alice", app: "shop")
        try fixture.withWorkers { _ in
            let ended = try fixture.end(of: job)
            #expect(ended.state == .succeeded)
        }
        return try fixture.jobs.log(of: job.id).items.map(\.text)
    }

    @Test func `are pointed out where a direct migration carries values over them`() throws {
        let fixture = try fixture()
        let lines = try run(MigrationOrder.Request(targetVersion: 3, steps: .direct), in: fixture)
        #expect(
            lines == [
                "Person.name is not the same property throughout: version 2 removed or changed it. A direct migration "
                    + "carries its old values, as Realm does; a chain of migrations does not. Set it in the script "
                    + "where that is not meant."
            ])
        #expect(try fixture.names().first == .string("person 0"))
    }

    @Test func `are none in a chain, which carries no values over them`() throws {
        let fixture = try fixture()
        let lines = try run(MigrationOrder.Request(targetVersion: 3, steps: .chain), in: fixture)
        #expect(lines.isEmpty)
        #expect(try fixture.names().allSatisfy { $0 == .string("") })
    }
}
