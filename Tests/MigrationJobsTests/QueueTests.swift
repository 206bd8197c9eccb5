import Foundation
import JobStore
import RealmModel
import SnapshotStore
import Testing
import Threads

@testable import MigrationJobs

/// Many brief jobs at once; rehearsals of no realm stand for them, as they need nothing but their rows.
@Suite struct `A long queue` {
    private let fixture: JobFixture
    private var store: SnapshotStore { fixture.store }

    init() throws { fixture = try JobFixture() }

    private func queue(_ count: Int, _ app: String = "shop") throws -> [Job] {
        _ = try store.apps.put(app)
        return try (0..<count).map { _ in
            try fixture.jobs.insert(.rehearsal(RehearsalOrder(targetVersion: 1)), of: app)
        }
    }

    /// Claims the jobs of a lane until there is none, and ends each with success, on so many threads.
    private func drain(_ lane: JobLane, threads: Int) -> [RealmModel.UUID] {
        let ended = Mutex<[RealmModel.UUID]>([])
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while let lease = try? fixture.jobs.claim(lease: .seconds(60), in: [lane], as: "me") {
                guard let job = try? fixture.jobs.finish(lease, RehearsalOutcome(report: .object([]))) else { continue }
                ended.withLock { $0.append(job.id) }
            }
        }
        return ended.withLock { $0 }
    }

    /// Prints how many jobs a second go through; REALMSHIFT_QUEUED_JOBS says of how many.
    @Test func `is claimed and ended job by job, each once, however many ask`() throws {
        let count = ProcessInfo.processInfo.environment["REALMSHIFT_QUEUED_JOBS"].flatMap { Int($0) } ?? 200
        let jobs = try queue(count)
        let start = ContinuousClock.now
        let ended = drain(jobs[0].lane, threads: 6)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print("\(count) jobs were claimed and ended, \(Int(Double(count) / seconds)) a second.")
        #expect(ended.count == count && Set(ended) == Set(jobs.map(\.id)))
        #expect(try fixture.countsByState() == ["succeeded": count])
    }

    @Test func `gives the jobs that have waited longest first`() throws {
        let jobs = try queue(5)
        let claimed = try (0..<5).compactMap { _ in try fixture.jobs.claim(lease: .seconds(60))?.job.id }
        #expect(claimed == jobs.map(\.id))
    }

    /// Heartbeats lock all of them, in the order of their ids; ends lock one.
    @Test func `is ended while its leases are renewed`() throws {
        _ = try queue(40)
        let leases = try (0..<40).compactMap { _ in try fixture.jobs.claim(lease: .seconds(60)) }
        let failure = Mutex<String?>(nil)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            do {
                if index == 0 {
                    for lease in leases { _ = try fixture.jobs.finish(lease, RehearsalOutcome(report: .object([]))) }
                } else {
                    let heartbeat = JobHeartbeat(fixture.jobs)
                    while try !heartbeat.renew(leases.map(\.token).reversed(), lease: .seconds(60)).isEmpty {}
                }
            } catch {
                failure.withLock { $0 = "\(error)" }
            }
        }
        #expect(failure.withLock { $0 } == nil)
        #expect(try fixture.countsByState() == ["succeeded": 40])
    }
}
