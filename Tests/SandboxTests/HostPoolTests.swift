import Foundation
import RealmModel
import Testing

@testable import Sandbox

/// Hosts are used again where that is safe.
@Suite(.serialized) struct HostPoolTests {
    private func pool(kept: Int = 4, idleSeconds: Double = 60, spares: Int = 0) throws -> HostPool {
        HostPool(
            executable: try Probes.program(),
            policy: HostPool.Policy(kept: kept, idleSeconds: idleSeconds, spares: [Probes.profile: spares]))
    }

    private func exists(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    /// Waits for what another thread or process does.
    private func eventually(_ condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition() {
            guard ContinuousClock.now < deadline else { return false }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return true
    }

    @Test func `starts the program that it found, whatever takes its place`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("host-\(Foundation.UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Links: a copy could not be started while a child that other tests start at this moment has it open for writing.
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: try Probes.program())
        let pool = HostPool(executable: path)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/bin/false")
        #expect(try pool.probe("nothing") == .done([]))
        #expect(throws: HostFailure.self) { try HostPool(executable: path).probe("nothing") }
    }

    // MARK: Using hosts again

    @Test func `uses a host again for the same app`() throws {
        let pool = try pool()
        try pool.probe("nothing", of: .uuid(1))
        let first = pool.waitingProcesses.kept
        for _ in 0..<5 { try pool.probe("nothing", of: .uuid(1)) }
        #expect(first.count == 1)
        #expect(pool.waitingProcesses.kept == first)
    }

    @Test func `uses no host for two apps`() throws {
        let pool = try pool()
        try pool.probe("nothing", of: .uuid(1))
        let first = pool.waitingProcesses.kept
        try pool.probe("nothing", of: .uuid(2))
        #expect(Set(pool.waitingProcesses.kept).count == 2)
        #expect(pool.waitingProcesses.kept.first == first.first)
    }

    @Test func `keeps no host of a task of nobody's`() throws {
        let pool = try pool(spares: 1)
        try pool.probe("nothing", of: nil)
        #expect(pool.waitingProcesses.kept.isEmpty)
    }

    @Test func `uses no host with another budget of memory`() throws {
        let pool = try pool()
        try pool.probe("nothing", of: .uuid(1))
        try pool.probe("nothing", limits: HostLimits(timeoutSeconds: 20, memoryBytes: 32 << 20), of: .uuid(1))
        #expect(Set(pool.waitingProcesses.kept).count == 2)
    }

    @Test func `keeps a host that refused its task`() throws {
        let pool = try pool()
        try pool.probe("refuse", of: .uuid(1))
        let kept = pool.waitingProcesses.kept
        #expect(kept.count == 1)
        try pool.probe("nothing", of: .uuid(1))
        #expect(pool.waitingProcesses.kept == kept)
    }

    @Test func `keeps so many hosts and no more`() throws {
        let pool = try pool(kept: 2)
        for app in 1...4 { try pool.probe("nothing", of: .uuid(UInt64(app))) }
        #expect(pool.waitingProcesses.kept.count == 2)
    }

    @Test func `limits the processor's time of each task`() throws {
        let host = try HostProcess(HostProgram(try Probes.program()), profile: Probes.profile)
        #expect(host.limitProcessorTime(seconds: 100))
        #expect(host.limitProcessorTime(seconds: 10))
        #expect(host.limitProcessorTime(seconds: 100))
        // Beyond the hard limit that the first task set.
        #expect(!host.limitProcessorTime(seconds: 1000))
    }

    @Test func `ends a host that takes more of the processor's time than it may`() throws {
        let host = try HostProcess(HostProgram(try Probes.program()), profile: Probes.profile)
        // A busy machine may take long to give it a second.
        let limits = HostLimits(timeoutSeconds: 200, memoryBytes: Probes.limits.memoryBytes)
        let session = HostSession(host, Probes.order("spin", limits: limits))
        try session.waitUntilReady()
        #expect(host.limitProcessorTime(seconds: 1))
        let start = ContinuousClock.now
        #expect(throws: HostFailure.timeLimit) { try session.run() }
        #expect(ContinuousClock.now - start < .seconds(limits.timeoutSeconds / 2))
    }

    // MARK: Letting go

    @Test(arguments: ["fail", "trap", "allocate", "spin", "foreign segment"])
    func `keeps no host that failed or was stopped`(what: String) throws {
        let pool = try pool()
        let limits = HostLimits(timeoutSeconds: 2, memoryBytes: 32 << 20)
        try pool.probe("nothing", limits: limits, of: .uuid(1))
        let processes = pool.waitingProcesses.kept
        #expect(throws: HostFailure.self) { try pool.probe(what, limits: limits, of: .uuid(1)) }
        #expect(pool.waitingProcesses.kept.isEmpty)
        #expect(!processes.contains(where: exists))
        #expect(try pool.probe("nothing", limits: limits, of: .uuid(1)) == .done([]))
    }

    @Test func `keeps no host whose answer is of no use`() throws {
        struct Useless: Error {}
        let pool = try pool()
        #expect(throws: Useless.self) {
            try pool.perform(Probes.order("nothing", of: .uuid(1))) { _ in throw Useless() }
        }
        #expect(pool.waitingProcesses.kept.isEmpty)
    }

