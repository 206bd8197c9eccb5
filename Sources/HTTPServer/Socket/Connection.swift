import Glibc
import Threads

/// One connection: does what its exchange says, on the thread that has it in hand.
///
/// That is the connection's loop, or a worker while something is done that may block. The thread goes on as long as it need
/// not wait for the client: a worker that made a piece of a body also sends it.
final class Connection: @unchecked Sendable {
    // All but `baton` is touched by the one alone that has the connection in hand, which `baton` says.

    /// Who has the connection in hand.
    enum Place {
        case loop
        case worker
    }

    /// Events that came meanwhile, for the thread that has the connection in hand.
    struct News: OptionSet {
        let rawValue: UInt8
        static let readable = News(rawValue: 1)
        static let writable = News(rawValue: 2)
        static let woken = News(rawValue: 4)
        static let draining = News(rawValue: 8)
        static let abandoned = News(rawValue: 16)
    }

    private struct Baton {
        var isWithWorker = false
        var news: News = []
        var isPeerGone = false
    }

    /// The outcome of one action.
    enum Outcome {
        /// There is another.
        case next(Exchange.Action)
        /// Nothing can be done until something happens.
        case blocked
        /// It is to be done by a worker, or by the loop.
        case handOver(Place)
        /// Somebody else has the connection in hand by now.
        case elsewhere
        /// There is no connection any more.
        case closed
    }

    /// Bytes that a worker moves, and the time for which it makes pieces of one answer, before it lets others have their turn.
    private static let turn = (bytes: 16 << 20, time: Duration.milliseconds(100))

    let core: ServerCore
    let loop: EventLoop
    let transport: Transport
    /// Who is counted for it; nil where nobody is.
    let peer: Peer?
    private let baton = Mutex(Baton())

    var exchange: Exchange
    private var action = Exchange.Action.readHead
    private var isPeerGone = false
    var isReadable = true
    var isWritable = true
    /// Bytes that were received and not read.
    var input: [UInt8] = []
    var scanner = RequestHeadScanner()
    var framing: BodyFraming?
    var output = Output()
    /// Whether the output holds what the action says.
    var isComposed = false
    /// Bytes that were moved since the connection changed hands.
    var moved = 0
    /// When a worker last began with it.
    private var turnBegan = ContinuousClock.now
    var request: ActiveRequest?
    /// The share of the worker that has the connection in hand; nil where it is a group's.
    var share: WorkerPool.Share?

    init(_ transport: Transport, peer: Peer?, core: ServerCore, loop: EventLoop) {
        self.transport = transport
        self.peer = peer
        self.core = core
        self.loop = loop
        exchange = Exchange(patience: core.patience, now: .now)
    }

    // MARK: From any thread

    /// Wakes the connection where it sleeps, now or when it next would.
    func wake() { notify(.woken) }

    /// Whether the client closed its side or the server stops.
    var isWaitPointless: Bool { core.isDraining || isAbandoned }

    /// Whether the client closed its side.
    var isAbandoned: Bool { baton.withLock { $0.isPeerGone } }

    /// Tells whoever has the connection in hand.
    func notify(_ news: News) {
        let isLoops = baton.withLock { baton in
            let isNew = !news.isSubset(of: baton.news)
            baton.news.formUnion(news)
            return isNew && !baton.isWithWorker
        }
        if isLoops { loop.post(self) }
    }

    // MARK: From the loop

    /// Notes what the system says, and goes on where no worker has the connection.
    func happened(_ news: News, isPeerGone: Bool) {
        let isMine = baton.withLock { baton in
            baton.news.formUnion(news)
            if isPeerGone { baton.isPeerGone = true }
            return !baton.isWithWorker
        }
        if isMine { run(on: .loop) }
    }

    /// Goes on where no worker has the connection.
    func goOn() {
        if isWithLoop { run(on: .loop) }
    }

    /// When something is due though nothing happens; nil too where a worker has the connection.
    var deadline: ContinuousClock.Instant? { isWithLoop ? exchange.deadline : nil }

    private var isWithLoop: Bool { baton.withLock { !$0.isWithWorker } }

    /// Ends the connection though a worker may still have it; the last reference closes it then.
    func abandon() {
        if isWithLoop {
            action = exchange.abandon()
            run(on: .loop)
        } else {
            notify(.abandoned)
            transport.shutDown()
        }
    }

    // MARK: Going on

    /// Does one thing after another until something has to be waited for.
    func run(on place: Place) {
        while true {
            absorb()
            switch perform(action, on: place) {
            case .next(let next): action = next
            case .blocked: if letGo(place) { return }
            case .handOver(.worker): return handToWorker(from: place)
            case .handOver(.loop): return handToLoop()
            case .elsewhere, .closed: return
            }
        }
    }

    /// Goes on with another action, by a worker that has the connection in hand.
    func run(_ next: Exchange.Action) {
        action = next
        run(on: .worker)
    }

