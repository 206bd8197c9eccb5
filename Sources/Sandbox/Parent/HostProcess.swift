import CSeccomp
import Glibc

/// A host: a child process that runs this program's `host` command, and the socket to it.
///
/// The child inherits that socket and nothing else: no environment, no other descriptor. It ends when the socket does
/// (`HostChannel`), so it never outlives this process.
final class HostProcess: @unchecked Sendable {
    // Sendable because a pool hands it from thread to thread, never to two at once.
    /// The descriptor of the socket in the host.
    static let socketDescriptor: Int32 = 3

    /// How a host ended.
    struct Ending {
        /// The exit code; nil where a signal ended it.
        var exitCode: Int32?
        /// The signal that ended it.
        var signal: Int32?
    }

    /// The parent's end of the socket; does not block.
    let socket: Int32
    let processID: pid_t
    /// The profile that the host prepares itself for.
    let profile: HostProfile
    /// Bytes that were read from the socket before they were asked for.
    var ahead: ArraySlice<UInt8> = []
    /// The limit that was set last for its processor time.
    var processorLimit: ProcessorLimit?
    private var ending: Ending?

    /// Starts a host, which begins to prepare itself; nobody waits for that here.
    ///
    /// - Parameter program: one whose `host` command calls `HostMain.run`.
    init(_ program: HostProgram, profile: HostProfile) throws(HostFailure) {
        self.profile = profile
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw .notStarted(program: program.path, errno: errno)
        }
        socket = ends[0]
        defer { close(ends[1]) }
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        Self.widenBuffers(of: ends)
        do {
            processID = try Self.spawn(program, inheriting: ends[1])
        } catch {
            close(socket)
            throw error
        }
        // A few bytes into the empty buffer of a new socket: they are taken whole. A host that is not there to read them
        // has ended, which the first wait for it finds.
        for piece in profile.frame.pieces {
            _ = piece.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    deinit {
        _ = kill()
        close(socket)
    }

    /// Closes the connection, which ends the host.
    func disconnect() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Ends the host, where it has not ended, and tells how it ended.
    func kill() -> Ending {
        if let ending { return ending }
        _ = Glibc.kill(processID, SIGKILL)
        return wait()
    }

    /// Waits for the host to end by itself.
    ///
    /// Only for a host that has closed its socket: that is the last thing one does.
    func wait() -> Ending {
        if let ending { return ending }
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        let ended = Ending(
            exitCode: signal == 0 ? (status >> 8) & 0xff : nil, signal: signal == 0 ? nil : signal)
        ending = ended
        return ended
    }

    /// Whether the host has ended by itself.
    var hasEnded: Bool {
        if ending != nil { return true }
        // The process stays for `wait` to ask how it ended.
        var information = siginfo_t()
        return waitid(P_PID, id_t(processID), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == SIGCHLD
    }

    private static func widenBuffers(of sockets: [Int32]) {
        var size: Int32 = 1 << 20
        for socket in sockets {
            for option in [SO_SNDBUF, SO_RCVBUF] {
                setsockopt(socket, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<Int32>.size))
            }
        }
    }

    /// No locale, no zone but UTC; JavaScriptCore's caged heaps would make a limit of memory meaningless, and Swift's
    /// backtraces would need files that a locked host can't open.
    private static let environment = ["GIGACAGE_ENABLED=0", "TZ=UTC", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]

    private static func spawn(_ program: HostProgram, inheriting end: Int32) throws(HostFailure) -> pid_t {
        // A copy above the number that it is to get, so that it is never that number already, with its flag.
        let copy = fcntl(end, F_DUPFD_CLOEXEC, 16)
        guard copy >= 0 else { throw .notStarted(program: program.path, errno: errno) }
        defer { close(copy) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for stream: Int32 in [1, 2] { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0) }
        posix_spawn_file_actions_adddup2(&actions, copy, socketDescriptor)
        posix_spawn_file_actions_addclosefrom_np(&actions, socketDescriptor + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        return try spawn(program, actions: &actions, attributes: &attributes)
    }

    private static func spawn(
        _ program: HostProgram, actions: inout posix_spawn_file_actions_t, attributes: inout posix_spawnattr_t
    ) throws(HostFailure) -> pid_t {
        var processID: pid_t = 0
        let arguments = strings(["realmshift", "host"])
        let variables = strings(environment)
        defer { for string in arguments + variables { free(string) } }
        let result = posix_spawn(&processID, program.executable, &actions, &attributes, arguments, variables)
        guard result == 0 else { throw .notStarted(program: program.path, errno: result) }
        return processID
    }

    /// Strings of C behind a final null, to be freed.
    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
