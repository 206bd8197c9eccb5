import CSeccomp
import Columns
import Glibc
import Sandbox

extension HostRole {
    /// Does what a task's text says.
    static let probing = HostRole("probing") { _, channel in Probe(channel: channel) }
}

/// Tries what the sandbox forbids, and says what no host says.
struct Probe: HostWork {
    let channel: HostChannel

    func perform(_ task: [UInt8], input: Int32?) throws -> HostAnswer {
        let store = PipeSegmentStore(channel: channel)
        defer { try? store.finish() }
        let what = String(decoding: task, as: UTF8.self)
        switch what {
        case "nothing": break
        case "refuse": return .refused([])
        case "fail": throw ColumnError.damaged(what: "the probe", offset: 0)
        case "report": for number in 0..<3 { try channel.report([UInt8(number)]) }
        case "read": return .done(try readAll(input))
        case "signal itself": guard signal_thread(getpid(), getpid(), 0) == 0 else { exit(0) }
        case "spin": while true {}
        case "stop itself":
            _ = signal_thread(getpid(), getpid(), SIGSTOP)
            while true {}
        case "flood": while true { _ = try store.write(segment: []) }
        case "trap": fatalError("a host's fault")
        case "read nowhere": try readNowhere()
        case "allocate": allocate()
        case "scratch": return .done(try writeAndRead(PipeScratchStore(store), beside: store))
        case "foreign segment": _ = try store.read(segment: SegmentID(batch: BatchID(high: 0, low: 0), ordinal: 0))
        default:
            if let snapshot = try BadSnapshot.named(what, in: store) { return .done(SnapshotCoding.encode(snapshot)) }
            attempt(what)
        }
        return .done([])
    }

    func reset() {}

    private func readAll(_ input: Int32?) throws -> [UInt8] {
        guard let input else { throw HostChannel.Closed() }
        var bytes = [UInt8](repeating: 0, count: 1 << 10)
        let count = pread(input, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(count, 0)))
    }

    /// Writes to scratch space and to the store by turns, and gives what it reads of both.
    private func writeAndRead(_ scratch: PipeScratchStore, beside store: PipeSegmentStore) throws -> [UInt8] {
        var names: [SegmentID] = []
        for number: UInt8 in 0..<3 {
            names.append(try scratch.write(segment: [number]))
            names.append(try store.write(segment: [number + 10]))
        }
        return try names.flatMap { try scratch.read(segment: $0) }
    }

    /// Reads at an address that is nobody's, while other faults are answered.
    private func readNowhere() throws {
        let nowhere = UnsafeRawPointer(bitPattern: 64)
        try PagedMemory().withBytes(count: 1 << 20, blockBytes: 1 << 16, fill: { _, memory in memory[0] = 1 }) {
            bytes in
            if bytes[0] == 1, nowhere?.load(as: UInt8.self) == bytes[1] { exit(0) }
        }
    }

    /// Tries what is forbidden, and exits with 0 where it succeeds.
    private func attempt(_ what: String) {
        switch what {
        case "open": if open("/etc/passwd", O_RDONLY) >= 0 { exit(0) }
        case "open its own memory": if open("/proc/self/mem", O_RDWR) >= 0 { exit(0) }
        case "open the environment of another": if open("/proc/1/environ", O_RDONLY) >= 0 { exit(0) }
        case "open the map of its own memory": if open("/proc/self/maps", O_RDONLY) >= 0 { exit(0) }
        case "list all processes": if opendir("/proc") != nil { exit(0) }
        case "list its own open files": if opendir("/proc/self/fd") != nil { exit(0) }
        case "find its own program":
            var path = [CChar](repeating: 0, count: 4096)
            if readlink("/proc/self/exe", &path, path.count) >= 0 { exit(0) }
        case "look for another process": if access("/proc/1/status", F_OK) == 0 { exit(0) }
        case "create": if open("/tmp/realmshift-sandbox", O_CREAT | O_WRONLY, 0o600) >= 0 { exit(0) }
        case "stat":
            var information = stat()
            if stat("/etc", &information) == 0 { exit(0) }
        case "socket": if socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 { exit(0) }
        case "signal the parent": if kill(getppid(), 0) == 0 { exit(0) }
        case "signal a thread of the parent": if signal_thread(getppid(), getppid(), 0) == 0 { exit(0) }
        case "trace the parent": if trace_process(getppid()) == 0 { exit(0) }
        case "read the parent's memory": if read_memory_of_process(getppid(), nil) == 0 { exit(0) }
        case "share memory":
            let flags = MAP_SHARED | MAP_ANONYMOUS
            if mmap(nil, 4096, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED { exit(0) }
        case "make a namespace": if leave_namespaces(1) == 0 { exit(0) }
        case "be root": if setresuid(0, 0, 0) == 0 { exit(0) }
        case "raise a limit":
            var limit = rlimit(rlim_cur: UInt.max, rlim_max: UInt.max)
            if setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 { exit(0) }
        case "execute": execv("/bin/true", [nil])
        default: fatalError("There is no probe '\(what)'.")
        }
    }

    private func allocate() {
        var blocks: [[UInt8]] = []
        while blocks.count < 1 << 20 { blocks.append([UInt8](repeating: 1, count: 1 << 20)) }
    }
}
