import Glibc

/// Waits for the signals that are for the whole service.
///
/// A handler writes the signal into a pipe, and the main thread reads it: children inherit neither a blocked nor an ignored
/// signal that way.
enum ServiceSignals {
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    nonisolated(unsafe) private static var readEnd: Int32 = -1

    /// Catches SIGTERM, SIGINT and SIGHUP from now on; called once, before any thread is started.
    static func prepare() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            var byte = UInt8(truncatingIfNeeded: signal)
            _ = Glibc.write(ServiceSignals.writeEnd, &byte, 1)
        }
        action.sa_flags = SA_RESTART
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaction(signal, &action, nil) }
    }

    /// Waits a moment, and tells whether the service is to end.
    static func isToEnd(within seconds: Int32) -> Bool {
        var ready = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&ready, 1, seconds * 1000) > 0, Glibc.read(readEnd, &byte, 1) == 1 else { return false }
        return Int32(byte) != SIGHUP
    }

    /// Blocks the calling thread until the service is to end.
    ///
    /// - Parameter reload: called at each SIGHUP, which ends nothing.
    static func waitForEnd(reload: () -> Void) {
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(readEnd, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1, Int32(byte) == SIGHUP else { return }
            reload()
        }
    }
}
