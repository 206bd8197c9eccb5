import Foundation
import JobStore
import MigrationJobs
import Postgres
import SnapshotStore
import Testing

/// A worker process that is killed or stopped while it runs a job: this test program itself, started as another process.
@Suite struct KilledWorkerTests {
    /// Names the database to the child.
    private static let variable = "REALMSHIFT_TEST_WORKER_DATABASE"
    /// Tells the child how long its leases last, in seconds.
    private static let leaseVariable = "REALMSHIFT_TEST_WORKER_LEASE"
    private static let lease = ProcessInfo.processInfo.environment[leaseVariable].flatMap { Int($0) } ?? 1
    /// Whether this process is the child.
    private static let isWorker = ProcessInfo.processInfo.environment[variable] != nil

    @Test(.enabled(if: !isWorker))
    func `leaves the realm as it was, and another worker takes the job`() throws {
        let fixture = try JobFixture()
        let job = try fixture.enqueue("wait")
        let child = try startWorkerProcess(fixture, running: job, lease: 1)
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        #expect(try fixture.jobs.find(job.id).state == .running)
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
        try fixture.withWorkers { _ in
            try fixture.wait { try fixture.jobs.find(job.id).attempt == 2 }
            _ = try fixture.jobs.cancel(job.id)
            #expect(try fixture.end(of: job).state == .cancelled)
        }
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
    }

    @Test(.enabled(if: !isWorker))
    func `has its jobs taken at once by the next that starts on the machine`() throws {
        let fixture = try JobFixture()
        let job = try fixture.enqueue("wait")
        let child = try startWorkerProcess(fixture, running: job, lease: 3600)
        func attempts(after time: Double) throws -> Int {
            try fixture.withWorkers { _ in
                Thread.sleep(forTimeInterval: time)
                return try fixture.jobs.find(job.id).attempt
            }
        }
        // Another service takes nothing of one that is there.
        #expect(try attempts(after: 0.5) == 1)
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        try fixture.withWorkers { _ in
            // Long before its lease ends.
            try fixture.wait { try fixture.jobs.find(job.id).attempt == 2 }
            _ = try fixture.jobs.cancel(job.id)
            #expect(try fixture.end(of: job).endedAttempts.map(\.problem.code) == ["worker_lost"])
        }
    }

    @Test(.enabled(if: !isWorker))
    func `commits nothing where it was stopped past its lease and continues`() throws {
        let fixture = try JobFixture()
        let job = try fixture.enqueue("linger")
        let child = try startWorkerProcess(fixture, running: job, lease: 1)
        defer {
            kill(child.processIdentifier, SIGKILL)
            child.waitUntilExit()
        }
        kill(child.processIdentifier, SIGSTOP)
        let done = try fixture.withWorkers { _ in try fixture.end(of: job) }
        #expect(done.state == .succeeded)
        #expect(done.attempt == 2)
        let revision = try fixture.jobs.find(job.id).revision
        // The only worker of the process gets to the second job when it is through with the first.
        try fixture.upload(1, to: "bob")
        let next = try fixture.enqueue("append ?", realm: "bob")
        kill(child.processIdentifier, SIGCONT)
        try fixture.wait { try fixture.jobs.find(next.id).state == .succeeded }
        #expect(try fixture.jobs.find(job.id).revision == revision)
        #expect(try fixture.currentSnapshot() == done.migration.resultSnapshot)
        #expect(try fixture.names().allSatisfy { "\($0)".contains("!") && !"\($0)".contains("!!") })
        #expect(try fixture.count("snapshot") == 4)
    }

    @Test(.enabled(if: isWorker))
    func `works until it is killed`() throws {
        let url = try #require(ProcessInfo.processInfo.environment[Self.variable])
        let jobs = JobStore(SnapshotStore(PostgresPool(url)))
        let log = TestLog()
        let workers = JobWorkers(
            jobs, events: JobEvents(jobs, log: log), host: TestHost(),
            configuration: WorkerConfiguration(workers: 1, lease: .seconds(Self.lease)),
            log: log)
        workers.start()
        // The parent kills this process; were the parent killed itself, its server would end and so does this.
        while (try? jobs.store.ping()) != nil { Thread.sleep(forTimeInterval: 0.1) }
    }

    /// Starts a process, and returns when it runs a job.
    private func startWorkerProcess(_ fixture: JobFixture, running job: Job, lease: Int) throws -> Process {
        let process = Process()
        process.executableURL = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = ["--filter", "KilledWorkerTests", "--testing-library", "swift-testing"]
        process.environment = ProcessInfo.processInfo.environment.merging(
            [Self.variable: fixture.url, Self.leaseVariable: "\(lease)"]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try fixture.wait { try fixture.jobs.find(job.id).state == .running || !process.isRunning }
        #expect(process.isRunning)
        return process
    }
}
