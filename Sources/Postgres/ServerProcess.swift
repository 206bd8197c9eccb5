import Glibc
import Threads

/// A child process that ends when this process ends, watched by a thread of its own.
///
/// The thread spawns the child and waits for it: the kernel sends the signal of `PR_SET_PDEATHSIG` when the *thread* that
/// spawned ends, so it has to be one that lasts as long as the child.
final class ServerProcess: Sendable {
    private enum State {
        case starting
        case running(pid_t)
        case ended(status: Int32)
        case failed(code: Int32)
    }

    private static let stackBytes = 1 << 19

    private let state = Monitor(State.starting)

    /// Starts a program and returns when it is running.
    ///
    /// - Parameters:
    ///   - arguments: the program's path and its arguments.
    ///   - log: a file that takes standard output and standard error.
    /// - Throws: `PostgresError` where there is no such program.
    init(_ arguments: [String], log: String) throws(PostgresError) {
        PlainThread.start("postgres", stackBytes: Self.stackBytes) { [self] in
            var pid: pid_t = 0
            let code = Self.spawn(&pid, arguments, log: log)
            guard code == 0 else { return state.change { $0 = .failed(code: code) } }
            state.change { $0 = .running(pid) }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) == -1, errno == EINTR {}
            state.change { $0 = .ended(status: status) }
        }
        let failure = state.wait { state -> Int32?? in
            switch state {
            case .starting: nil
            case .failed(let code): .some(code)
            case .running, .ended: .some(nil)
            }
        }
        if let code = failure {
            throw PostgresError(
                sqlState: "58030", message: "\(arguments[0]) can't be started: \(String(cString: strerror(code))).")
        }
    }

    /// The process's id; nil when it has ended.
    var processID: pid_t? {
        state.withLock { if case .running(let pid) = $0 { pid } else { nil } }
    }

    /// Sends a signal, unless the process has ended.
    func send(_ signal: Int32) {
        state.withLock { if case .running(let pid) = $0 { _ = kill(pid, signal) } }
    }

    /// Waits for the end: the status of `waitpid`, nil where the time is over first.
    func waitForEnd(timeout: Duration) -> Int32? {
        state.wait(timeout: timeout) { if case .ended(let status) = $0 { status } else { nil } }
    }

    private static func spawn(_ pid: inout pid_t, _ arguments: [String], log: String) -> Int32 {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&files, 1, 2)

        // A group of its own: an interrupt from the terminal is for this program, which then stops the server in order.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        let strings = arguments.map { strdup($0) }
        defer { for string in strings { free(string) } }
        return posix_spawn(&pid, arguments[0], &files, &attributes, strings + [nil], environ)
    }
}
