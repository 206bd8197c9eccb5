import Foundation

/// Waits for the signals that end the service in order.
///
/// A handler writes a byte into a pipe, and the main thread reads it: children inherit neither a blocked nor an ignored
/// signal that way.
enum Termination {
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    nonisolated(unsafe) private static var readEnd: Int32 = -1

    /// Catches SIGTERM and SIGINT from now on; called once, before any thread is started.
    static func prepare() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var byte: UInt8 = 0
            _ = Glibc.write(Termination.writeEnd, &byte, 1)
        }
        action.sa_flags = SA_RESTART
        sigaction(SIGTERM, &action, nil)
        sigaction(SIGINT, &action, nil)
    }

    /// Blocks the calling thread until a signal has come.
    static func wait() {
        var byte: UInt8 = 0
        while Glibc.read(readEnd, &byte, 1) < 0 && errno == EINTR {}
    }
}
