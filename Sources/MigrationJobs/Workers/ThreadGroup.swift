import Foundation

/// Threads that are started together and waited for.
final class ThreadGroup: @unchecked Sendable {
    // Sendable because `running` is under the lock of `condition`.
    private let condition = NSCondition()
    private var running = 0

    /// Runs a body on a thread of its own.
    func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        condition.withLock { running += 1 }
        let thread = Thread { [self] in
            body()
            condition.withLock {
                running -= 1
                condition.broadcast()
            }
        }
        thread.name = name
        // The engine's recursion follows the nesting of values.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Waits until all threads have ended; false where the time is over first.
    @discardableResult
    func wait(timeout: Duration) -> Bool {
        let deadline = Date(timeIntervalSinceNow: timeout / .seconds(1))
        return condition.withLock {
            while running > 0 {
                guard condition.wait(until: deadline) else { return running == 0 }
            }
            return true
        }
    }
}
