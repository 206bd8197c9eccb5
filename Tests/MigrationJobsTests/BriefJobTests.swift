import Foundation
import RealmModel
import SnapshotStore
import Testing
import Threads

@testable import MigrationJobs

@Suite struct `Brief jobs` {
    private let fixture: JobFixture
    private var store: SnapshotStore { fixture.store }

    init() throws { fixture = try JobFixture() }

    /// Queues jobs that do nothing.
    private func queue(_ count: Int, _ app: String = "shop", _ schedule: JobSchedule = JobSchedule()) throws -> [Job] {
        _ = try store.apps.put(app)
        return try (0..<count).map { number in
            try store.jobs.insert(
                .noOp(NoOpOrder(realm: "nowhere-\(number)-\(schedule.priority)")), of: app, schedule: schedule)
        }
    }

    private func claim(_ limit: Int) throws -> [JobLease] {
        let first = try #require(try store.jobs.claim(lease: .seconds(60), as: "me"))
        return [first] + (try store.jobs.claim(limit - 1, after: first, lease: .seconds(60), as: "me"))
    }

    private func ids(_ jobs: [Job]) -> Set<RealmModel.UUID> { Set(jobs.map(\.id)) }
    private func ids(_ leases: [JobLease]) -> Set<RealmModel.UUID> { ids(leases.map(\.job)) }

    @Test func `are claimed together, those that have waited longest, with a lease each`() throws {
        let jobs = try queue(7)
        let leases = try claim(5)
        #expect(ids(leases) == ids(Array(jobs.prefix(5))))
        #expect(Set(leases.map(\.token)).count == 5)
        #expect(leases.allSatisfy { $0.job.state == .running && $0.job.attempt == 1 })
        let answers = try JobHeartbeat(store).renew(leases.map(\.token), lease: .seconds(60))
        #expect(answers == Dictionary(uniqueKeysWithValues: leases.map { ($0.token, false) }))
        #expect(try store.jobs.requeueLost(of: ["me"]).count == 5)
    }

    @Test func `of another app or priority, or whose time has not come, stay where they are`() throws {
        let jobs = try queue(2)
        _ = try queue(2, "other")
        _ = try queue(2, "shop", JobSchedule(priority: .low))
        let later = Timestamp(seconds: Int64(Date().timeIntervalSince1970) + 3600, nanoseconds: 0)
        _ = try queue(2, "shop", JobSchedule(runAt: later))
        let first = try #require(
            try store.jobs.claim(lease: .seconds(60), in: [jobs[0].lane]))
        #expect(first.job.id == jobs[0].id)
        #expect(try ids(store.jobs.claim(10, after: first, lease: .seconds(60))) == [jobs[1].id])
    }

    @Test func `go before no job of another kind that has waited longer`() throws {
        let before = try queue(2)
        let migration = try fixture.enqueue()
        let behind = try queue(2)
        #expect(try ids(claim(10)) == ids(before))
        #expect(try store.jobs.claim(lease: .seconds(60))?.job.id == migration.id)
        #expect(try ids(claim(10)) == ids(behind))
    }

    @Test func `are each claimed once, however many ask`() throws {
        let jobs = try queue(100)
        let claimed = Mutex<[RealmModel.UUID]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            while let first = try? store.jobs.claim(lease: .seconds(60)) {
                let more = (try? store.jobs.claim(6, after: first, lease: .seconds(60))) ?? []
                claimed.withLock { $0 += ([first] + more).map(\.job.id) }
            }
        }
        #expect(claimed.withLock { $0.count } == 100)
        #expect(claimed.withLock { Set($0) } == ids(jobs))
    }

    @Test func `end together, but for those whose lease another attempt took`() throws {
        _ = try queue(4)
        let leases = try claim(4)
        let lost = leases[1].job
        try fixture.pool.withConnection { connection in
            _ = try connection.execute(
                "UPDATE job SET lease_until = now() - interval '1 second' WHERE job_id = \(lost.id)")
        }
        #expect(try store.jobs.requeueLost().map(\.job) == [lost.id])
        let fresh = try #require(try store.jobs.claim(lease: .seconds(60)))
        #expect(fresh.job.id == lost.id)
        let ended = try store.jobs.finish(leases)
        #expect(ended.count == 3 && ended[leases[1].token] == nil)
        #expect(ended.values.allSatisfy { $0.state == .succeeded && $0.finishedAt != nil })
        for lease in leases where lease.job.id != lost.id {
            #expect(try store.jobs.find(lease.job.id) == ended[lease.token])
        }
        let running = try store.jobs.find(lost.id)
        #expect(running.state == .running && running.attempt == 2)
        #expect(try store.jobs.finish(leases).isEmpty)
    }

    /// Both lock all of them: in any other order than the same they would wait for each other.
    @Test func `end while their leases are renewed`() throws {
        for _ in 0..<20 {
            let jobs = try queue(40)
            let leases = try claim(40)
            #expect(leases.count == jobs.count)
            let renewed = Mutex<Result<Int, any Error>?>(nil)
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                guard index == 1 else {
                    _ = try? store.jobs.finish(leases)
                    return
                }
                let tokens = Array(leases.map(\.token).reversed())
                let answer = Result { try JobHeartbeat(store).renew(tokens, lease: .seconds(60)).count }
                renewed.withLock { $0 = answer }
            }
            let count = try renewed.withLock { try $0?.get() }
            #expect(count == 0 || count == 40)
        }
        #expect(try store.jobs.counts() == [.succeeded: 800])
    }

    @Test func `that can't be read fail, and the others of the claim go on`() throws {
        let jobs = try queue(3)
        try fixture.pool.withConnection { connection in
            try connection.execute(script: "ALTER TABLE job DISABLE TRIGGER job_law")
            _ = try connection.execute("UPDATE job SET realm_name = NULL WHERE job_id = \(jobs[1].id)")
        }
        #expect(try ids(claim(3)) == [jobs[0].id, jobs[2].id])
        #expect(try store.jobs.counts() == [.running: 2, .failed: 1])
    }

    @Test func `are drained by workers, each in one attempt and one event of its end`() throws {
        let jobs = try queue(300)
        try fixture.withWorkers { workers in
            try fixture.wait { try store.jobs.counts() == [.succeeded: 300] }
            try fixture.wait { workers.runningCount == 0 }
        }
        for job in jobs {
            let done = try store.jobs.find(job.id)
            #expect(done.attempt == 1 && done.endedAttempts.isEmpty)
        }
        let ends = fixture.log.events.filter { if case .ended = $0.what { true } else { false } }
        #expect(ends.count == 300 && Set(ends.map(\.job)) == ids(jobs))
        #expect(fixture.log.lines.isEmpty)
    }

    @Test func `do not keep another app's turn waiting`() throws {
        _ = try queue(300)
        let other = try queue(1, "other")[0]
        try fixture.withWorkers(WorkerConfiguration(workers: 1, poll: .milliseconds(200))) { _ in
            try fixture.wait { try store.jobs.counts() == [.succeeded: 301] }
        }
        let start = try #require(try store.jobs.find(other.id).startedAt)
        let before = try fixture.pool.withConnection { connection -> Int in
            try connection.query(
                "SELECT count(*) AS n FROM job WHERE app_name = 'shop' AND started_at < \(start)")[0].value("n")
        }
        #expect(before <= 100)
    }
}
