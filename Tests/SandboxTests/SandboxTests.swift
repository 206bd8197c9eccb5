import Columns
import Foundation
import Testing

@testable import Sandbox

/// A host reaches nothing but its task, its input and its segments.
@Suite(.serialized) struct SandboxTests {
    private let hosts: HostPool

    init() throws {
        hosts = HostPool(executable: try Probes.program())
    }

    @Test func `answers, refuses and fails`() throws {
        #expect(try hosts.probe("nothing") == .done([]))
        #expect(try hosts.probe("refuse") == .refused([]))
        #expect(throws: HostFailure.crash("Stored columns are damaged: the probe at byte 0.")) {
            try hosts.probe("fail")
        }
    }

    @Test func `reads the input that comes with the task`() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        fputs("what is in it", file)
        fflush(file)
        var order = Probes.order("read")
        order.input = fileno(file)
        #expect(try hosts.perform(order) { $0 } == .done(Array("what is in it".utf8)))
    }

    @Test func `a host reads what it wrote to scratch space`() throws {
        let store = MemorySegmentStore()
        let served = ServedStore(store, source: nil, scratch: { MemorySegmentStore() })
        #expect(
            try hosts.perform(Probes.order("scratch", serving: served)) { $0 } == .done([0, 10, 1, 11, 2, 12]))
        #expect(store.storedBytes == 3)
    }

    @Test func `reports in the order of the reports`() throws {
        var reports: [[UInt8]] = []
        var order = Probes.order("report")
        order.reported = { reports.append($0) }
        _ = try hosts.perform(order) { $0 }
        #expect(reports == [[0], [1], [2]])
    }

    @Test func `ends a host whose report is nonsense`() throws {
        var order = Probes.order("report")
        order.reported = { _ in throw ColumnError.damaged(what: "a report", offset: 0) }
        #expect(throws: HostFailure.crash("it sent what no host sends")) { try hosts.perform(order) { $0 } }
    }

    @Test(arguments: [
        "open", "create", "stat", "signal the parent", "raise a limit",
    ])
    func `refuses what reaches out of the process`(attempt: String) throws {
        #expect(try hosts.probe(attempt) == .done([]))
    }

    @Test(arguments: [
        "open its own memory", "open the map of its own memory", "open the environment of another",
        "list all processes", "list its own open files", "find its own program", "look for another process",
    ])
    func `shows nothing of /proc, and the next task is well`(attempt: String) throws {
        let hosts = HostPool(executable: try Probes.program(), policy: HostPool.Policy(kept: 1))
        #expect(try hosts.probe(attempt, of: .uuid(1)) == .done([]))
        let kept = hosts.waitingProcesses.kept
        #expect(kept.count == 1)
        #expect(try hosts.probe("nothing", of: .uuid(1)) == .done([]))
        #expect(hosts.waitingProcesses.kept == kept)
    }

    @Test(arguments: [
        "socket", "execute", "signal a thread of the parent", "share memory", "make a namespace", "be root",
        "trace the parent", "read the parent's memory",
    ])
    func `ends a process that reaches for what none needs`(attempt: String) {
        #expect(throws: HostFailure.crash("signal 31")) { try hosts.probe(attempt) }
    }

    @Test func `lets a process signal its own threads`() throws {
        #expect(try hosts.probe("signal itself") == .done([]))
    }

    @Test func `is nobody with nothing, and the first to go`() throws {
        let host = try HostProcess(HostProgram(try Probes.program()), profile: Probes.profile)
        let isolation = try HostSession(host, Probes.order("nothing")).waitUntilReady()
        #expect(isolation.isSuperset(of: [.unprivileged, .expendable]))
        let process = "/proc/\(host.processID)"
        let lines = try String(contentsOfFile: "\(process)/status", encoding: .utf8).split(separator: "\n")
        func field(_ name: String) -> String? {
            lines.first { $0.hasPrefix("\(name):") }?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
        for name in ["CapInh", "CapPrm", "CapEff", "CapAmb"] { #expect(field(name) == "0000000000000000") }
        #expect(field("NoNewPrivs") == "1")
        #expect(field("Seccomp") == "2")
        #expect(field("Uid")?.split(separator: "\t").contains("0") == false)
        #expect(field("Groups") == "" || geteuid() != 0)
        #expect(try String(contentsOfFile: "\(process)/oom_score_adj", encoding: .utf8) == "1000\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/cwd") == "/")
        let limits = try String(contentsOfFile: "\(process)/limits", encoding: .utf8).split(separator: "\n")
        for name in ["Max address space", "Max data size", "Max processes", "Max core file size"] {
            #expect(limits.first { $0.hasPrefix(name) }?.contains("unlimited") == false, "\(name)")
        }
        let networks = try ["\(process)/ns/net", "/proc/self/ns/net"].map {
            try FileManager.default.destinationOfSymbolicLink(atPath: $0)
        }
        #expect(isolation.contains(.namespaces) == (networks[0] != networks[1]))
    }

    @Test func `tells what keeps hosts apart`() throws {
        let isolation = try hosts.isolation(of: Probes.profile)
        #expect(isolation.missing.isEmpty == (isolation == .whole))
        #expect(Isolation.unprivileged.missing.count == 2)
    }

    @Test func `survives a host that traps`() {
        let error = #expect(throws: HostFailure.self) { try hosts.probe("trap") }
        guard case .crash = error else { return #expect(error == .crash("")) }
    }

    @Test func `has no role that the program has not`() {
        let order = HostOrder(
            "dancing", [], limits: Probes.limits, of: nil, serving: ServedStore(MemorySegmentStore(), source: nil))
        #expect(throws: HostFailure.crash("exit code 1")) { try hosts.perform(order) { $0 } }
    }

    @Test func `stops a host at its limits`() {
        let short = HostLimits(timeoutSeconds: 0.3, memoryBytes: 64 << 20)
        #expect(throws: HostFailure.timeLimit) { try hosts.probe("spin", limits: short) }
        #expect(throws: HostFailure.timeLimit) { try hosts.probe("stop itself", limits: short) }
        #expect(throws: HostFailure.memoryLimit) { try hosts.probe("allocate") }
        var order = Probes.order("spin")
        order.isCancelled = { true }
        #expect(throws: HostFailure.cancelled) { try hosts.perform(order) { $0 } }
    }

    @Test func `stops a host that never stops sending`() {
        let short = HostLimits(timeoutSeconds: 0.3, memoryBytes: 64 << 20)
        #expect(throws: HostFailure.timeLimit) { try hosts.probe("flood", limits: short) }
        var questions = 0
        var order = Probes.order("flood")
        order.isCancelled = {
            questions += 1
            return questions > 2
        }
        #expect(throws: HostFailure.cancelled) { try hosts.perform(order) { $0 } }
    }

    @Test func `gives a host nothing of another realm`() {
        #expect(throws: HostFailure.crash("it sent what no host sends")) { try hosts.probe("foreign segment") }
    }

    @Test(arguments: [
        "foreign snapshot", "more rows than any group has", "more objects than rows", "fewer keys than rows",
        "fewer values than rows", "no values for a row group", "a constant of another type", "constant keys",
        "keys that go back",
    ])
    func `believes no snapshot whose parts do not fit`(fault: String) {
        let served = ServedStore(MemorySegmentStore(), source: nil)
        #expect(throws: HostFailure.crash("it sent what no host sends")) {
            try hosts.perform(Probes.order(fault, serving: served)) { answer in
                guard case .done(let bytes) = answer else { return }
                _ = try served.named(try SnapshotCoding.decodeSnapshot(bytes))
            }
        }
    }

    @Test(arguments: [false, true])
    func `ends with its parent`(isAtWork: Bool) throws {
        let host = try HostProcess(HostProgram(try Probes.program()), profile: Probes.profile)
        let session = HostSession(host, Probes.order("spin"))
        try session.waitUntilReady()
        if isAtWork { try session.start() }
        // The parent's end of the socket is closed as the kernel closes it when a process dies.
        host.disconnect()
        #expect(host.wait().signal == nil)
    }

    @Test func `says that a program without a host command crashed`() {
        #expect(throws: HostFailure.crash("exit code 1")) { try HostPool(executable: "/bin/false").probe("nothing") }
    }

    @Test func `says that a program is missing`() throws {
        #expect(throws: HostFailure.notStarted(program: "/nowhere/realmshift", errno: 2)) {
            try HostProcess(HostProgram("/nowhere/realmshift"), profile: Probes.profile)
        }
    }
}
