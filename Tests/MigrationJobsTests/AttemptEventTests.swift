import Foundation
import JobStore
import RealmMigration
import RealmModel
import Testing

@testable import MigrationJobs

/// The events of attempts that the log and Prometheus are told of.
@Suite struct `Events of attempts` {
    private let fixture: JobFixture

    init() throws { fixture = try JobFixture() }

    private func run(_ script: String?) throws -> (job: Job, events: [AttemptEvent]) {
        let job = try fixture.queue.asked(by: "request-1").enqueue(
            JobFixture.request(script), realm: "alice", app: "shop")
        // The end is told before the workers have stopped.
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        return (done, fixture.log.events)
    }

    @Test(
        arguments: [
            (nil, .succeeded, nil, false), ("throw", .failed, "script_failed", false),
            ("overtime", .failed, "script_timeout", true),
        ] as [(String?, AttemptEvent.End, String?, Bool)])
    func `are its start and its end, with the request that asked for the job`(
        script: String?, end: AttemptEvent.End, problem: String?, isKill: Bool
    ) throws {
        let (job, events) = try run(script)
        #expect(events.count == 2)
        #expect(
            events.allSatisfy {
                $0.job == job.id && $0.kind == .migration && $0.app == "shop" && $0.attempt == 1
                    && $0.requestID == "request-1"
            })
        guard case .started(let waited)? = events.first?.what,
            case .ended(end, let duration?, problem, nil)? = events.last?.what
        else {
            Issue.record("\(events)")
            return
        }
        #expect(waited >= .zero && waited < .seconds(30))
        #expect(duration > .zero && duration < .seconds(30))
        #expect(events.last?.isKill == isKill)
        let figures = try fixture.jobs.figures()
        #expect(figures.histograms[.init(name: .wait, labels: "kind=\"migration\"")]?.count == 1)
        let ends = JobFigures.Series(name: .duration, labels: "kind=\"migration\",end=\"\(end.rawValue)\"")
        #expect(figures.histograms[ends]?.count == 1)
        #expect(figures.counters.map(\.value) == (isKill ? [1] : []))
    }

    @Test func `tell when a job is tried again whose worker was stopped`() throws {
        let job = try fixture.enqueue("wait")
        try fixture.withWorkers { _ in try fixture.wait { try fixture.jobs.find(job.id).state == .running } }
        guard case .ended(.handedBack, _?, nil, let retry?)? = fixture.log.events.last?.what else {
            Issue.record("\(fixture.log.events)")
            return
        }
        #expect(retry <= .milliseconds(1))
    }

    @Test func `tell of a worker that is lost, once, and count its lease`() throws {
        let job = try fixture.queue.asked(by: "request-2").enqueue(JobFixture.request(), realm: "alice", app: "shop")
        _ = try fixture.jobs.claim(lease: .milliseconds(1), as: "a:1:2")
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.attempt == 2)
        let lost = fixture.log.events.filter { $0.attempt == 1 }
        #expect(lost.map(\.what) == [.ended(.lost, after: nil, problem: "worker_lost", retry: .zero)])
        #expect(lost.first?.requestID == "request-2")
        #expect(try fixture.jobs.figures().counters == [.init(name: .leasesLost, labels: ""): 1])
    }

    @Test func `are counted by all processes together, and kept while the database is away`() throws {
        var figures = JobFigures()
        figures.observe(.milliseconds(3), .wait, ["kind": "migration"])
        figures.count(.scriptKills, ["reason": "script_timeout"])
        DispatchQueue.concurrentPerform(iterations: 4) { [figures] _ in
            for _ in 0..<10 {
                do {
                    try fixture.jobs.add(figures)
                } catch {
                    Issue.record(error)
                }
            }
        }
        let counted = try fixture.jobs.figures()
        #expect(counted.counters.map(\.value) == [40])
        #expect(counted.histograms.map(\.value.count) == [40])
        let counter = AttemptCounter()
        counter.count(AttemptEvent(try fixture.enqueue(), .started(waited: .zero)))
        try fixture.pool.withConnection { try $0.execute(script: "ALTER TABLE job_figure RENAME TO away") }
        #expect(throws: (any Error).self) { try counter.save(in: fixture.jobs) }
        try fixture.pool.withConnection { try $0.execute(script: "ALTER TABLE away RENAME TO job_figure") }
        try counter.save(in: fixture.jobs)
        try counter.save(in: fixture.jobs)
        #expect(try fixture.jobs.figures().histograms.map(\.value.count) == [41])
    }
}
