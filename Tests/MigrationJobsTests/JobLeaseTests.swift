import Foundation
import MigrationJobs
import Postgres
import Problems
import RealmModel
import SnapshotStore
import Synchronization
import Testing

@Suite struct JobLeaseTests {
    let fixture: JobFixture
    var store: SnapshotStore { fixture.store }

    init() throws { fixture = try JobFixture() }

    private func finish(_ lease: JobLease, _ change: MigrationOutcome.Change) throws -> Job {
        try store.jobs.finish(lease, MigrationOutcome(change, of: lease.job.migration, segments: nil))
    }

    @Test func `gives each job to one worker, however many ask`() throws {
        var expected: Set<RealmModel.UUID> = []
        for number in 0..<60 {
            try fixture.upload(1, to: "realm-\(number)")
            expected.insert(try fixture.enqueue(realm: "realm-\(number)").id)
        }
        let claimed = Mutex<[RealmModel.UUID]>([])
        DispatchQueue.concurrentPerform(iterations: 12) { _ in
            while let lease = try? store.jobs.claim(lease: .seconds(60)) {
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
        #expect(try store.jobs.claim(lease: .seconds(60))?.job.id == first.id)
        #expect(try store.jobs.claim(lease: .seconds(60))?.job.id == second.id)
        #expect(try store.jobs.claim(lease: .seconds(60)) == nil)
    }

    @Test func `fences off an attempt whose lease another one took`() throws {
        let source = try fixture.currentSnapshot()
        let job = try fixture.enqueue()
        let stale = try #require(try store.jobs.claim(lease: .milliseconds(1)))
        Thread.sleep(forTimeInterval: 0.01)
        let fresh = try #require(try store.jobs.claim(lease: .seconds(60)))
        #expect(fresh.job.id == job.id)
        #expect(fresh.job.attempt == 2)
        #expect(fresh.job.startedAt == stale.job.startedAt)
        let snapshot = try store.snapshots.open(job.migration.sourceSnapshot).snapshot
        #expect(throws: StoreError.leaseLost) { try finish(stale, .migrated(snapshot)) }
        #expect(throws: StoreError.leaseLost) { try finish(stale, .unchanged) }
        #expect(throws: StoreError.leaseLost) { try store.jobs.release(stale, .handBack) }
        #expect(throws: StoreError.leaseLost) { try store.jobs.release(stale, .failed(ProblemDocument(422, "x", "y"))) }
        #expect(throws: StoreError.leaseLost) {
            try store.jobs.report(stale, progress: JobProgress(phase: "x"), lines: ["a"].log)
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
        let lease = try #require(try store.jobs.claim(lease: .milliseconds(300)))
        let heartbeat = JobHeartbeat(store)
        for _ in 0..<8 {
            Thread.sleep(forTimeInterval: 0.1)
            #expect(try heartbeat.renew([lease.token], lease: .milliseconds(300)) == [lease.token: false])
            #expect(try store.jobs.claim(lease: .seconds(1)) == nil)
        }
        Thread.sleep(forTimeInterval: 0.35)
        #expect(try store.jobs.claim(lease: .seconds(60)) != nil)
        #expect(try heartbeat.renew([lease.token], lease: .seconds(60)).isEmpty)
    }

    @Test func `gives up a job that loses its workers each time`() throws {
        let job = try fixture.enqueue()
        for attempt in 1...3 {
            #expect(try store.jobs.claim(lease: .milliseconds(1))?.job.attempt == attempt)
            Thread.sleep(forTimeInterval: 0.01)
        }
        #expect(try store.jobs.claim(lease: .seconds(1)) == nil)
        #expect(try store.jobs.endLost() == 1)
        #expect(try store.jobs.find(job.id).state == .failed)
        #expect(try store.jobs.find(job.id).problem?.code == "worker_lost")
        #expect(try fixture.store.jobs.retry(job.id).state == .queued)
        #expect(try store.jobs.claim(lease: .seconds(1))?.job.attempt == 4)
    }

    @Test func `costs no attempt to be handed back`() throws {
        _ = try fixture.enqueue()
        for attempt in 1...10 {
            let lease = try #require(try store.jobs.claim(lease: .seconds(60)))
            #expect(lease.job.attempt == attempt)
            #expect(try store.jobs.release(lease, .handBack).state == .queued)
        }
    }

    @Test func `ends a job that was asked to stop and lost its worker`() throws {
        let job = try fixture.enqueue()
        _ = try store.jobs.claim(lease: .milliseconds(1))
        #expect(try fixture.store.jobs.cancel(job.id).isCancelRequested)
        Thread.sleep(forTimeInterval: 0.01)
        #expect(try store.jobs.claim(lease: .seconds(1)) == nil)
        #expect(try store.jobs.endLost() == 1)
        #expect(try store.jobs.find(job.id).state == .cancelled)
    }

    @Test func `cancels rather than commits where that was asked for first`() throws {
        let job = try fixture.enqueue()
        let lease = try #require(try store.jobs.claim(lease: .seconds(60)))
        _ = try fixture.store.jobs.cancel(job.id)
        let snapshot = try store.snapshots.open(job.migration.sourceSnapshot).snapshot
        #expect(try finish(lease, .migrated(snapshot)).state == .cancelled)
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
    }
}
