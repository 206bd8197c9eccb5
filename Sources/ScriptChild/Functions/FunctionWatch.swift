import CJavaScriptCore
import Dispatch
import Glibc
import Sandbox
import Threads

/// Sees from a thread of its own that a function takes too long for one object.
///
/// The world writes the row that is its turn into memory that this reads: nothing that is called for each object could be
/// as cheap, and nothing inside a function that loops could tell which object it was.
final class FunctionWatch: Sendable {
    private static let intervalMicroseconds: UInt32 = 10_000

    // Never freed: worlds that are over may still be in the collector's hands.
    nonisolated(unsafe) private static let cell: UnsafeMutablePointer<Int32> = {
        let cell = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        cell.initialize(to: 0)
        return cell
    }()

    /// The watched processor time: a thread's, for each row.
    private struct Watched {
        let clock: clockid_t
        let seconds: Double
        let exceeded: @Sendable (_ row: Int) -> Void
    }

    private struct State {
        var watched: Watched?
        var hasThread = false
    }

    private let state = Mutex(State())
    private let started = DispatchSemaphore(value: 0)

    /// The memory as an Int32Array of one number: the row that is its turn, from 1; 0 between rows.
    func makeTypedArray(in context: JavaScriptContext) throws -> JSObjectRef {
        Self.cell.pointee = 0
        var exception: JSValueRef?
        let array = JSObjectMakeTypedArrayWithBytesNoCopy(
            context.reference, kJSTypedArrayTypeInt32Array, Self.cell, MemoryLayout<Int32>.stride, { _, _ in }, nil,
            &exception)
        return try context.checked(array, exception)
    }

    /// Begins to watch the calling thread.
    ///
    /// - Parameter exceeded: called once, from the watching thread, with a row that took longer.
    func start(secondsPerObject: Double, exceeded: @escaping @Sendable (_ row: Int) -> Void) {
        var clock = clockid_t()
        guard pthread_getcpuclockid(pthread_self(), &clock) == 0 else { return }
        let isNew = state.withLock { [clock] state in
            defer { state.hasThread = true }
            state.watched = Watched(clock: clock, seconds: secondsPerObject, exceeded: exceeded)
            return !state.hasThread
        }
        started.signal()
        if isNew { PlainThread.start(stackBytes: 128 << 10) { [self] in watch() } }
    }

    /// Ends watching.
    func stop() {
        state.withLock { $0.watched = nil }
    }

    private func watch() {
        while true {
            started.wait()
            var row: Int32 = 0
            var since = 0.0
            while let watched = state.withLock({ $0.watched }) {
                let (current, now) = (Self.cell.pointee, Self.seconds(of: watched.clock))
                if current != row || current == 0 {
                    (row, since) = (current, now)
                } else if now - since > watched.seconds {
                    stop()
                    watched.exceeded(Int(row) - 1)
                }
                usleep(Self.intervalMicroseconds)
            }
        }
    }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
