import JobStore
import Postgres
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore
import Testing

@testable import MigrationJobs

@Suite struct `Kinds of jobs` {
    private let fixture: JobFixture
    private var store: SnapshotStore { fixture.store }

    init() throws { fixture = try JobFixture() }

    /// A queued job as a newer program might have put it there: of a kind of its own, of no realm.
    private func newer() throws -> RealmModel.UUID {
        let job = try fixture.enqueue()
        try fixture.pool.withConnection { connection in
            try connection.execute(script: "ALTER TABLE job DROP CONSTRAINT IF EXISTS kind_whole")
            try connection.execute(
                """
                UPDATE job SET kind = 'census', exclusive = false, realm_id = NULL, realm_name = NULL WHERE job_id = \(job.id)
                """)
        }
        return job.id
    }

    private func state(_ id: RealmModel.UUID) throws -> String {
        try fixture.pool.withConnection { try $0.query("SELECT state FROM job WHERE job_id = \(id)")[0].value("state") }
    }

    @Test func `that a worker does not know it leaves to newer programs`() throws {
        let unknown = try newer()
        let known = try fixture.enqueue()
        #expect(try fixture.jobs.claim(lease: .seconds(60))?.job.id == known.id)
        #expect(try fixture.jobs.claim(lease: .seconds(60)) == nil)
        try fixture.pool.withConnection { connection in
            _ = try connection.execute(
                """
                UPDATE job SET state = 'running', attempt = 3, started_at = now(), lease_token = job_id,
                    lease_until = now() - interval '1 hour' WHERE job_id = \(unknown)
                """)
        }
        #expect(try fixture.jobs.claim(lease: .seconds(60)) == nil)
        #expect(try fixture.jobs.requeueLost().count == 0)
        #expect(try state(unknown) == "running")
    }

    @Test func `that are not known are listed, and neither cancelled nor retried`() throws {
        let unknown = try newer()
        let known = try fixture.enqueue()
        let listed = try fixture.jobs.list().items
        #expect(listed.map(\.id) == [known.id, unknown])
        guard case .unreadable(let job) = listed[1] else {
            Issue.record("It was read.")
            return
        }
        #expect(job.kind == "census")
        #expect(job.realm == nil)
        let damaged = StoreError.damaged("a job of a kind that this program does not know")
        #expect(job.reason == damaged)
        #expect(throws: damaged) { try fixture.jobs.cancel(unknown) }
        #expect(throws: damaged) { try fixture.jobs.retry(unknown) }
        #expect(throws: damaged) { try fixture.jobs.find(unknown) }
        #expect(try state(unknown) == "queued")
        #expect(try fixture.jobs.find([unknown, known.id])[known.id]?.get() == known)
    }

    @Test(arguments: ["migration_job SET request = '[]'", "migration_job SET plan = '3'"])
    func `whose row can't be read fail when they are claimed`(damage: String) throws {
        let damaged = try fixture.enqueue()
        try fixture.upload(1, to: "bob")
        let whole = try fixture.enqueue(realm: "bob")
        try fixture.pool.withConnection { connection in
            try connection.execute(script: "UPDATE \(damage) WHERE job_id = '\(damaged.id)'")
        }
        #expect(throws: StoreError.self) { try fixture.jobs.claim(lease: .seconds(60)) }
        #expect(try state(damaged.id) == "failed")
        #expect(try fixture.jobs.claim(lease: .seconds(60))?.job.id == whole.id)
    }

    @Test(arguments: [
        "migration_job SET request = '[]'", "migration_job SET plan = '3'", "job SET kind = 'fleet'",
        "job SET progress = '[]'",
    ])
    func `whose row can't be read keep none of the others from being listed`(damage: String) throws {
        let damaged = try fixture.enqueue()
        try fixture.upload(1, to: "bob")
        let whole = try fixture.enqueue(realm: "bob")
        try fixture.pool.withConnection { connection in
            try connection.execute(
                script: """
                    ALTER TABLE job DROP CONSTRAINT kind_whole;
                    UPDATE \(damage) WHERE job_id = '\(damaged.id)'
                    """)
        }
        #expect(try fixture.jobs.list().items.map(\.id) == [whole.id, damaged.id])
        let found = try fixture.jobs.find([damaged.id, whole.id])
        #expect(try found[whole.id]?.get() == whole)
        #expect(throws: (any Error).self) { try found[damaged.id]?.get() }
    }

    @Test func `keep nothing else from a realm unless they are exclusive`() throws {
        let job = try fixture.enqueue()
        try fixture.pool.withConnection { connection in
            try connection.execute(script: "ALTER TABLE job DROP CONSTRAINT kind_whole")
            try connection.execute("UPDATE job SET kind = 'census', exclusive = false WHERE job_id = \(job.id)")
        }
        try fixture.upload()
        #expect(try fixture.enqueue().state == .queued)
        #expect(throws: StoreError.self) { try fixture.upload() }
    }

    @Test func `know the job that made them, until it is gone`() throws {
        let parent = try fixture.enqueue()
        let source = try fixture.upload(1, to: "bob")
        let order = MigrationOrder(JobFixture.request(), plan: nil, of: source)
        let child = try fixture.jobs.insert(.migration(order), of: "shop", parent: parent.id)
        #expect(child.parent == parent.id)
        #expect(try fixture.jobs.claim(lease: .seconds(60))?.job.parent == nil)
        #expect(try fixture.jobs.claim(lease: .seconds(60))?.job.parent == parent.id)
        try fixture.pool.withConnection { _ = try $0.execute("DELETE FROM job WHERE job_id = \(parent.id)") }
        #expect(try fixture.jobs.find(child.id).parent == nil)
    }

    @Test func `are queued only as they were checked`() throws {
        let stale = MigrationOrder(JobFixture.request(), plan: nil, of: try fixture.upload())
        try fixture.upload()
        #expect(throws: StoreError.realmChanged) { try fixture.jobs.insert(.migration(stale), of: "shop") }
        #expect(try fixture.count("job") == 0)
    }

    @Test func `write down what they run when they are queued, and an attempt that finds the same does not`() throws {
        _ = try store.schemaVersions.put(
            2, of: "shop", schema: JobFixture.schema(),
            migration: DeclaredMigration(script: ScriptSource(.javaScript, "append !")))
        let job = try fixture.queue.enqueue(MigrationOrder.Request(targetVersion: 2), realm: "alice", app: "shop")
        let configuration = WorkerConfiguration()
        let tools = JobTools(jobs: fixture.jobs, host: TestHost(), scriptLimits: configuration.scriptLimits)
        let lease = try #require(try fixture.jobs.claim(lease: .seconds(60)))
        JobRunner(tools: tools, log: fixture.log)
            .run(JobAttempt(lease, duration: .seconds(60)))
        let done = try fixture.jobs.find(job.id)
        #expect(done.state == .succeeded)
        #expect(done.migration.plan == job.migration.plan)
        // The claim and the end.
        #expect(done.revision == job.revision + 2)
    }

    @Test(arguments: [1e300, .greatestFiniteMagnitude])
    func `take any time limit`(seconds: Double) throws {
        var request = JobFixture.request("append !")
        request.limits.timeoutSeconds = seconds
        let job = try fixture.queue.enqueue(request, realm: "alice", app: "shop")
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.state == .succeeded)
    }
}
