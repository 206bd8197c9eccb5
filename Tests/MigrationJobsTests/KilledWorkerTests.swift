import Foundation
import MigrationJobs
import Postgres
import SnapshotStore
import Testing

/// A worker process that is killed while it runs a job: this test program itself, started as another process.
@Suite struct KilledWorkerTests {
    /// Names the database to the child.
    private static let variable = "REALMSHIFT_TEST_WORKER_DATABASE"
    /// Whether this process is the child.
    private static let isWorker = ProcessInfo.processInfo.environment[variable] != nil

    @Test(.enabled(if: !isWorker))
    func `leaves the realm as it was, and another worker takes the job`() throws {
        let fixture = try JobFixture()
        let job = try fixture.enqueue("wait")
        let child = try startWorkerProcess(fixture.url)
        try fixture.wait { try fixture.store.jobs.find(job.id).state == .running || !child.isRunning }
        #expect(child.isRunning)
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        #expect(try fixture.store.jobs.find(job.id).state == .running)
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
        try fixture.withWorkers { _ in
            try fixture.wait { try fixture.store.jobs.find(job.id).attempt == 2 }
            _ = try fixture.store.jobs.cancel(job.id)
            #expect(try fixture.end(of: job).state == .cancelled)
        }
        #expect(try fixture.currentSnapshot() == job.migration.sourceSnapshot)
    }

    @Test(.enabled(if: isWorker))
    func `works until it is killed`() throws {
        let url = try #require(ProcessInfo.processInfo.environment[Self.variable])
        let store = SnapshotStore(PostgresPool(url))
        let log = TestLog()
        let workers = JobWorkers(
            store, events: JobEvents(store, log: log), host: TestHost(),
            configuration: WorkerConfiguration(lease: .seconds(1)),
            log: log)
        workers.start()
        // The parent kills this process; were the parent killed itself, its server would end and so does this.
        while (try? store.ping()) != nil { Thread.sleep(forTimeInterval: 0.1) }
    }

    private func startWorkerProcess(_ url: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = ["--filter", "KilledWorkerTests", "--testing-library", "swift-testing"]
        process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: url]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
