import Threads

/// Whose requests are counted together when workers are shared out: those of one API key, for instance.
public struct HTTPClient: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Names a client by 16 bytes; others have others.
    public init(_ bytes: [UInt8]) {
        func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        (high, low) = (word(bytes.prefix(8)), word(bytes.dropFirst(8).prefix(8)))
    }
}

/// The work of a pool, a line for each client: which of it may be on a thread, and in which order.
///
/// No work is interrupted: a thread that is taken is to be had when its work ends, and not before. So a client begins more only
/// while more threads are free than it has: one alone gets half of them, two come to a third each, N to an N + 1st part. A
/// client that has none takes any that is free, and where none is, a spare one. So the first work of a client waits
/// for no other client's while fewer of those are at work than there are spare threads.
struct WorkerLine {
    struct Piece {
        let client: HTTPClient?
        let work: WorkerPool.Work
        let since: ContinuousClock.Instant
    }

    private struct Lane {
        var waiting = Queue<Piece>()
        var begun = 0
    }

    /// Threads for all clients.
    private let limit: Int
    /// Further ones, for clients that have none.
    private let spare: Int
    private let queueLimit: Int
    private var lanes: [HTTPClient?: Lane] = [:]
    /// Those who have work waiting; who stands first has waited longest for a turn.
    private var turns: [HTTPClient?] = []
    private var waiting = 0
    /// Work that a thread is to take.
    private var ready = Queue<Piece>()
    /// Pieces that are ready or on a thread.
    private(set) var begun = 0
    var threads = 0

    init(limit: Int, spare: Int, queueLimit: Int) {
        (self.limit, self.spare, self.queueLimit) = (limit, spare, queueLimit)
    }

    /// Adds work; false where there is too much, of all clients or of this one.
    mutating func append(_ work: @escaping WorkerPool.Work, for client: HTTPClient?) -> Bool {
        guard waiting < queueLimit else { return false }
        let lane = lanes[client]?.waiting.count ?? 0
        guard client == nil || lane < max(1, queueLimit / 2) else { return false }
        lanes[client, default: Lane()].waiting.append(Piece(client: client, work: work, since: .now))
        waiting += 1
        if lane == 0 { turns.append(client) }
        begin()
        return true
    }

    /// Takes work that a thread is to do now; the thread says `ended`.
    mutating func next() -> Piece? { ready.popFirst() }

    /// A thread is done with a client's work, and there may be other work to take: one piece at most.
    mutating func ended(_ client: HTTPClient?) {
        begun -= 1
        leave(client)
        begin()
    }

    /// Has a thread that does one client's work go on with another's; false where any work waits, or that client may not begin.
    mutating func move(from client: HTTPClient?, to next: HTTPClient) -> Bool {
        begun -= 1
        defer { begun += 1 }
        guard waiting == 0, mayBegin(next) else { return false }
        lanes[next, default: Lane()].begun += 1
        leave(client)
        return true
    }

    private mutating func leave(_ client: HTTPClient?) {
        lanes[client]?.begun -= 1
        if let lane = lanes[client], lane.begun == 0, lane.waiting.isEmpty { lanes[client] = nil }
    }

    /// Since when work has waited whose client has none on a thread; nil where there is none.
    var oldest: ContinuousClock.Instant? {
        let first = turns.filter { share(of: $0) == 0 }.map { lanes[$0]?.waiting.first }
        return (first + [ready.first]).compactMap { $0?.since }.min()
    }

    /// Has threads take what they may.
    private mutating func begin() {
        while let place = turns.indices.min(by: { share(of: turns[$0]) < share(of: turns[$1]) }),
            mayBegin(turns[place]), let piece = lanes[turns[place]]?.waiting.popFirst()
        {
            let client = turns.remove(at: place)
            lanes[client]?.begun += 1
            begun += 1
            waiting -= 1
            ready.append(piece)
            if lanes[client]?.waiting.isEmpty == false { turns.append(client) }
        }
    }

    private func mayBegin(_ client: HTTPClient?) -> Bool {
        let share = share(of: client)
        return share == 0 ? begun < limit + spare : begun + share < limit
    }

    /// The threads that count as a client's; the server's own work has no share, and comes first.
    private func share(of client: HTTPClient?) -> Int { client == nil ? 0 : lanes[client]?.begun ?? 0 }
}

/// A queue: first in, first out.
private struct Queue<Element> {
    private var elements: [Element] = []
    private var start = 0

    var count: Int { elements.count - start }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : elements[start] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard let element = first else { return nil }
        start += 1
        // Elements that were taken are removed in runs, so that taking stays cheap and the queue short.
        if start == elements.count || start >= 256 {
            elements.removeFirst(start)
            start = 0
        }
        return element
    }
}
