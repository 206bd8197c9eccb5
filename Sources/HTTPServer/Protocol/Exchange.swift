/// The protocol of one connection, request after request: events go in, actions come out.
///
/// It knows no socket, no thread and no clock. Each function is one event; the action that it gives replaces what was
/// being done, and nil lets that go on. `deadline` says when `timePassed` is due.
struct Exchange {
    typealias Instant = ContinuousClock.Instant

    /// The next action.
    enum Action: Equatable {
        /// Bytes of the next head are to be read.
        case readHead
        /// The way of the request is to be decided where that may block.
        case decide
        /// The body is to be read and kept; first comes the leave to send it where the client waits for that.
        case readBody(givingLeave: Bool)
        /// The handler is to be called with the whole request.
        case respond
        /// Nothing, until the connection is woken.
        case sleep
        /// The handler is to be asked again.
        case ask
        /// The head of the response is to be sent, and a body in memory behind it.
        case sendResponse(ResponseFraming, closes: Bool, withoutBody: Bool)
        /// The next piece of the body is to be made.
        case produce
        /// A piece is to be sent.
        case sendPiece
        /// The end of the body is to be sent.
        case sendEnd
        /// A sign of life is to be sent.
        case sendHeartbeat
        /// The rest of the body is to be read and forgotten.
        case skipBody
        /// The request came too slowly, which is to be answered.
        case refuseSlowness
        /// All was sent: the client is to see the end, and what it still sends is to be forgotten.
        case linger
        /// The connection is to be closed.
        case close
        /// The connection is to be closed so that the client sees that something is missing.
        case reset
    }

    /// The decision about a request, made from its head.
    enum Decision {
        case undecided
        case answer
        case route
    }

    /// The kind of a response.
    enum Shape: Equatable {
        /// Nothing, and no length: 204, 304.
        case none
        /// All of it, of a length.
        case whole(Int)
        /// Made piece by piece.
        case pieces
        /// Made piece by piece whenever there is something; silent for this long at most.
        case live(heartbeat: Duration)
    }

    /// The result of asking for a piece.
    enum Production {
        case piece
        /// There is none yet.
        case nothing
        case end
        case failure
    }

    private enum State: Equatable {
        case idle
        case head
        case deciding
        case receiving
        case responding
        case asleep
        case sending
        case producing
        case dozing
        case beating
        case ending
        case skipping
        case lingering
        case closed
    }

    /// Bytes of a body that are read and forgotten for the sake of a client that reads its answer only after sending.
    static let skipLimit = 64 << 20
    /// For a stranger's body, those that are on their way already when the answer goes out.
    static let strangerSkipLimit = 64 << 10

    private let patience: Patience
    private var state = State.idle
    private var isDraining = false
    /// When `timePassed` is due; nil where nothing waits for the client.
    private(set) var deadline: Instant?

    // State of the request.
    private var isHead = false
    private var isVersion10 = false
    private var expectsContinue = false
    private var closes = false
    private var unread: Unread?
    private var shape = Shape.none
    private var skipLimit = Self.skipLimit
    /// How long the client may keep the answer waiting from `waitingSince` on.
    private var allowance = Duration.zero
    private var waitingSince: Instant

    /// The part of a body that was not read yet.
    private struct Unread {
        var announced: Int?
        var start: Instant
        var count = 0
        var skipped = 0
    }

    init(patience: Patience, now: Instant) {
        self.patience = patience
        waitingSince = now
        // The first head is waited for no longer than for its end.
        deadline = now + patience.head
    }

    /// Whether nothing of a request has come.
    var isIdle: Bool { state == .idle }

    /// Whether the exchange waits for something else than its client.
    var isAsleep: Bool { state == .asleep || state == .dozing }

    /// Whether the last chunk has to follow the pieces.
    var isChunked: Bool { !isVersion10 }

    // MARK: The request

    /// The first bytes of a head came.
    mutating func headBegan(now: Instant) {
        guard state == .idle else { return }
        state = .head
        deadline = now + patience.head
    }

    /// The head is there; what is decided about it comes next.
    mutating func headCame(_ head: ParsedRequestHead, now: Instant) {
        (isHead, isVersion10, expectsContinue) = (head.method == "HEAD", head.isVersion10, head.expectsContinue)
        closes = !head.keepsAlive
        unread = head.body.map { Unread(announced: $0.announced, start: now) }
        state = .deciding
        deadline = nil
    }

    /// The request can't be read on: its answer ends the connection.
    mutating func messageFailed(now: Instant) {
        closes = true
        // Where the next request would begin can't be known.
        unread = Unread(announced: nil, start: now)
    }

    /// It is decided what becomes of the request; the shape of an answer comes by `answered`.
    mutating func decided(_ decision: Decision, now: Instant) -> Action? {
        switch decision {
        case .undecided: return .decide
        case .answer: return nil
        case .route where unread == nil: return respond()
        case .route:
            state = .receiving
            unread?.start = now
            deadline = bodyDeadline(now)
            defer { expectsContinue = false }
            return .readBody(givingLeave: expectsContinue)
        }
    }

