import Glibc

/// A value under a lock, for which threads can wait until it is as they want it.
///
/// Waits are measured by a clock that nobody sets.
public final class Monitor<State>: @unchecked Sendable {
    // Sendable because `state` is touched by the thread alone that has the mutex.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    /// Whom a change wakes.
    public enum Waking: Sendable {
        /// One thread that waits: all wait for the same, and the change is enough for one.
        case one
        /// All threads that wait.
        case all
    }

    /// Guards a value.
    public init(_ state: sending State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Looks at the value, or changes it in a way that nobody waits for.
    public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the value and has those who wait look at it.
    public func change<Result>(waking: Waking = .all, _ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            switch waking {
            case .one: pthread_cond_signal(condition)
            case .all: pthread_cond_broadcast(condition)
            }
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until the value gives something.
    ///
    /// - Parameter take: called at once and after changes; nil to go on waiting. It may change the value, which wakes nobody.
    public func wait<Result>(_ take: (inout State) throws -> Result?) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = try take(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Waits until the value gives something, for some time at most.
    ///
    /// - Parameter take: called at once, after changes, and at the end of the time.
    /// - Returns: nil where the value gave nothing in that time.
    public func wait<Result>(
        timeout: Duration, _ take: (inout State) throws -> Result?
    ) rethrows -> Result? {
        var deadline = Self.deadline(after: timeout)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = try take(&state) { return result }
            guard pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT else { return try take(&state) }
        }
    }

    /// Waits until the value is as it should be, for some time at most.
    ///
    /// - Returns: whether it is.
    @discardableResult
    public func wait(timeout: Duration, until isReady: (State) throws -> Bool) rethrows -> Bool {
        try wait(timeout: timeout) { try isReady($0) ? true : nil } ?? false
    }

    private static func deadline(after timeout: Duration) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        // A year is as good as for ever, and fits.
        let timeout = min(max(timeout, .zero), .seconds(365 * 86_400))
        let nanoseconds = now.tv_nsec + Int(timeout.components.attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(timeout.components.seconds) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000)
    }
}