    @Test func `keeps no host that was cancelled`() throws {
        let pool = try pool()
        var order = Probes.order("spin", of: .uuid(1))
        order.isCancelled = { true }
        #expect(throws: HostFailure.cancelled) { try pool.perform(order) { $0 } }
        #expect(pool.waitingProcesses.kept.isEmpty)
    }

    @Test func `replaces a host that was killed while it waited`() throws {
        let pool = try pool()
        try pool.probe("nothing", of: .uuid(1))
        let process = try #require(pool.waitingProcesses.kept.first)
        kill(process, SIGKILL)
        // The signal is on its way until then; the process stays for the pool to ask how it ended.
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == 0)
        #expect(try pool.probe("nothing", of: .uuid(1)) == .done([]))
        #expect(pool.waitingProcesses.kept.count == 1)
        #expect(!pool.waitingProcesses.kept.contains(process))
    }

    @Test func `ends hosts that wait too long`() throws {
        let pool = try pool(idleSeconds: 0)
        pool.start()
        defer { pool.close() }
        try pool.probe("nothing", of: .uuid(1))
        #expect(eventually { pool.waitingProcesses.kept.isEmpty })
    }

    @Test func `ends its hosts when it is closed`() throws {
        let pool = try pool(spares: 2)
        pool.start()
        try pool.probe("nothing", of: .uuid(1))
        #expect(eventually { pool.waitingProcesses.spares.count == 2 })
        let processes = pool.waitingProcesses.spares + pool.waitingProcesses.kept
        #expect(processes.count == 3)
        pool.close()
        #expect(eventually { !processes.contains(where: exists) })
        try pool.probe("nothing", of: .uuid(1))
        #expect(pool.waitingProcesses.kept.isEmpty)
    }

    // MARK: Spares

    @Test func `has spares for any app, and replaces them`() throws {
        let pool = try pool(spares: 2)
        #expect(pool.waitingProcesses.spares.isEmpty)
        pool.start()
        defer { pool.close() }
        #expect(eventually { pool.waitingProcesses.spares.count == 2 })
        let spares = pool.waitingProcesses.spares
        try pool.probe("nothing", of: .uuid(1))
        try pool.probe("nothing", of: .uuid(2))
        #expect(Set(pool.waitingProcesses.kept) == Set(spares))
        #expect(eventually { pool.waitingProcesses.spares.count == 2 })
        #expect(Set(pool.waitingProcesses.spares).isDisjoint(with: spares))
    }

    @Test func `replaces a spare that was killed`() throws {
        let pool = try pool(idleSeconds: 1, spares: 1)
        pool.start()
        defer { pool.close() }
        #expect(eventually { pool.waitingProcesses.spares.count == 1 })
        let spare = try #require(pool.waitingProcesses.spares.first)
        kill(spare, SIGKILL)
        #expect(eventually { pool.waitingProcesses.spares.first.map { $0 != spare } ?? false })
        #expect(try pool.probe("nothing", of: .uuid(1)) == .done([]))
    }
}
