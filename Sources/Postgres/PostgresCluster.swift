import FoundationEssentials
import Glibc

/// The files of a private server: makes them, and clears up after a server that was killed.
struct PostgresCluster {
    private let directory: String
    private let installation: PostgresInstallation
    private let user: ServerUser

    init(directory: String, installation: PostgresInstallation, user: ServerUser) {
        self.directory = directory
        self.installation = installation
        self.user = user
    }

    /// PostgreSQL's data directory.
    var path: String { "\(directory)/postgres" }
    /// Takes what the server and `initdb` say.
    var log: String { "\(directory)/postgres.log" }

    /// The major version that made the files of a directory; nil where there are none.
    static func majorVersion(in directory: String) -> Int? {
        let text = try? String(contentsOfFile: "\(directory)/postgres/PG_VERSION", encoding: .utf8)
        return text?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }

    /// Makes the data directory where there is none, and clears up after a server that was there before.
    func prepare() throws(PostgresError) {
        if FileManager.default.fileExists(atPath: "\(path)/PG_VERSION") { try clearUp() } else { try initialize() }
    }

    /// Waits for a server that is still ending, and removes what a killed one left.
    func clearUp() throws(PostgresError) {
        try waitForForeignProcesses()
        // PostgreSQL finds out itself that the file is old unless the id belongs to a new process.
        unlink("\(path)/postmaster.pid")
    }

    /// Starts the server on the data directory.
    func startServer(settings: [String: String]) throws(PostgresError) -> ServerProcess {
        let standard = [
            "listen_addresses": "", "unix_socket_directories": ".", "unix_socket_permissions": "0700",
            "max_connections": "100", "jit": "off", "max_wal_size": "2GB", "log_checkpoints": "off",
            // Segments are written and read once, by runs, and the system's cache has them besides.
            "shared_buffers": "32MB",
            // Rows are not to be seen in logs: neither in details nor in statements.
            "log_error_verbosity": "terse", "log_min_error_statement": "panic",
        ]
        let all = standard.merging(settings) { $1 }.sorted { $0.key < $1.key }
        let arguments = all.flatMap { ["-c", "\($0.key)=\($0.value)"] }
        return try ServerProcess(
            user.commandLine("\(installation.programs)/postgres", arguments, directory: path), log: log)
    }

    /// Runs `initdb` beside the final place and moves the result there, so that a half-made one is never taken for whole.
    private func initialize() throws(PostgresError) {
        let partial = "\(directory)/postgres.partial"
        try? FileManager.default.removeItem(atPath: partial)
        guard mkdir(partial, 0o700) == 0, chown(partial, user.uid, user.gid) == 0 else {
            throw failure("The directory \(partial) can't be made")
        }
        let arguments = ["--username=realmshift", "--auth=trust", "--encoding=UTF8", "--locale=C"]
        let process = try ServerProcess(
            user.commandLine("\(installation.programs)/initdb", arguments, directory: partial), log: log)
        guard process.waitForEnd(timeout: .seconds(300)) == 0 else {
            process.send(SIGKILL)
            throw PostgresError(sqlState: "58000", message: "initdb failed: \(Self.lastLine(of: log))")
        }
        guard rename(partial, path) == 0 else { throw failure("The directory \(path) can't be made") }
    }

    /// Waits until no process works in the data directory any more: servers make it their current directory.
    ///
    /// It looks again and again: they are no children of this process, and leave one after the other.
    private func waitForForeignProcesses() throws(PostgresError) {
        let deadline = ContinuousClock.now + .seconds(30)
        while let pid = foreignProcess() {
            guard ContinuousClock.now < deadline else {
                throw PostgresError(
                    sqlState: "55006", message: "Process \(pid) is using \(path) and does not end.")
            }
            usleep(50_000)
        }
    }

    private func foreignProcess() -> String? {
        guard let place = Self.identity(of: path) else { return nil }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.first { Int($0) != nil && Self.identity(of: "/proc/\($0)/cwd") == place }
    }

    private static func identity(of path: String) -> [UInt64]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    private func failure(_ what: String) -> PostgresError {
        PostgresError(sqlState: "58030", message: "\(what): \(String(cString: strerror(errno))).")
    }

    /// The last line of a log, which says why a program ended.
    static func lastLine(of log: String) -> String {
        let file = open(log, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "there is no log." }
        defer { close(file) }
        let text = String(unsafeUninitializedCapacity: 4096) { end in
            max(pread(file, end.baseAddress, end.count, max(lseek(file, 0, SEEK_END) - end.count, 0)), 0)
        }
        return text.split(separator: "\n").last.map(String.init)
            ?? (isFull(log) ? "no space is left for its log." : "the log is empty.")
    }

    /// Whether a log has no space for a line: a program that can't write says nothing.
    private static func isFull(_ log: String) -> Bool {
        let file = open(log, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return write(file, "\n", 1) < 0 && errno == ENOSPC
    }
}
