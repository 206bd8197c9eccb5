import CJavaScriptCore
import Dispatch
import Glibc
import Sandbox
import Threads

/// The processor time that the thread of a script has used, in memory that the script's world reads for nothing.
///
/// By the processor, because a busy machine makes all waits long.
final class ProcessorClock: Sendable {
    /// How long a regular expression may find nothing without being mistrusted, in milliseconds.
    ///
    /// JavaScriptCore gives up after 100 million steps, of which each takes more than four nanoseconds.
    static let patienceMilliseconds = 100
    /// How long a regular expression may take for one text without being told of, in milliseconds: some of the clock's steps.
    static let slowMilliseconds = 50
    private static let intervalMicroseconds: UInt32 = 10_000

    // Never freed: worlds that are over may still be in the collector's hands.
    nonisolated(unsafe) private static let cell: UnsafeMutablePointer<Int32> = {
        let cell = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        cell.initialize(to: 0)
        return cell
    }()

    /// Whose time is written.
    private struct State {
        var thread: clockid_t?
        var hasThread = false
    }

    private let ticked: @Sendable () -> Void
    private let state = Mutex(State())
    private let started = DispatchSemaphore(value: 0)

    /// - Parameter ticked: called by the clock's thread at each step.
    init(ticked: @escaping @Sendable () -> Void) {
        self.ticked = ticked
    }

    /// Processor time that this thread has used, in milliseconds.
    static var milliseconds: Double { milliseconds(of: CLOCK_THREAD_CPUTIME_ID) }

    /// The memory as an Int32Array of one number of milliseconds.
    static func makeTypedArray(in context: JavaScriptContext) throws -> JSObjectRef {
        var exception: JSValueRef?
        let array = JSObjectMakeTypedArrayWithBytesNoCopy(
            context.reference, kJSTypedArrayTypeInt32Array, cell, MemoryLayout<Int32>.stride, { _, _ in }, nil,
            &exception)
        return try context.checked(array, exception)
    }

    /// Begins to write the time of the calling thread.
    ///
    /// The thread that does so is made for the first script and waits between them: a small migration is over before a
    /// new one would run.
    func start() {
        var clock = clockid_t()
        guard pthread_getcpuclockid(pthread_self(), &clock) == 0 else { return }
        let isNew = state.withLock { [clock] state in
            defer { state.hasThread = true }
            state.thread = clock
            return !state.hasThread
        }
        started.signal()
        if isNew { PlainThread.start(stackBytes: 128 << 10) { [self] in write() } }
    }

    /// Stops writing, soon.
    func stop() {
        state.withLock { $0.thread = nil }
    }

    private func write() {
        while true {
            started.wait()
            while let clock = state.withLock({ $0.thread }) {
                Self.cell.pointee = Int32(truncatingIfNeeded: Int(Self.milliseconds(of: clock)))
                usleep(Self.intervalMicroseconds)
                ticked()
            }
        }
    }

    private static func milliseconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
