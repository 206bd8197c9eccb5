import Glibc

/// A thread of the host that ends the process as soon as the parent's end of the socket is closed.
///
/// A script that loops never looks at the socket. The death signal of prctl(2) would follow the thread that spawned the
/// host; this follows the process that holds the socket.
enum ConnectionWatch {
    static func start(descriptor: Int32) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 64 << 10)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        pthread_create(
            &thread, &attributes, { ConnectionWatch.watch($0) }, UnsafeMutableRawPointer(bitPattern: Int(descriptor)))
        pthread_attr_destroy(&attributes)
    }

    private static func watch(_ descriptor: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        var poll = pollfd(fd: Int32(Int(bitPattern: descriptor)), events: 0, revents: 0)
        while true {
            let ready = Glibc.poll(&poll, 1, -1)
            if ready > 0, poll.revents != 0 { _exit(0) }
        }
    }
}
