import Foundation
import JobStore
import MigrationJobs
import Postgres
import Problems
import RealmModel
import SnapshotStore
import StoreCore
import Testing
import Threads

@Suite struct JobLeaseTests {
    let fixture: JobFixture
    var store: SnapshotStore { fixture.store }

    init() throws { fixture = try JobFixture() }

    private func finish(_ lease: JobLease, _ change: MigrationOutcome.Change) throws -> Job {
        try fixture.jobs.finish(lease, MigrationOutcome(change, of: lease.job.migration, segments: nil))
    }

    @Test func `gives each job to one worker, however many ask`() throws {
        var expected: Set<RealmModel.UUID> = []
        for number in 0..<60 {
            try fixture.upload(1, to: "realm-\(number)")
            expected.insert(try fixture.enqueue(realm: "realm-\(number)").id)
        }
        let claimed = Mutex<[RealmModel.UUID]>([])
        DispatchQueue.concurrentPerform(iterations: 12) { _ in
            while let lease = try? fixture.jobs.claim(lease: .seconds(60)) {
                claimed.withLock { $0.append(lease.job.id) }
            }
        }
        #expect(claimed.withLock { $0.count } == 60)
        #expect(claimed.withLock { Set($0) } == expected)
    }

    @Test func `begins with the job that has waited longest`() throws {
        try fixture.upload(1, to: "bob")
        let first = try fixture.enqueue()
        let second = try fixture.enqueue(realm: "bob")
        #expect(try fixture.jobs.claim(lease: .seconds(60))?.job.id == first.id)
        #expect(try fixture.jobs.claim(lease: .seconds(60))?.job.id == second.id)
        #expect(try fixture.jobs.claim(lease: .seconds(60)) == nil)
    }

