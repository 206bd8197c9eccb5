import CThreads
import Glibc

/// Threads of POSIX: Foundation's make system calls that a locked script host may not, and programs link its essentials alone.
public enum PlainThread {
    private final class Body {
        let name: String?
        let run: @Sendable () -> Void

        init(_ name: String?, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
    }

    /// Names the thread that calls this, and with the first one the process, for tools; 15 bytes are kept.
    public static func nameCurrent(_ name: String) { realmshift_name_thread(name) }

    /// Runs a body on a new thread, for which nobody waits.
    ///
    /// - Parameters:
    ///   - name: what tools show of it, 15 bytes of it at most; nil in a locked host, which may not name threads.
    ///   - stackBytes: what counts against a host's memory, used or not.
    public static func start(_ name: String? = nil, stackBytes: Int, _ run: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackBytes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let body = Unmanaged.passRetained(Body(name, run))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                if let name = body.name { PlainThread.nameCurrent(name) }
                body.run()
                return nil
            }, body.toOpaque())
        pthread_attr_destroy(&attributes)
        // A thread that can't be had is memory that can't: whoever waits for what it does would wait for ever.
        precondition(result == 0, "A thread can't be started.")
    }
}
