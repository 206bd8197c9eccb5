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

/// The work that waits for a pool's threads, a line for each client, and how many threads each has.
struct WorkerLine {
    struct Piece {
        let client: HTTPClient?
        let work: WorkerPool.Work
        let since: ContinuousClock.Instant
    }

    private struct Lane {
        var waiting = Queue<Piece>()
        var running = 0
        /// Whether it stands among those whose turn comes.
        var isInTurn = false
    }

    /// Threads that one client may have.
    private let share: Int
    private let queueLimit: Int
    private var lanes: [HTTPClient?: Lane] = [:]
    /// Those who have work that may begin, in the order of their turns.
    private var turns = Queue<HTTPClient?>()
    private var waiting = 0
    /// Pieces that could begin now if there were threads enough.
    private(set) var startable = 0
    var threads = 0
    var idle = 0

    init(share: Int, queueLimit: Int) {
        (self.share, self.queueLimit) = (share, queueLimit)
    }

    /// Adds work; false where there is too much, of all clients or of this one.
    mutating func append(_ work: @escaping WorkerPool.Work, for client: HTTPClient?) -> Bool {
        guard waiting < queueLimit else { return false }
        var lane = lanes.removeValue(forKey: client) ?? Lane()
        defer { keep(lane, of: client) }
        guard client == nil || lane.waiting.count < max(1, queueLimit / 2) else { return false }
        if lane.running + lane.waiting.count < share(of: client) { startable += 1 }
        lane.waiting.append(Piece(client: client, work: work, since: .now))
        waiting += 1
        return true
    }

    /// Takes the work whose turn it is; the thread that does it says `ended`.
    mutating func next() -> Piece? {
        guard let client = turns.popFirst(), var lane = lanes.removeValue(forKey: client) else { return nil }
        defer { keep(lane, of: client) }
        lane.isInTurn = false
        guard let piece = lane.waiting.popFirst() else { return nil }
        lane.running += 1
        waiting -= 1
        startable -= 1
        return piece
    }

    /// A thread is done with a client's work.
    mutating func ended(_ client: HTTPClient?) {
        guard var lane = lanes.removeValue(forKey: client) else { return }
        if lane.running + lane.waiting.count > share(of: client) { startable += 1 }
        lane.running -= 1
        keep(lane, of: client)
    }

    /// Since when the work has waited that is next; nil where none may begin.
    var oldest: ContinuousClock.Instant? { turns.first.flatMap { lanes[$0]?.waiting.first?.since } }

    /// Puts a lane back, gives it a turn where it may have one, and forgets it where nothing is left of it.
    private mutating func keep(_ lane: Lane, of client: HTTPClient?) {
        var lane = lane
        if !lane.isInTurn, lane.running < share(of: client), !lane.waiting.isEmpty {
            lane.isInTurn = true
            turns.append(client)
        }
        if lane.running > 0 || !lane.waiting.isEmpty { lanes[client] = lane }
    }

    private func share(of client: HTTPClient?) -> Int { client == nil ? .max : share }
}

/// What comes first goes first.
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
        // What was taken is let go in runs, so that taking stays cheap and the queue short.
        if start == elements.count || start >= 256 {
            elements.removeFirst(start)
            start = 0
        }
        return element
    }
}
