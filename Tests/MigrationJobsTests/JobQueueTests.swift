import JobStore
import MigrationJobs
import RealmMigration
import RealmModel
import StoreCore
import Testing

@Suite struct JobQueueTests {
    let fixture: JobFixture
    var queue: JobQueue { fixture.queue }

    init() throws { fixture = try JobFixture() }

    @Test func `says what a queued job is`() throws {
        let request = JobFixture.request("append !")
        let job = try queue.enqueue(request, realm: "alice", app: "shop")
        #expect(job.state == .queued)
        #expect(job.migration.fromVersion == 1)
        #expect(job.migration.toVersion == 2)
        #expect(job.attempt == 0)
        #expect(job.startedAt == nil)
        #expect(job.migration.request == request)
        #expect(try fixture.jobs.find(job.id) == job)
        #expect(try fixture.jobs.counts() == [.queued: 1, .running: 0])
    }

    @Test func `refuses what can't start`() throws {
        #expect(throws: StoreError.notFound(.app, "cafe")) {
            try queue.enqueue(JobFixture.request(), realm: "alice", app: "cafe")
        }
        #expect(throws: StoreError.notFound(.realm, "bob")) {
            try queue.enqueue(JobFixture.request(), realm: "bob", app: "shop")
        }
        #expect(throws: StoreError.notFound(.schemaVersion, "9")) {
            try queue.enqueue(MigrationOrder.Request(targetVersion: 9), realm: "alice", app: "shop")
        }
        _ = try fixture.store.realms.put("empty", in: "shop", kind: .local)
        #expect(throws: StoreError.self) { try queue.enqueue(JobFixture.request(), realm: "empty", app: "shop") }
        let lower = #expect(throws: MigrationError.self) {
            try queue.enqueue(
                MigrationOrder.Request(targetVersion: 0, schema: JobFixture.schema()), realm: "alice", app: "shop")
        }
        #expect(lower?.code == .invalidSchemaVersion)
        #expect(throws: MigrationError.self) {
            try queue.enqueue(MigrationOrder.Request(targetVersion: 1, mode: "sideways"), realm: "alice", app: "shop")
        }
        #expect(try fixture.count("job") == 0)
    }

    @Test func `holds one migration of a realm at a time`() throws {
        let job = try fixture.enqueue()
        #expect(throws: StoreError.migrationActive(job: job.id)) { try fixture.enqueue() }
        #expect(try fixture.jobs.cancel(job.id).state == .cancelled)
        let next = try fixture.enqueue()
        #expect(throws: StoreError.migrationActive(job: next.id)) { try fixture.jobs.retry(job.id) }
        #expect(throws: StoreError.jobState(.cancelled)) { try fixture.jobs.cancel(job.id) }
        #expect(throws: StoreError.jobState(.queued)) { try fixture.jobs.retry(next.id) }
    }

    @Test func `runs a job again only on the snapshot that it was made for`() throws {
        let job = try fixture.enqueue()
        _ = try fixture.jobs.cancel(job.id)
        #expect(try fixture.jobs.retry(job.id).state == .queued)
        _ = try fixture.jobs.cancel(job.id)
        try fixture.upload()
        #expect(throws: StoreError.realmChanged) { try fixture.jobs.retry(job.id) }
    }

    @Test(arguments: [1, 2, 50])
    func `lists jobs newest first, once each`(_ limit: Int) throws {
        var made: [RealmModel.UUID] = []
        for number in 0..<5 {
            try fixture.upload(1, to: "realm-\(number)")
            made.append(try fixture.enqueue(realm: "realm-\(number)").id)
        }
        _ = try fixture.jobs.cancel(made[2])
        func all(_ filter: JobFilter) throws -> [RealmModel.UUID] {
            var page = try fixture.jobs.list(filter, PageRequest(limit: limit))
            var found = page.items.map(\.id)
            while let next = page.next {
                page = try fixture.jobs.list(filter, PageRequest(limit: limit, cursor: next))
                found += page.items.map(\.id)
            }
            return found
        }
        #expect(try all(JobFilter()) == made.reversed())
        #expect(try all(JobFilter(state: .cancelled)) == [made[2]])
        #expect(try all(JobFilter(app: "shop", realm: "realm-4")) == [made[4]])
        #expect(try all(JobFilter(app: "cafe")).isEmpty)
    }
}