    /// Gives the exchange what happened since it was last asked.
    private func absorb() {
        let news = baton.withLock { baton in
            defer { baton.news = [] }
            isPeerGone = baton.isPeerGone
            return baton.news
        }
        if news.contains(.readable) { isReadable = true }
        if news.contains(.writable) { isWritable = true }
        if news.contains(.draining) { replace(exchange.drain()) }
        if news.contains(.woken) { replace(exchange.woken()) }
        if isPeerGone { replace(exchange.peerClosed()) }
        if news.contains(.abandoned) { replace(exchange.abandon()) }
        if let deadline = exchange.deadline, case let now = ContinuousClock.now, deadline <= now {
            replace(exchange.timePassed(now: now))
        }
    }

    private func replace(_ next: Exchange.Action?) {
        guard let next else { return }
        action = next
        isComposed = false
    }

    /// Waits; false where something happened meanwhile.
    private func letGo(_ place: Place) -> Bool {
        // The loop hears of the next request by itself, and looks at deadlines that are far away once in a while.
        let isLoopToKnow = place == .worker && action != .readHead
        let isQuiet = baton.withLock { baton in
            guard baton.news.isEmpty else { return false }
            baton.isWithWorker = false
            return true
        }
        guard isQuiet else { return false }
        // From here on a worker has the connection no more.
        if isLoopToKnow { loop.post(self) }
        if place == .loop, let deadline = exchange.deadline { loop.isDue(at: deadline) }
        return true
    }

    private func handToWorker(from place: Place) {
        moved = 0
        baton.withLock { $0.isWithWorker = true }
        let isTaken = core.submit(for: request?.route?.client) { [self] share in
            turnBegan = .now
            self.share = share
            run(on: .worker)
        }
        guard !isTaken else { return }
        baton.withLock { $0.isWithWorker = place == .worker }
        // A worker that is there anyway goes on itself.
        if place == .loop { action = refuse(.overloaded) }
        run(on: place)
    }

    private func handToLoop() {
        baton.withLock { $0.isWithWorker = false }
        loop.post(self)
    }

    /// Gives the connection to a group's worker, who calls `run` with an action.
    func lend(_ start: () -> Bool) -> Bool {
        let before = baton.withLock { baton in
            defer { baton.isWithWorker = true }
            return baton.isWithWorker
        }
        if start() { return true }
        baton.withLock { $0.isWithWorker = before }
        return false
    }

    // MARK: Actions

    private func perform(_ action: Exchange.Action, on place: Place) -> Outcome {
        switch action {
        case .readHead:
            endRequest(on: place)
            if place == .loop { return readHead() }
            return isReadable || !input.isEmpty ? .handOver(.loop) : .blocked
        case .decide: return place == .worker ? decide() : .handOver(.worker)
        case .readBody(let givingLeave): return readBody(givingLeave: givingLeave, on: place)
        case .respond: return respond(on: place)
        case .sleep: return .blocked
        case .ask: return place == .worker ? ask() : .handOver(.worker)
        case .produce: return produce(on: place)
        case .sendResponse, .sendPiece, .sendEnd, .sendHeartbeat: return send(action)
        case .refuseSlowness: return .next(refuse(.timedOut))
        case .skipBody:
            endRequest(on: place)
            return place == .loop ? skipBody() : .handOver(.loop)
        case .linger:
            endRequest(on: place)
            return place == .loop ? linger() : .handOver(.loop)
        case .close, .reset:
            endRequest(on: place)
            return place == .loop ? close(resetting: action == .reset) : .handOver(.loop)
        }
    }

    /// Whether a worker has done enough for one client and others are to have their turn.
    func hasHadTurn(_ place: Place) -> Bool {
        place == .worker && (moved >= Self.turn.bytes || .now - turnBegan >= Self.turn.time)
    }

    /// Whether the worker is of the client's share, now that it is known whose request it is; else another is to go on.
    func isOfClientsShare() -> Bool {
        guard let client = request?.route?.client, let share else { return true }
        return share.client == client || share.move(to: client)
    }

    /// Receives some bytes where there may be any.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransportResult {
        guard isReadable else { return .blocked }
        let result = transport.receive(into: buffer)
        switch result {
        case .count(let count):
            // Behind the last bytes of a client that has closed its side there is the end, which is not told of again.
            if count < buffer.count && transport.endsShort && !isPeerGone { isReadable = false }
            moved += count
        case .blocked: isReadable = false
        case .ended, .failed: break
        }
        return result
    }

    private func linger() -> Outcome {
        if !isComposed {
            transport.endSending()
            isComposed = true
            input = []
        }
        while true {
            switch receive(into: loop.buffer) {
            case .count(let count):
                if let next = exchange.bodyCame(count, isAtEnd: false, now: .now) { return .next(next) }
            case .blocked: return .blocked
            case .ended, .failed: return .next(exchange.connectionFailed())
            }
        }
    }

    private func close(resetting: Bool) -> Outcome {
        if resetting { transport.resetOnClose() }
        loop.forget(self)
        return .closed
    }
}
