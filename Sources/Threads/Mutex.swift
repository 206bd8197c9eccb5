#if THREAD_SANITIZER
    import Glibc

    /// A value under a lock that the thread sanitizer knows: it does not see the one of `Synchronization` on Linux, and takes
    /// all that is done under it for races.
    public final class Mutex<Value>: @unchecked Sendable {
        // Sendable because `value` is touched by the thread alone that has the mutex.
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private var value: Value

        /// Guards a value.
        public init(_ value: consuming sending Value) {
            self.value = value
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        /// Looks at the value, or changes it.
        public func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value)
        }
    }
#else
    import Synchronization

    /// A value under a lock.
    public typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif
