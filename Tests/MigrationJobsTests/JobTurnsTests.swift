import Foundation
import JobStore
import RealmModel
import SnapshotStore
import StoreCore
import Testing

@testable import MigrationJobs

@Suite struct `Turns of apps` {
    private let fixture: JobFixture
    private var store: SnapshotStore { fixture.store }

    init() throws { fixture = try JobFixture() }

    /// Queues jobs of an app, in realms of their own.
    private func queue(_ count: Int, _ app: String, _ schedule: JobSchedule = JobSchedule(), script: String? = nil)
        throws -> [Job]
    {
        _ = try store.apps.put(app)
        return try (0..<count).map { number in
            let realm = "\(app)-\(number)-\(schedule.priority)"
            try fixture.upload(1, to: realm, in: app)
            return try fixture.enqueue(script, realm: realm, app: app, schedule: schedule)
        }
    }

    /// Claims by turns until nothing is found, as a worker does, and finishes nothing.
    private func claimAll() throws -> [String] {
        var turns = JobTurns()
        turns.look(try fixture.jobs.lanes())
        var apps: [String] = []
        while true {
            let order = turns.order()
            guard let lease = try fixture.jobs.claim(lease: .seconds(60), in: order.lanes, from: order.starts) else {
                turns.foundNothing(order)
                #expect(turns.order().lanes.isEmpty)
                return apps
            }
            turns.claimed(lease.job, order)
            apps.append("\(lease.job.app) \(lease.job.priority)")
        }
    }

    @Test func `come to each, whatever number of jobs it has`() throws {
        _ = try queue(6, "large")
        _ = try queue(2, "small")
        let claimed = try claimAll()
        #expect(claimed.count == 8)
        #expect(Set(claimed.prefix(2)) == ["large normal", "small normal"])
        #expect(Set(claimed[2..<4]) == ["large normal", "small normal"])
    }

    @Test func `go to the higher priority first`() throws {
        _ = try queue(2, "large", JobSchedule(priority: .low))
        _ = try queue(2, "large")
        _ = try queue(1, "small", JobSchedule(priority: .low))
        _ = try queue(2, "small", JobSchedule(priority: .high))
        let claimed = try claimAll()
        #expect(claimed.prefix(2) == ["small high", "small high"])
        #expect(claimed[2..<4] == ["large normal", "large normal"])
        #expect(Set(claimed[4..<6]) == ["large low", "small low"])
        #expect(claimed.count == 7)
    }

    @Test func `do not come to a job before its time`() throws {
        let moment = Date().timeIntervalSince1970 + 1.2
        let runAt = Timestamp(seconds: Int64(moment), nanoseconds: Int32((moment - moment.rounded(.down)) * 1e9))
        let late = try fixture.enqueue(schedule: JobSchedule(runAt: runAt))
        #expect(late.runAt.seconds == runAt.seconds)
        let done = try fixture.withWorkers { _ in try fixture.end(of: late) }
        #expect(done.state == .succeeded)
        let start = try #require(done.startedAt)
        #expect(start >= late.runAt)
        #expect(start.seconds - late.runAt.seconds <= 1)
    }

    @Test func `find a job that appeared behind those that were claimed`() throws {
        let jobs = try queue(3, "large")
        var turns = JobTurns()
        turns.look(try fixture.jobs.lanes())
        let order = turns.order()
        let lease = try #require(try fixture.jobs.claim(lease: .seconds(60), in: order.lanes, from: order.starts))
        turns.claimed(lease.job, order)
        try fixture.pool.withConnection { connection in
            _ = try connection.execute(
                "UPDATE job SET run_at = now() - interval '1 hour' WHERE job_id = \(jobs[2].id)")
        }
        func next() throws -> RealmModel.UUID? {
            let order = turns.order()
            guard let lease = try fixture.jobs.claim(lease: .seconds(60), in: order.lanes, from: order.starts) else {
                turns.foundNothing(order)
                return nil
            }
            turns.claimed(lease.job, order)
            return lease.job.id
        }
        #expect(try next() == jobs[1].id)
        #expect(try next() == nil)
        turns.look(try fixture.jobs.lanes())
        #expect(try next() == jobs[2].id)
    }

