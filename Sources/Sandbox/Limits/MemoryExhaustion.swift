import Glibc

/// Tells how much memory a host has taken, and a host that died for want of memory from one that died of a fault.
///
/// JavaScriptCore and Swift end the process by a trap where an allocation fails that they can't do without. The
/// resource usage that a parent gets of a child can't tell: its peak includes the parent's own memory at the spawn. So
/// the host looks itself, in the handler of the trap, by nothing but a read and an exit.
public enum MemoryExhaustion {
    /// The exit code of a host whose memory had run out.
    static let exitCode: Int32 = 77

    private static let signals = [SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS]

    // The handler's values: it may neither allocate nor initialise anything.
    nonisolated(unsafe) private static var descriptor: Int32 = -1
    nonisolated(unsafe) private static var idleBytes = 0
    nonisolated(unsafe) private static var threshold = 0
    nonisolated(unsafe) private static var pageBytes = 0
    nonisolated(unsafe) private static var buffer: UnsafeMutablePointer<UInt8>?
    private static let bufferBytes = 256

    /// Installs the handler; to be called before the process is locked, once its limit is known.
    ///
    /// - Parameters:
    ///   - idleBytes: private writable memory of the process now.
    ///   - limitBytes: the most that it may have.
    static func watch(idleBytes: Int, limitBytes: Int) {
        descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        pageBytes = sysconf(Int32(_SC_PAGESIZE))
        Self.idleBytes = idleBytes
        // The allocation that failed may have asked for several times what was taken before.
        threshold = idleBytes + (limitBytes - idleBytes) / 4
        buffer = .allocate(capacity: bufferBytes)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in MemoryExhaustion.endIfExhausted() }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        for signal in signals { sigaction(signal, &action, nil) }
    }

    /// Private writable memory that the process has now beyond what it had when the watch began.
    public static var growthBytes: Int { takenBytes() - idleBytes }

    /// Ends the process with `exitCode` where much memory is taken; else the signal strikes again and ends it itself.
    private static func endIfExhausted() {
        if takenBytes() >= threshold { _exit(exitCode) }
    }

    private static func takenBytes() -> Int {
        guard let buffer else { return 0 }
        let count = pread(descriptor, buffer, bufferBytes, 0)
        // The sixth field: pages of data and stack.
        var field = 0
        var pages = 0
        var index = 0
        while index < count, field < 6 {
            let digit = buffer[index] &- 48
            if digit > 9 {
                field += 1
            } else if field == 5 {
                pages = pages &* 10 &+ Int(digit)
            }
            index += 1
        }
        return pages &* pageBytes
    }
}
