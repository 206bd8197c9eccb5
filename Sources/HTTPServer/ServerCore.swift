import Dispatch
import Glibc
import struct Synchronization.Atomic
import Threads

/// The parts that the connections of one server share.
final class ServerCore: @unchecked Sendable {
    // `loops` is set once, before there is a connection; what changes is atomic or under a lock.
    let handler: any HTTPHandler
    let patience: Patience
    private(set) var loops: [EventLoop] = []
    private let files: HTTPServerConfiguration.TLS?
    private let tls: Mutex<TLSContext?>
    private let connectionLimit: Int
    private let peerLimit: Int?
    /// Connections of each peer, where they are limited.
    private let peers = Mutex<[Peer: Int]>([:])
    let held: HeldBytes
    private let workers: WorkerPool
    /// Tells the handler of requests that ended on a loop, which must not wait for a log.
    private let reporter: WorkerPool
    private let connections = Atomic(0)
    private let accepted = Atomic(0)
    private let requests = Atomic(0)
    private let draining = Atomic(false)
    private let quiet = DispatchSemaphore(value: 0)
    private let clock = Mutex((second: -1, text: ""))

    init(handler: any HTTPHandler, configuration: HTTPServerConfiguration) throws(HTTPError) {
        self.handler = handler
        patience = configuration.patience
        files = configuration.tls
        tls = Mutex(try files.map { files throws(HTTPError) in try TLSContext(files) })
        connectionLimit = max(1, configuration.connections)
        peerLimit = configuration.connectionsPerPeer.map { max(1, $0) }
        held = HeldBytes(limit: configuration.heldBytes)
        workers = WorkerPool(
            name: "http-worker", limit: max(1, configuration.workers), spare: max(1, configuration.workers / 2),
            queueLimit: configuration.queueLimit)
        reporter = WorkerPool(name: "http-reporter", limit: 1, queueLimit: .max)
        for _ in 0..<max(1, configuration.eventThreads) { loops.append(try EventLoop(core: self)) }
    }

    /// The time as `Date` has it.
    var date: String {
        let second = time(nil)
        return clock.withLock { clock in
            if clock.second != second { clock = (second, HTTPDate.text(second)) }
            return clock.text
        }
    }

    /// Runs work on a worker, later where all are busy that its client may have; false where too much waits.
    func submit(for client: HTTPClient? = nil, _ work: @escaping WorkerPool.Work) -> Bool {
        workers.submit(for: client, work)
    }

    /// How long a request has waited for a worker, of those that wait for more than their own client's others.
    var longestWait: Duration { workers.longestWait }

    // MARK: Connections

    /// Counts a connection of a peer that is limited; false where it has as many as it may have.
    func admit(_ peer: Peer?) -> Bool {
        guard let peer, let peerLimit else { return true }
        return peers.withLock { peers in
            guard peers[peer, default: 0] < peerLimit else { return false }
            peers[peer, default: 0] += 1
            return true
        }
    }

    /// Who is at the other side of a connection; nil where nobody counts.
    func peer(of descriptor: Int32) -> Peer? { peerLimit == nil ? nil : Peer(of: descriptor) }

    /// Whether there may be another connection.
    var mayAccept: Bool { connections.load(ordering: .relaxed) < connectionLimit && !isDraining }

    /// Gives a new connection to one loop after another.
    func connectionBegan(_ descriptor: Int32, _ peer: Peer?) {
        connections.add(1, ordering: .relaxed)
        let number = accepted.add(1, ordering: .relaxed).oldValue
        loops[number % loops.count].take(Arrival(descriptor: descriptor, peer: peer))
    }

    func connectionEnded(_ peer: Peer?) {
        connections.subtract(1, ordering: .relaxed)
        guard let peer else { return }
        peers.withLock { peers in
            let left = peers[peer, default: 1] - 1
            peers[peer] = left > 0 ? left : nil
        }
    }

    /// A connection's socket, with TLS where the server speaks that.
    func transport(_ descriptor: Int32) -> Transport? {
        guard let tls = tls.withLock({ $0 }) else { return Transport(descriptor: descriptor, session: nil) }
        return tls.session(descriptor).map { Transport(descriptor: descriptor, session: $0) }
    }

    /// Reads the certificate again; sessions that there are keep theirs.
    func reloadCertificate() throws(HTTPError) {
        guard let files else { return }
        let read = try TLSContext(files)
        tls.withLock { $0 = read }
    }

    // MARK: Requests

    func began() { requests.add(1, ordering: .sequentiallyConsistent) }

    /// Tells the handler of a request that ended, and lets go of what it has: neither on a loop, since a log and the end
    /// of a large file may block.
    func ended(_ request: ActiveRequest, isOnLoop: Bool) {
        let access = request.access
        if isOnLoop {
            _ = reporter.submit { [handler] _ in
                handler.completed(access)
                withExtendedLifetime(request) {}
            }
        } else {
            handler.completed(access)
        }
        let left = requests.subtract(1, ordering: .sequentiallyConsistent).newValue
        if left == 0 && isDraining { quiet.signal() }
    }

    // MARK: Stopping

    /// Whether the server stops and takes no new connections.
    var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

    /// Asks handlers to come to an end, and waits until no request is left or a time has passed.
    func drain(within patience: Duration) {
        let deadline = DispatchTime.now() + patience / .seconds(1)
        draining.store(true, ordering: .sequentiallyConsistent)
        for loop in loops { loop.drain() }
        while requests.load(ordering: .sequentiallyConsistent) > 0 {
            guard quiet.wait(timeout: deadline) == .success else { return }
        }
    }

    /// Ends what is left.
    func stop() {
        for loop in loops { loop.stop() }
        loops = []
    }
}