    @Test func `fences off an attempt whose lease another one took`() throws {
        let source = try fixture.currentSnapshot()
        let job = try fixture.enqueue()
        let stale = try #require(try fixture.jobs.claim(lease: .milliseconds(1)))
        Thread.sleep(forTimeInterval: 0.01)
        #expect(try fixture.jobs.workers().haveExpired)
        #expect(try fixture.jobs.requeueLost().count == 1)
        #expect(try !fixture.jobs.workers().haveExpired)
        let fresh = try #require(try fixture.jobs.claim(lease: .seconds(60)))
        #expect(fresh.job.id == job.id)
        #expect(fresh.job.attempt == 2)
        #expect(fresh.job.startedAt == stale.job.startedAt)
        let snapshot = try store.snapshots.open(job.migration.sourceSnapshot).snapshot
        #expect(throws: StoreError.leaseLost) { try finish(stale, .migrated(snapshot)) }
        #expect(throws: StoreError.leaseLost) { try finish(stale, .unchanged) }
        #expect(throws: StoreError.leaseLost) { try fixture.jobs.release(stale, .handBack) }
        #expect(throws: StoreError.leaseLost) {
            try fixture.jobs.release(stale, .failed(ProblemDocument(.migrationRefused, "y")))
        }
        #expect(throws: StoreError.leaseLost) {
            try fixture.jobs.report(stale, progress: JobProgress(phase: "x"), lines: ["a"].log)
        }
        #expect(try fixture.currentSnapshot() == source)
        #expect(try fixture.count("job_log") == 0)
        let done = try finish(fresh, .migrated(snapshot))
        #expect(done.state == .succeeded)
        #expect(try fixture.currentSnapshot() == done.migration.resultSnapshot)
        #expect(throws: StoreError.leaseLost) { try finish(fresh, .unchanged) }
    }

    @Test func `lasts as long as it is renewed`() throws {
        _ = try fixture.enqueue()
        let lease = try #require(try fixture.jobs.claim(lease: .milliseconds(300)))
        let heartbeat = JobHeartbeat(fixture.jobs)
        for _ in 0..<8 {
            Thread.sleep(forTimeInterval: 0.1)
            #expect(try heartbeat.renew([lease.token], lease: .milliseconds(300)) == [lease.token: false])
            #expect(try fixture.jobs.requeueLost().count == 0)
        }
        Thread.sleep(forTimeInterval: 0.35)
        #expect(try fixture.jobs.requeueLost().count == 1)
        #expect(try fixture.jobs.claim(lease: .seconds(60)) != nil)
        #expect(try heartbeat.renew([lease.token], lease: .seconds(60)).isEmpty)
    }

    /// Makes a job that waits for its next attempt wait no longer.
    private func skipPause(_ job: Job) throws {
        try fixture.pool.withConnection { _ = try $0.execute("UPDATE job SET run_at = now() WHERE job_id = \(job.id)") }
    }

    @Test func `never gives up a job that loses its workers, and pauses longer each time`() throws {
        let job = try fixture.enqueue()
        var pauses: [Int64] = []
        for attempt in 1...30 {
            #expect(try fixture.jobs.claim(lease: .milliseconds(1))?.job.attempt == attempt)
            Thread.sleep(forTimeInterval: 0.005)
            #expect(try fixture.jobs.requeueLost().count == 1)
            let lost = try fixture.jobs.find(job.id)
            #expect(lost.state == .queued)
            pauses.append(lost.runAt.seconds - (try #require(lost.endedAttempts.last)).endedAt.seconds)
            try skipPause(job)
        }
        #expect(pauses[0] == 0)
        #expect(pauses[4] >= 1 && pauses[4] <= 4)
        #expect(pauses.allSatisfy { $0 <= 76 } && pauses[29] >= 44)
        let ended = try fixture.jobs.find(job.id).endedAttempts
        #expect(ended.map(\.attempt) == Array(11...30))
        #expect(ended.allSatisfy { $0.problem.code == "worker_lost" && $0.startedAt ?? $0.endedAt <= $0.endedAt })
    }

    @Test func `takes the jobs of a process that has ended before their leases are over`() throws {
        let job = try fixture.enqueue()
        _ = try fixture.jobs.claim(lease: .seconds(600), as: "a:1:2")
        #expect(try fixture.jobs.workers().names == ["a:1:2"])
        #expect(try !fixture.jobs.workers().haveExpired)
        #expect(try fixture.jobs.requeueLost(of: ["a:1:3"]).count == 0)
        #expect(try fixture.jobs.requeueLost(of: ["a:1:2", "a:1:3"]).count == 1)
        #expect(try fixture.jobs.find(job.id).state == .queued)
    }

    @Test func `costs no attempt to be handed back`() throws {
        _ = try fixture.enqueue()
        for attempt in 1...10 {
            let lease = try #require(try fixture.jobs.claim(lease: .seconds(60)))
            #expect(lease.job.attempt == attempt)
            #expect(try fixture.jobs.release(lease, .handBack).job.state == .queued)
        }
    }

    @Test func `ends a job that was asked to stop and lost its worker`() throws {
        let job = try fixture.enqueue()
        _ = try fixture.jobs.claim(lease: .milliseconds(1))
        #expect(try fixture.jobs.cancel(job.id).isCancelRequested)
        Thread.sleep(forTimeInterval: 0.01)
        #expect(try fixture.jobs.requeueLost().count == 1)
        let cancelled = try fixture.jobs.find(job.id)
        #expect(cancelled.state == .cancelled)
        #expect(cancelled.endedAttempts.map(\.problem.code) == ["worker_lost"])
    }

    @Test(arguments: ["[]", "{}", "1"]) func `shows no job without its attempts because they can't be read`(
        damaged: String
    ) throws {
        let job = try fixture.enqueue()
        _ = try fixture.jobs.claim(lease: .milliseconds(1))
        Thread.sleep(forTimeInterval: 0.01)
        #expect(try fixture.jobs.requeueLost().count == 1)
        try fixture.pool.withConnection { connection in
            _ = try connection.execute(
                "UPDATE job_attempt SET problem = \(PostgresJSON(damaged)) WHERE job_id = \(job.id)")
        }
        #expect(throws: StoreError.damaged("a stored problem")) { try fixture.jobs.find(job.id) }
    }

    @Test func `cancels rather than commits where that was asked for first`() throws {
        let job = try fixture.enqueue()
        let lease = try #require(try fixture.jobs.claim(lease: .seconds(60)))
        _ = try fixture.jobs.cancel(job.id)
        let snapshot = try store.snapshots.open(job.migration.sourceSnapshot).snapshot
        #expect(try finish(lease, .migrated(snapshot)).state == .cancelled)
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
    }
}
