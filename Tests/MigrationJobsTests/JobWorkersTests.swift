import Foundation
import JobStore
import MigrationJobs
import Postgres
import RealmMigration
import RealmModel
import StoreCore
import Testing

@Suite struct JobWorkersTests {
    let fixture: JobFixture

    init() throws { fixture = try JobFixture() }

    @Test func `writes no segment where only the schema changes`() throws {
        let segments = try fixture.count("segment")
        let job = try fixture.enqueue()
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.state == .succeeded)
        #expect(done.problem == nil)
        #expect(done.attempt == 1)
        let result = try fixture.store.snapshots.find(try #require(done.migration.resultSnapshot))
        #expect(result.createdBy == .migration(job: job.id))
        #expect(result.parent == job.migration.sourceSnapshot)
        #expect(result.schemaVersion == 2)
        #expect(try fixture.currentSnapshot() == result.id)
        #expect(try fixture.count("segment") == segments)
        #expect(try fixture.count("segment_batch") == 1)
    }

    @Test func `runs a script and writes what it changed alone`() throws {
        let segments = try fixture.count("segment")
        let job = try fixture.enqueue("append !")
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.state == .succeeded)
        #expect(try fixture.names() == (0..<10).map { .string("person \($0)!") })
        #expect(try fixture.count("segment") == segments + 1)
    }

    @Test func `leaves the realm as it is in a rehearsal, and a preview beside it until its time is over`() throws {
        let job = try fixture.enqueue("append !", dryRun: true)
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.state == .succeeded)
        let preview = try #require(done.migration.resultSnapshot)
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
        #expect(try fixture.store.snapshots.find(preview).parent == job.migration.sourceSnapshot)
        let listed = try fixture.store.snapshots.list(of: "alice", in: "shop").items.map(\.id)
        #expect(listed == [job.migration.sourceSnapshot])
        #expect(try fixture.store.maintenance.removeOld().snapshots == 0)
        try fixture.pool.withConnection { connection in
            _ = try connection.execute("UPDATE snapshot SET preview_until = now() WHERE snapshot_id = \(preview)")
        }
        #expect(throws: StoreError.previewExpired) { try fixture.jobs.promote(job.id) }
        #expect(try fixture.store.maintenance.removeOld().snapshots == 1)
        #expect(throws: StoreError.previewExpired) { try fixture.jobs.promote(job.id) }
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
    }

    @Test(arguments: ["realm", "app"])
    func `goes on where what it rehearses is removed`(removed: String) throws {
        let trial = try fixture.enqueue("wait", dryRun: true)
        let done = try fixture.withWorkers { _ in
            try fixture.wait { try fixture.jobs.find(trial.id).state == .running }
            if removed == "app" {
                try fixture.store.apps.delete("shop")
                _ = try fixture.store.apps.put("shop")
            } else {
                try fixture.store.realms.delete("alice", in: "shop")
            }
            #expect(throws: StoreError.notFound(.job, "\(trial.id)")) { try fixture.jobs.find(trial.id) }
            try fixture.upload()
            return try fixture.end(of: try fixture.enqueue("append !"))
        }
        #expect(done.state == .succeeded)
        #expect(try fixture.names() == (0..<10).map { .string("person \($0)!") })
    }

    @Test func `makes exactly what a rehearsal left current, where the realm is what it was`() throws {
        let first = try fixture.enqueue("append !", dryRun: true)
        let preview = try fixture.withWorkers { _ in try fixture.end(of: first) }.migration.resultSnapshot
        #expect(throws: StoreError.notFound(.snapshot, "\(try #require(preview))")) {
            try fixture.store.realms.restore(try #require(preview), in: "alice", of: "shop")
        }
        #expect(try fixture.jobs.promote(first.id).currentSnapshot == preview)
        #expect(try fixture.names() == (0..<10).map { .string("person \($0)!") })
        // Once more is as good as once, and what is current is no preview any more.
        #expect(try fixture.jobs.promote(first.id).currentSnapshot == preview)
        try fixture.pool.withConnection { connection in
            let previews = try connection.query("SELECT FROM snapshot WHERE preview_until IS NOT NULL")
            #expect(previews.isEmpty)
        }
        _ = try fixture.store.realms.restore(first.migration.sourceSnapshot, in: "alice", of: "shop")
        let second = try fixture.enqueue("append ?", dryRun: true)
        _ = try fixture.withWorkers { _ in try fixture.end(of: second) }
        _ = try fixture.store.realms.restore(try #require(preview), in: "alice", of: "shop")
        #expect(throws: StoreError.realmChanged) { try fixture.jobs.promote(second.id) }
        #expect(try fixture.currentSnapshot() == preview)
    }

    @Test func `gives the source as the result where nothing changes`() throws {
        let request = MigrationOrder.Request(targetVersion: 1)
        let job = try fixture.queue.enqueue(request, realm: "alice", app: "shop")
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.state == .succeeded)
        #expect(done.migration.resultSnapshot == job.migration.sourceSnapshot)
        #expect(try fixture.count("snapshot") == 1)
    }

    @Test func `keeps why a script failed, and the realm as it was`() throws {
        let job = try fixture.enqueue("throw")
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.state == .failed)
        #expect(done.problem?.code == "script_failed")
        #expect(done.problem?.detail == "Error: no")
        #expect(done.problem?.errors == [ProblemItem("no", step: 2, line: 3, column: 7)])
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
        #expect(try fixture.jobs.retry(job.id).problem == nil)
    }

    @Test func `a failed job is in the service's log, without what the script said`() throws {
        let job = try fixture.enqueue("throw")
        _ = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(fixture.log.lines == ["\(job.id): the job failed: script_failed"])
    }

    @Test(arguments: [(MigrationOrder.Request.Steps.chain, UInt64(3)), (.direct, 4)])
    func `9: a problem says whose script it was`(steps: MigrationOrder.Request.Steps, failing: UInt64) throws {
        for version: UInt64 in 2...4 {
            _ = try fixture.store.schemaVersions.put(
                version, of: "shop", schema: JobFixture.schema(),
                migration: DeclaredMigration(
                    script: ScriptSource(.javaScript, version == 3 || steps == .direct ? "throw" : "append x")))
        }
        let job = try fixture.queue.enqueue(
            MigrationOrder.Request(targetVersion: 4, steps: steps), realm: "alice", app: "shop")
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.problem?.errors == [ProblemItem("no", step: failing, line: 3, column: 7)])
        #expect(done.problem?.stack == ["change (3:7)"])
        #expect(done.problem?.objectsDone == 5)
    }

    @Test func `11: a job names the revisions that it ran, also where they were mended before and after`() throws {
        func declare(_ version: UInt64, _ script: String) throws -> Int {
            try fixture.store.schemaVersions.put(
                version, of: "shop", schema: JobFixture.schema(),
                migration: DeclaredMigration(script: ScriptSource(.javaScript, script))
            ).schemaVersion.revision
        }
        _ = (try declare(2, "append a"), try declare(3, "throw"))
        let job = try fixture.queue.enqueue(
            MigrationOrder.Request(targetVersion: 3, steps: .chain, limits: .init(timeoutSeconds: 7)), realm: "alice",
            app: "shop")
        func steps(_ revisions: [Int]) -> [MigrationOrder.Plan.Step] {
            zip([2, 3], revisions).map {
                MigrationOrder.Plan.Step(version: $0, schemaRevision: $1, migrationRevision: $1)
            }
        }
        let given = ScriptLimits()
        let limits = MigrationOrder.Limits(
            timeoutSeconds: 7, memoryBytes: given.memoryBytes, createdCount: given.output.createdCount,
            writtenBytes: given.output.writtenBytes, logBytes: given.output.logBytes)
        #expect(job.migration.plan == MigrationOrder.Plan(steps: steps([1, 1]), limits: limits))
        #expect(try declare(2, "append b") == 2)
        let failed = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(failed.state == .failed)
        #expect(try declare(3, "append c") == 2)
        let ran = MigrationOrder.Plan(steps: steps([2, 1]), limits: limits)
        #expect(try fixture.jobs.find(job.id).migration.plan == ran)
        #expect(try fixture.store.schemaVersions.find(3, revision: 1, of: "shop").migration?.script?.source == "throw")
        let again = try fixture.withWorkers { _ in try fixture.end(of: try fixture.jobs.retry(job.id)) }
        #expect(again.migration.plan?.steps == steps([2, 2]))
        #expect(try fixture.names().first == .string("person 0bc"))
    }

    @Test func `11: a script that takes too long is told its limit, not what was left of it`() throws {
        for version: UInt64 in 2...3 {
            _ = try fixture.store.schemaVersions.put(
                version, of: "shop", schema: JobFixture.schema(),
                migration: DeclaredMigration(script: ScriptSource(.javaScript, version == 2 ? "append x" : "overtime")))
        }
        let job = try fixture.queue.enqueue(
            MigrationOrder.Request(targetVersion: 3, steps: .chain, limits: .init(timeoutSeconds: 7)), realm: "alice",
            app: "shop")
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.problem?.detail == "The scripts of the 2 steps together ran longer than the limit of 7 s.")
        #expect(done.problem?.errors.map(\.step) == [3])
    }

    @Test(arguments: [(12, nil), (11, UInt64(4))])
    func `the scripts of a job have one budget together`(
        limit: Int, failing: UInt64?
    ) throws {
        for version: UInt64 in 2...4 {
            _ = try fixture.store.schemaVersions.put(
                version, of: "shop", schema: JobFixture.schema(),
                migration: DeclaredMigration(script: ScriptSource(.javaScript, "make 4")))
        }
        let job = try fixture.queue.enqueue(
            MigrationOrder.Request(targetVersion: 4, steps: .chain, limits: .init(createdCount: limit)), realm: "alice",
            app: "shop")
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.problem?.errors.map(\.step) == failing.map { [$0] })
        #expect(
            done.problem?.detail
                == failing.map { _ in
                    "The script, with those before it, created more than 11 objects (limits.createdCount)."
                })
    }

    @Test func `runs each declared migration in turn where a chain is asked for`() throws {
        let store = fixture.store
        func declare(_ version: UInt64, _ script: String?) throws {
            _ = try store.schemaVersions.put(
                version, of: "shop", schema: JobFixture.schema(version >= 3 ? [JobFixture.age] : []),
                migration: script.map { DeclaredMigration(script: ScriptSource(.javaScript, $0)) })
        }
        try declare(2, "append a")
        try declare(3, nil)
        try declare(5, "append b")
        try declare(7, "append c")
        let chain = MigrationOrder.Request(targetVersion: 5, steps: .chain)
        let done = try fixture.withWorkers { _ in
            try fixture.end(of: try fixture.queue.enqueue(chain, realm: "alice", app: "shop"))
        }
        #expect(done.problem == nil)
        #expect(try fixture.names().first == .string("person 0ab"))
        #expect(try fixture.count("snapshot") == 2)
        #expect(try store.snapshots.find(try #require(done.migration.resultSnapshot)).schemaVersion == 5)
        let direct = MigrationOrder.Request(targetVersion: 7)
        _ = try fixture.withWorkers { _ in
            try fixture.end(of: try fixture.queue.enqueue(direct, realm: "alice", app: "shop"))
        }
        #expect(try fixture.names().first == .string("person 0abc"))
    }

    @Test func `stops a running job that is cancelled`() throws {
        let job = try fixture.enqueue("wait")
        try fixture.withWorkers { _ in
            try fixture.wait { try fixture.jobs.find(job.id).state == .running }
            #expect(try fixture.jobs.cancel(job.id).isCancelRequested)
            #expect(try fixture.end(of: job).state == .cancelled)
        }
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
    }

    @Test func `hands running jobs back when it stops`() throws {
        let job = try fixture.enqueue("wait")
        try fixture.withWorkers { _ in try fixture.wait { try fixture.jobs.find(job.id).state == .running } }
        let waiting = try fixture.jobs.find(job.id)
        #expect(waiting.state == .queued)
        #expect(waiting.attempt == 1)
        #expect(waiting.startedAt != nil)
    }

    @Test func `goes on after the server closed every connection`() throws {
        let fixture = try JobFixture(alone: true)
        let job = try fixture.enqueue("wait")
        try fixture.withWorkers { workers in
            try fixture.wait { try fixture.jobs.find(job.id).state == .running }
            try PostgresConnection(fixture.url).query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
            Thread.sleep(forTimeInterval: 1.5)
            #expect(workers.runningCount == 1)
            try fixture.wait { (try? fixture.jobs.cancel(job.id)) != nil }
            #expect(try fixture.end(of: job).state == .cancelled)
        }
    }

    @Test func `takes over a job whose worker lost its lease`() throws {
        let job = try fixture.enqueue("append !")
        _ = try fixture.jobs.claim(lease: .milliseconds(300))
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.state == .succeeded)
        #expect(done.attempt == 2)
    }

    @Test func `keeps what a script logs, and how far it was`() throws {
        let job = try fixture.enqueue("log 3")
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.progress?.phase == "commit")
        let lines = try fixture.jobs.log(of: job.id).items
        #expect(lines.map(\.text) == (0..<3).map { "line \($0)\u{FFFD}" })
        #expect(lines.map(\.attempt) == [1, 1, 1])
    }

    @Test func `migrates many realms at once`() throws {
        let jobs = try (0..<20).map { number in
            try fixture.upload(200, to: "realm-\(number)")
            return try fixture.enqueue("append !", realm: "realm-\(number)")
        }
        try fixture.withWorkers(WorkerConfiguration(workers: 4, poll: .milliseconds(200))) { _ in
            for job in jobs {
                let done = try fixture.end(of: job)
                #expect(done.state == .succeeded)
            }
        }
        #expect(try fixture.names("realm-7").last == .string("person 199!"))
    }
}
