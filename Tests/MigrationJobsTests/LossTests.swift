import Columns
import Foundation
import JobStore
import Postgres
import RealmMigration
import RealmModel
import Testing
import Threads

@testable import MigrationJobs

/// An attempt that is lost with a host or the database is tried again, one that fails by its script is not.
@Suite struct `Lost attempts` {
    private let fixture: JobFixture

    init() throws { fixture = try JobFixture() }

    /// A host that fails so many times, and then works.
    private final class FailingHost: ScriptRunner {
        private let left: Mutex<Int>
        private let error: any Error & Sendable

        init(_ count: Int, _ error: any Error & Sendable) {
            left = Mutex(count)
            self.error = error
        }

        func run(
            _ migrations: [ScriptedMigration], of app: RealmModel.UUID?, limits: ScriptLimits
        ) throws -> [Result<MigrationResult, MigrationError>] {
            let fails = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if fails { throw error }
            return try TestHost().run(migrations, of: app, limits: limits)
        }
    }

    private func end(after count: Int, _ error: any Error & Sendable) throws -> Job {
        let job = try fixture.enqueue("append !")
        let done = try fixture.withWorkers(
            WorkerConfiguration(workers: 1, poll: .milliseconds(50)), host: FailingHost(count, error)
        ) { _ in try fixture.end(of: job) }
        return try fixture.jobs.find(done.id)
    }

    private static let death = MigrationError(nil, "The host ended: signal 9.", script: .crash)

    @Test(arguments: ["40001", "40P01", "08006", "57P01", "57P03", "53100"])
    func `with the database are tried again`(state: String) throws {
        let done = try end(after: 4, PostgresError(sqlState: state, message: "gone"))
        #expect(done.state == .succeeded)
        #expect(done.attempt == 5)
        #expect(done.endedAttempts.map(\.attempt) == [1, 2, 3, 4])
        let what = state == "53100" ? "A disk of the database is full" : "The database failed"
        #expect(done.endedAttempts.allSatisfy { $0.problem.detail == "\(what) (SQLSTATE \(state))." })
        #expect(try fixture.names().first == .string("person 0!"))
    }

    @Test func `with hosts that can't be started are tried again, however many they are`() throws {
        let done = try end(after: 4, MigrationError(nil, "No host (errno 11).", script: .unavailable))
        #expect(done.state == .succeeded)
        #expect(done.attempt == 5)
    }

    @Test func `with a host are tried again`() throws {
        let done = try end(after: 2, Self.death)
        #expect(done.state == .succeeded)
        #expect(done.endedAttempts.map(\.problem.code) == ["script_host_crashed", "script_host_crashed"])
    }

    @Test func `with three hosts are the script's failure, which tells the signal`() throws {
        let done = try end(after: 3, Self.death)
        #expect(done.state == .failed)
        #expect(done.attempt == 3)
        #expect(done.problem?.code == "script_host_crashed")
        #expect(done.problem?.detail == "In 3 attempts the host of the script died. The host ended: signal 9.")
        #expect(done.endedAttempts.count == 3)
        #expect(try fixture.jobs.retry(done.id).hostLosses == 0)
    }

    @Test(arguments: ["throw", "overtime"])
    func `are not those that the script itself ended`(script: String) throws {
        let job = try fixture.enqueue(script)
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.state == .failed)
        #expect(done.attempt == 1)
        #expect(try fixture.jobs.find(job.id).endedAttempts.map(\.problem) == [done.problem])
    }
}