    /// Bytes of the body came; nil where more are to be read.
    ///
    /// - Parameter isAtEnd: whether they are the last.
    mutating func bodyCame(_ count: Int, isAtEnd: Bool, now: Instant) -> Action? {
        unread?.count += count
        switch state {
        case .receiving where isAtEnd:
            unread = nil
            return respond()
        case .skipping:
            unread?.skipped += count
            if isAtEnd {
                unread = nil
                return finish(now: now)
            }
            if skippedTooMuch { return end(.close) }
        case .lingering:
            unread?.skipped += count
            return isAtEnd || skippedTooMuch ? end(.close) : nil
        default: break
        }
        deadline = bodyDeadline(now)
        return nil
    }

    private var skippedTooMuch: Bool { (unread?.skipped ?? 0) > skipLimit }

    /// The sender of the request has no business here: its body is not asked for, and the answer ends the connection.
    mutating func strangerCame() {
        guard unread != nil else { return }
        closes = true
        skipLimit = Self.strangerSkipLimit
    }

    private func bodyDeadline(_ now: Instant) -> Instant? {
        unread.map { patience.deadline(ofBodySince: $0.start, count: $0.count, now: now) }
    }

    private mutating func respond() -> Action {
        state = .responding
        deadline = nil
        return .respond
    }

    // MARK: The response

    /// The handler has no answer yet.
    mutating func postponed(until time: Instant) -> Action {
        state = .asleep
        deadline = time
        return .sleep
    }

    /// There is a response.
    mutating func answered(_ shape: Shape, now: Instant) -> Action {
        self.shape = shape
        state = .sending
        allowance = patience.idle
        beginSending(now)
        closes = closes || isDraining || !mayGoOn || isUnframed
        return .sendResponse(framing, closes: closes, withoutBody: isHead || shape == .none)
    }

    /// Whether what is left of the body can be passed over.
    private var mayGoOn: Bool {
        guard let unread else { return true }
        return !expectsContinue && (unread.announced ?? 0) + unread.skipped < Self.skipLimit
    }

    private var isUnframed: Bool { framing == .untilClose }

    private var framing: ResponseFraming {
        switch shape {
        case .none: .none
        case .whole(let count): .counted(count)
        case .pieces, .live: isVersion10 ? .untilClose : .chunked
        }
    }

    private mutating func beginSending(_ now: Instant) {
        waitingSince = now
        deadline = now + allowance
    }

    /// The client took some of what is sent.
    mutating func someSent(_ count: Int, now: Instant) {
        allowance = patience.allowance(allowance, after: now - waitingSince, taking: count)
        beginSending(now)
    }

    /// All that was to be sent is with the client's system.
    ///
    /// - Parameter count: the bytes that it took last.
    mutating func allSent(_ count: Int, now: Instant) -> Action {
        someSent(count, now: now)
        return switch (state, shape) {
        case (.beating, _): doze(now: now)
        case (.sending, .pieces), (.sending, .live): isHead ? finish(now: now) : produce()
        default: finish(now: now)
        }
    }

    private mutating func produce() -> Action {
        state = .producing
        deadline = nil
        return .produce
    }

    /// The next piece was asked for.
    mutating func produced(_ production: Production, now: Instant) -> Action {
        switch production {
        case .piece:
            state = .sending
            beginSending(now)
            return .sendPiece
        case .nothing: return doze(now: now)
        case .end where isVersion10: return finish(now: now)
        case .end:
            state = .ending
            beginSending(now)
            return .sendEnd
        case .failure: return end(.reset)
        }
    }

    private mutating func doze(now: Instant) -> Action {
        // Nobody would wake a body that is pulled.
        guard case .live(let heartbeat) = shape else { return produce() }
        state = .dozing
        deadline = now + heartbeat
        return .sleep
    }

    private mutating func finish(now: Instant) -> Action {
        if unread != nil {
            guard !closes else { return linger(now: now) }
            state = .skipping
            unread?.start = now
            unread?.count = 0
            deadline = bodyDeadline(now)
            return .skipBody
        }
        guard !closes, !isDraining else { return end(.close) }
        state = .idle
        deadline = now + patience.idle
        return .readHead
    }

    private mutating func linger(now: Instant) -> Action {
        state = .lingering
        deadline = now + patience.farewell
        return .linger
    }

    private mutating func end(_ action: Action) -> Action {
        state = .closed
        deadline = nil
        return action
    }

    // MARK: From outside

    /// The event that the handler waits for has happened, or may have.
    mutating func woken() -> Action? {
        switch state {
        case .asleep:
            state = .responding
            deadline = nil
            return .ask
        case .dozing: return produce()
        default: return nil
        }
    }

    /// The client closed its side, or the connection is gone.
    mutating func peerClosed() -> Action? {
        switch state {
        case .asleep, .dozing: end(.close)
        // Who reads or writes finds out, behind what was still on its way.
        default: nil
        }
    }

    /// The connection failed in the middle of something.
    mutating func connectionFailed() -> Action { end(.close) }

    /// The deadline has come.
    mutating func timePassed(now: Instant) -> Action? {
        switch state {
        case .idle, .skipping, .lingering: return end(.close)
        case .head, .receiving:
            messageFailed(now: now)
            return .refuseSlowness
        case .asleep: return woken()
        case .dozing:
            state = .beating
            beginSending(now)
            return .sendHeartbeat
        case .sending, .beating, .ending: return end(.reset)
        case .deciding, .responding, .producing, .closed: return nil
        }
    }

    /// The server stops: no further request is taken, and who waits is to come to an end.
    mutating func drain() -> Action? {
        isDraining = true
        return state == .idle ? end(.close) : woken()
    }

    /// The server waits no longer.
    mutating func abandon() -> Action { end(.reset) }
}