    @Test func `come back to a job that was lost, each time before those that nobody has begun`() throws {
        let jobs = try queue(4, "large")
        let listener = JobListener(fixture.jobs)
        // Connects, when what was told of these jobs is past.
        _ = listener.wait(timeout: .zero)
        var turns = JobTurns()
        turns.look(try fixture.jobs.lanes())
        func next(lease: Duration = .seconds(60)) throws -> RealmModel.UUID? {
            let order = turns.order()
            let claimed = try fixture.jobs.claim(lease: lease, in: order.lanes, from: order.starts)
            guard let lease = claimed else { return nil }
            turns.claimed(lease.job, order)
            return lease.job.id
        }
        func lose() throws -> Duration {
            Thread.sleep(forTimeInterval: 0.005)
            #expect(try fixture.jobs.requeueLost().count == 1)
            var told: [(lane: JobLane, pause: Duration)] = []
            try fixture.wait {
                // Other tests share the database.
                told += (listener.wait(timeout: .seconds(1)) ?? []).compactMap { signal in
                    guard case .queued(let lane?, let pause) = signal, lane.app == jobs[0].lane.app else { return nil }
                    return (lane, pause)
                }
                return !told.isEmpty
            }
            #expect(told.map(\.lane.isReturned) == [true])
            let (lane, pause) = try #require(told.first)
            turns.note(lane, after: pause)
            return pause
        }
        #expect(try next(lease: .milliseconds(1)) == jobs[0].id)
        #expect(try lose() == .zero)
        #expect(try next(lease: .milliseconds(1)) == jobs[0].id)
        let pause = try lose()
        #expect(pause > .zero && pause <= .milliseconds(320))
        #expect(try next() == jobs[1].id)
        Thread.sleep(forTimeInterval: 0.35)
        #expect(try next() == jobs[0].id)
        #expect(try next() == jobs[2].id)
        turns.look(try fixture.jobs.lanes())
        #expect(try next() == jobs[3].id)
    }

    @Test func `go on where a lane was left that was empty for a while`() throws {
        let job = try #require(try queue(1, "large").first)
        var turns = JobTurns()
        turns.look(try fixture.jobs.lanes())
        var order = turns.order()
        let lease = try #require(try fixture.jobs.claim(lease: .seconds(60), in: order.lanes, from: order.starts))
        turns.claimed(lease.job, order)
        #expect(turns.order().starts[job.lane] == job.runAt)
        turns.foundNothing(turns.order())
        #expect(turns.order().lanes.isEmpty)
        turns.note(job.lane)
        order = turns.order()
        let start = try #require(order.starts[job.lane])
        #expect(start < job.runAt && start.seconds >= job.runAt.seconds - 1)
    }

    @Test func `come to a job that was handed back first, and by a look as well`() throws {
        let jobs = try queue(2, "large")
        let lease = try #require(try fixture.jobs.claim(lease: .seconds(60)))
        _ = try fixture.jobs.release(lease, .handBack)
        var turns = JobTurns()
        turns.look(try fixture.jobs.lanes())
        #expect(turns.order().lanes.map(\.isReturned) == [true, false])
        let next = try #require(try fixture.jobs.claim(lease: .seconds(60), in: turns.order().lanes))
        #expect(next.job.id == jobs[0].id)
        // Who queues a job again waits for its turn.
        #expect(try fixture.jobs.release(next, .cancelled).job.state == .cancelled)
        #expect(try fixture.jobs.retry(jobs[0].id).lane.isReturned == false)
    }

    @Test func `forget no hint that comes while a claim finds nothing`() {
        let lane = JobLane(app: .version7(), priority: .normal)
        var turns = JobTurns()
        turns.note(lane)
        let order = turns.order()
        turns.note(lane)
        turns.foundNothing(order)
        #expect(turns.order().lanes == [lane])
        turns.foundNothing(turns.order())
        #expect(turns.order().lanes.isEmpty)
    }

    @Test func `leave one slot to other apps`() throws {
        let looping = try queue(4, "large", script: "wait")
        try fixture.withWorkers { workers in
            try fixture.wait { workers.runningCount == 2 }
            let other = try queue(1, "small", script: "append !")
            #expect(try fixture.end(of: other[0]).state == .succeeded)
            // A worker is free a moment after its job has ended.
            try fixture.wait { workers.runningCount == 2 }
            for job in looping { _ = try fixture.jobs.cancel(job.id) }
        }
    }

    @Test func `make room soon after a cancellation`() throws {
        let job = try fixture.enqueue("wait")
        try fixture.withWorkers { _ in
            try fixture.wait { try fixture.jobs.find(job.id).state == .running }
            let start = ContinuousClock.now
            _ = try fixture.jobs.cancel(job.id)
            #expect(try fixture.end(of: job).state == .cancelled)
            #expect(ContinuousClock.now - start < .seconds(10))
        }
    }
}
