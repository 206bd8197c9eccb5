/// Threads that are started together and waited for.
public final class ThreadGroup: Sendable {
    private let running = Monitor(0)

    /// Makes a group without threads.
    public init() {}

    /// Runs a body on a thread of its own.
    public func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        running.withLock { $0 += 1 }
        // The engine's recursion follows the nesting of values.
        PlainThread.start(name, stackBytes: 8 << 20) { [running] in
            body()
            running.change { $0 -= 1 }
        }
    }

    /// Waits until all threads have ended; false where the time is over first.
    @discardableResult
    public func wait(timeout: Duration) -> Bool { running.wait(timeout: timeout) { $0 == 0 } }
}
