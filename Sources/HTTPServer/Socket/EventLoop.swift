import CEpoll
import Dispatch
import Glibc
import Threads

/// A thread that hears of what happens on its connections.
final class EventLoop: @unchecked Sendable {
    // All but `mailbox` and `ended` is the thread's own.

    private struct Mailbox {
        var posted: [Connection] = []
        var arrived: [Arrival] = []
        var isDraining = false
        var isStopping = false
        /// Whether nobody reads any more.
        var isClosed = false
    }

    /// Deadlines are looked at no more often than this.
    private static let tick = Duration.milliseconds(50)
    /// And no less often.
    private static let longestSleep = Duration.seconds(1)

    private let core: ServerCore
    private let epoll: Int32
    private let bell: Int32
    private let mailbox = Mutex(Mailbox())
    private let ended = DispatchSemaphore(value: 0)
    private var listener: Listener?
    private var connections: [Int32: Connection] = [:]
    private var nextLook = ContinuousClock.now
    private var lastLook = ContinuousClock.now
    /// Takes what is received on this thread.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(core: ServerCore) throws(HTTPError) {
        self.core = core
        epoll = realmshift_epoll_create()
        bell = realmshift_eventfd()
        guard epoll >= 0, bell >= 0, realmshift_epoll_add(epoll, bell, realmshift_epollin) == 0 else {
            throw .cannotListen(reason: String(cString: strerror(errno)))
        }
    }

    deinit {
        close(epoll)
        close(bell)
        buffer.deallocate()
    }

    /// Starts the thread.
    ///
    /// - Parameter listener: a socket whose connections this loop accepts and gives to all of them.
    func start(_ listener: Listener?) {
        self.listener = listener
        PlainThread.start("http-loop", stackBytes: 1 << 20) { [self] in run() }
    }

    // MARK: From any thread

    /// Has a connection go on.
    func post(_ connection: Connection) { post { $0.posted.append(connection) } }

    /// Takes a socket that was accepted.
    func take(_ arrival: Arrival) { post { $0.arrived.append(arrival) } }

    /// Takes no further request, and has those that sleep come to an end.
    func drain() { post { $0.isDraining = true } }

    /// Ends the connections that are left, and the thread, and waits for that.
    func stop() {
        post { $0.isStopping = true }
        ended.wait()
    }

    private func post(_ change: (inout Mailbox) -> Void) {
        let isFirst = mailbox.withLock { mailbox in
            // Who comes too late is let go of, and closes with its last reference.
            guard !mailbox.isClosed else { return false }
            let isEmpty = mailbox.posted.isEmpty && mailbox.arrived.isEmpty
            change(&mailbox)
            return isEmpty
        }
        if isFirst { ring() }
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: From this thread

    /// Makes a deadline known.
    func isDue(at deadline: ContinuousClock.Instant) { nextLook = min(nextLook, deadline) }

    /// Lets go of a connection; its descriptor closes with it.
    func forget(_ connection: Connection) {
        guard connections.removeValue(forKey: connection.transport.descriptor) != nil else { return }
        _ = realmshift_epoll_remove(epoll, connection.transport.descriptor)
        core.connectionEnded(connection.peer)
        listener?.resume(on: epoll)
    }

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        listener?.resume(on: epoll)
        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), timeout)
            for event in events[..<max(0, Int(count))] { happened(event) }
            guard readMail() else { break }
            lookAtDeadlines()
        }
        ended.signal()
    }

    private var timeout: Int32 {
        let left = max(nextLook, lastLook + Self.tick) - .now
        return Int32(max(0, min(left, Self.longestSleep) / .milliseconds(1)).rounded(.up))
    }

    private func happened(_ event: epoll_event) {
        let descriptor = event.data.fd
        if descriptor == bell {
            var count: UInt64 = 0
            _ = read(bell, &count, MemoryLayout<UInt64>.size)
        } else if descriptor == listener?.descriptor {
            accept()
        } else if let connection = connections[descriptor] {
            let gone = realmshift_epollrdhup | realmshift_epollhup | realmshift_epollerr
            // TLS may have to write in order to read.
            connection.happened([.readable, .writable], isPeerGone: event.events & gone != 0)
        }
    }

    private func accept() {
        guard let listener else { return }
        while core.mayAccept {
            let descriptor = realmshift_accept(listener.descriptor)
            guard descriptor >= 0 else {
                // Without descriptors, new connections wait until others end or some time has passed.
                if errno == EMFILE || errno == ENFILE { listener.pause(on: epoll) }
                return
            }
            let peer = core.peer(of: descriptor)
            if core.admit(peer) { core.connectionBegan(descriptor, peer) } else { close(descriptor) }
        }
        listener.pause(on: epoll)
    }

    private func begin(_ arrival: Arrival) {
        let descriptor = arrival.descriptor
        guard let transport = core.transport(descriptor) else {
            close(descriptor)
            return core.connectionEnded(arrival.peer)
        }
        let connection = Connection(transport, peer: arrival.peer, core: core, loop: self)
        let events = realmshift_epollin | realmshift_epollout | realmshift_epollrdhup | realmshift_epollet
        guard realmshift_epoll_add(epoll, descriptor, events) == 0 else { return core.connectionEnded(arrival.peer) }
        connections[descriptor] = connection
        connection.goOn()
    }

    private func readMail() -> Bool {
        let mail = mailbox.withLock { mailbox in
            defer { mailbox = Mailbox(isClosed: mailbox.isStopping) }
            return mailbox
        }
        for arrival in mail.arrived { begin(arrival) }
        for connection in mail.posted { connection.goOn() }
        if mail.isDraining {
            listener?.pause(on: epoll)
            listener = nil
            for connection in Array(connections.values) { connection.happened(.draining, isPeerGone: false) }
        }
        if mail.isStopping { for connection in Array(connections.values) { connection.abandon() } }
        return !mail.isStopping
    }

    private func lookAtDeadlines() {
        let now = ContinuousClock.now
        guard now >= nextLook, now >= lastLook + Self.tick else { return }
        lastLook = now
        nextLook = now + Self.longestSleep
        var due: [Connection] = []
        for connection in connections.values {
            guard let deadline = connection.deadline else { continue }
            if deadline <= now { due.append(connection) } else { isDue(at: deadline) }
        }
        for connection in due { connection.goOn() }
        listener?.resume(on: epoll)
    }
}

/// A listening socket that can be left alone for a while.
final class Listener {
    let descriptor: Int32
    private var isWatched = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func resume(on epoll: Int32) {
        guard !isWatched else { return }
        isWatched = realmshift_epoll_add(epoll, descriptor, realmshift_epollin) == 0
    }

    func pause(on epoll: Int32) {
        guard isWatched else { return }
        _ = realmshift_epoll_remove(epoll, descriptor)
        isWatched = false
    }
}
