import Foundation
import Synchronization

/// What the requests of one server share: the handler, the workers, and the list of those that are not done.
final class ServerCore: @unchecked Sendable {
    // `exchanges` and the two flags are read and written under `condition`; the rest never changes.
    let handler: any HTTPHandler
    let idleTimeoutSeconds: UInt32
    private let workers: WorkerPool
    private let waiters: WorkerPool
    private let condition = NSCondition()
    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    private var draining = false
    private var abandoning = false
    private let resumptions = Atomic(0)

    init(handler: any HTTPHandler, configuration: HTTPServerConfiguration) {
        self.handler = handler
        idleTimeoutSeconds = UInt32(max(0, configuration.idleTimeoutSeconds))
        workers = WorkerPool(
            name: "http-worker", limit: max(1, configuration.workers), queueLimit: configuration.connections)
        waiters = WorkerPool(
            name: "http-waiter", limit: max(1, configuration.waiters), queueLimit: configuration.waiters)
    }

    /// Whether the server stops and takes no new connections.
    var isDraining: Bool { withLock { draining } }

    /// Whether the time is over for requests that are not done.
    var isAbandoning: Bool { withLock { abandoning } }

    /// Notes a request; false where it is too late for any.
    func begin(_ exchange: Exchange) -> Bool {
        withLock {
            guard !abandoning else { return false }
            exchanges[ObjectIdentifier(exchange)] = exchange
            return true
        }
    }

    /// Forgets a request that is done.
    func end(_ exchange: Exchange) {
        withLock {
            exchanges[ObjectIdentifier(exchange)] = nil
            condition.broadcast()
        }
    }

    /// Runs work on a thread of one of the pools; false where too much waits there already.
    func submit(_ execution: HTTPExecution, _ work: @escaping @Sendable () -> Void) -> Bool {
        switch execution {
        case .immediate, .working: workers.submit(work)
        case .waiting: waiters.submit(work)
        }
    }

    /// Asks handlers to come to an end, and waits until no request is left or a time is reached.
    func drain(until deadline: Date) {
        condition.lock()
        defer { condition.unlock() }
        draining = true
        while !exchanges.isEmpty {
            guard condition.wait(until: deadline) else { return }
        }
    }

    /// Runs a body that wakes a connection, which no daemon survives that is stopped meanwhile.
    func resuming(_ body: () -> Void) {
        resumptions.add(1, ordering: .sequentiallyConsistent)
        body()
        resumptions.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// Lets go of every request that a worker still has, so that the daemon may close its connection.
    func abandon() {
        let left = withLock {
            abandoning = true
            return Array(exchanges.values)
        }
        for exchange in left { exchange.abandon() }
        // Those that were being woken just now are soon awake; no other is woken any more.
        while resumptions.load(ordering: .sequentiallyConsistent) > 0 { Thread.sleep(forTimeInterval: 0.001) }
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
