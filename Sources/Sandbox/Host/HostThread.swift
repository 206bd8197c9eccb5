import Glibc

/// Threads of a host: by POSIX alone, since Foundation's make system calls that a locked host may not.
public enum HostThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a body on a new thread, for which nobody waits.
    ///
    /// - Parameter stackBytes: what counts against the host's memory, used or not.
    public static func start(stackBytes: Int, _ run: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackBytes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        pthread_attr_destroy(&attributes)
        // A thread that can't be had is memory that can't: the end of the host.
        precondition(result == 0, "A host can't start a thread.")
    }
}
