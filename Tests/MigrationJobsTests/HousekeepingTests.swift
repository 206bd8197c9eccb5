import Foundation
import JobStore
import MigrationJobs
import Postgres
import SnapshotStore
import Testing

@Suite struct `Housekeeping beside jobs` {
    @Test func `keeps no lost job from being queued again, and no log from being written`() throws {
        let fixture = try JobFixture()
        // The next chore takes as long as the test.
        let blocker = try PostgresConnection(fixture.url)
        try blocker.execute(script: "BEGIN; LOCK TABLE chore")
        let lost = try fixture.enqueue("append !")
        _ = try fixture.jobs.claim(lease: .milliseconds(300))
        try fixture.upload(to: "bob")
        let logging = try fixture.enqueue("wait logging", realm: "bob")
        try fixture.withWorkers { _ in
            #expect(try fixture.end(of: lost).attempt == 2)
            try fixture.wait { try fixture.jobs.log(of: logging.id).items.count == 1 }
            _ = try fixture.jobs.cancel(logging.id)
            #expect(try fixture.end(of: logging).state == .cancelled)
            try blocker.execute(script: "ROLLBACK")
        }
    }

    @Test func `tells of the processes that have workers, while they do`() throws {
        let fixture = try JobFixture()
        try fixture.jobs.note(worker: "elsewhere", slots: 3)
        try fixture.withWorkers { _ in try fixture.wait { try fixture.jobs.serviceFigures().slots == 5 } }
        #expect(try fixture.jobs.serviceFigures().workers == 1)
        try fixture.pool.withConnection { connection in
            _ = try connection.execute("UPDATE worker SET seen_at = now() - interval '1 minute'")
        }
        #expect(try fixture.jobs.serviceFigures().workers == 0)
    }

    @Test func `goes on from step to step until nothing is left`() throws {
        let fixture = try JobFixture()
        for _ in 0..<3 { try fixture.upload() }
        let store = SnapshotStore(fixture.pool, maintenance: MaintenanceLimits(grace: .zero, portion: 1))
        try store.apps.setRetention(Retention(keepSnapshots: 1), of: "shop")
        let workers = JobWorkers(
            JobStore(store), events: fixture.events, host: TestHost(),
            configuration: WorkerConfiguration(sweepInterval: .milliseconds(50)), log: fixture.log)
        workers.start()
        defer { workers.stop() }
        try fixture.wait { try fixture.count("snapshot") == 1 && fixture.count("segment_batch") == 1 }
        #expect(try store.maintenance.backlog().retainedRealms == 0)
    }
}
