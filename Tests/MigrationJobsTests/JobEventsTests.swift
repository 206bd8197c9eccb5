import Foundation
import MigrationJobs
import RealmModel
import StoreCore
import Testing
import Threads

@Suite struct JobEventsTests {
    let fixture: JobFixture

    init() throws { fixture = try JobFixture() }

    @Test func `wakes many who wait for one job`() throws {
        let fixture = try JobFixture(alone: true)
        let job = try fixture.enqueue()
        fixture.events.start()
        defer { fixture.events.stop() }
        let ends = Mutex<[JobState]>([])
        let waiting = DispatchGroup()
        for _ in 0..<20 {
            waiting.enter()
            Thread.detachNewThread {
                let state = (try? fixture.end(of: job))?.state
                ends.withLock { if let state { $0.append(state) } }
                waiting.leave()
            }
        }
        Thread.sleep(forTimeInterval: 0.1)
        let connections = try fixture.pool.withConnection {
            try $0.query("SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()")[0]
                .value("n", as: Int.self)
        }
        #expect(connections < 18)
        _ = try fixture.jobs.cancel(job.id)
        #expect(waiting.wait(timeout: .now() + 10) == .success)
        #expect(ends.withLock { $0 } == Array(repeating: .cancelled, count: 20))
    }

    @Test func `wakes at once where the database notifies`() throws {
        let job = try fixture.enqueue()
        fixture.events.start()
        defer { fixture.events.stop() }
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.7)
            _ = try? fixture.jobs.cancel(job.id)
        }
        let start = ContinuousClock.now
        #expect(try fixture.end(of: job).state == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func `tells of a job that is not there as of one that was cancelled`() throws {
        fixture.events.start()
        defer { fixture.events.stop() }
        let seen = Mutex<[JobState]>([])
        let observation = fixture.events.observe(.version7()) { _, state in seen.withLock { $0.append(state) } }
        try fixture.wait { seen.withLock { $0.first == .cancelled } }
        observation.cancel()
    }

    @Test func `tells of progress and log lines too`() throws {
        let job = try fixture.enqueue()
        fixture.events.start()
        defer { fixture.events.stop() }
        let seen = Mutex<[Int]>([])
        let observation = fixture.events.observe(job.id) { revision, _ in seen.withLock { $0.append(revision) } }
        let lease = try #require(try fixture.jobs.claim(lease: .seconds(60)))
        _ = try fixture.jobs.report(lease, progress: nil, lines: ["a"].log)
        let revision = try fixture.jobs.find(job.id).revision
        try fixture.wait { seen.withLock { $0.last == revision } }
        observation.cancel()
        #expect(seen.withLock { $0 == $0.sorted() })
    }
}
