import Glibc

/// A process that runs jobs, by a name that tells others on the same machine whether it is still there.
struct WorkerProcess: Hashable, Sendable {
    /// The machine since its last start, and the process ids that are told apart there.
    private let host: String
    private let id: Int
    /// When it began, in ticks since the machine started: ids are used again.
    private let start: Int

    /// This process; nil where the system does not tell.
    static let current = WorkerProcess(id: Int(getpid()))

    private init?(id: Int) {
        guard let host = Self.host, let status = Self.status(of: id) else { return nil }
        (self.host, self.id, self.start) = (host, id, status.start)
    }

    /// Reads a name.
    init?(_ name: String) {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let id = Int(parts[1]), let start = Int(parts[2]) else { return nil }
        (self.host, self.id, self.start) = (parts[0], id, start)
    }

    /// The name, as the row of a job has it.
    var name: String { "\(host):\(id):\(start)" }

    /// Whether the process has certainly ended: one of another machine, or of another space of ids, may be there.
    var isKnownToHaveEnded: Bool {
        guard host == Self.host else { return false }
        guard let status = Self.status(of: id) else { return !Self.exists(id) }
        return status.start != start || status.hasEnded
    }

    private static let host: String? = {
        guard let boot = text(of: "/proc/sys/kernel/random/boot_id"), let space = target(of: "/proc/self/ns/pid") else {
            return nil
        }
        let digits = boot.filter { $0.isHexDigit }
        return digits + "-" + space.filter { $0.isNumber }
    }()

    /// `kill` with signal 0 sends nothing; EPERM is of a process that is there.
    private static func exists(_ id: Int) -> Bool { kill(pid_t(id), 0) == 0 || errno != ESRCH }

    /// The third field of proc(5)'s `stat` is the state, the 22nd the start; the second may hold anything but ends with the last
    /// parenthesis.
    private static func status(of id: Int) -> (start: Int, hasEnded: Bool)? {
        guard let text = text(of: "/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let start = Int(fields[19]) else { return nil }
        return (start, fields[0] == "Z" || fields[0] == "X")
    }

    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    private static func target(of path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
