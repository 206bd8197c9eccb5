import Columns
import Glibc
import HTTPServer

/// Gives requests their budgets: what one may take, and the memory that all may hold together.
struct RequestBudgets: Sendable {
    let limits: RequestLimits
    private let memory: SharedMemory
    /// A place a mebibyte of what answers in pieces take until their end.
    private let answers: Slots
    private let hosts: Slots

    /// Pieces of an answer after which the client is looked at before each.
    private static let watchedPieces = 16
    private static let pauseMicroseconds: UInt32 = 2000
    /// Memory that requests held beyond this is given back to the system: the allocator would keep it.
    private static let trimmedBytes = 32 << 20

    /// Budgets with these limits, which hold no more than twice the memory of one together.
    init(_ limits: RequestLimits) {
        self.limits = limits
        memory = SharedMemory(limit: 2 * min(limits.memoryBytes, .max / 2)) { usleep(Self.pauseMicroseconds) }
        let mebibytes = max(1, limits.memoryBytes >> 20)
        answers = Slots(mebibytes, spare: mebibytes)
        hosts = Slots(limits.hosts, spare: max(1, limits.hosts / 2))
    }

    /// How many answers wait for room, and how many checks for a process.
    var waiting: (answers: Int, checks: Int) { (answers.waitingCount, hosts.waitingCount) }

    /// Does something for a request within these limits.
    ///
    /// - Parameter endsEarly: whether its client's leave ends it.
    /// - Returns: what came of it, and the memory that the answer takes while it is made in pieces.
    private func within<Result>(
        _ request: APIRequest, endsEarly: Bool, _ body: () throws -> Result
    ) rethrows -> (result: Result, answerBytes: Int) {
        let waker = endsEarly ? request.whole?.waker : nil
        let (deadline, seconds) = (ContinuousClock.now + .seconds(limits.seconds), limits.seconds)
        let budget = WorkBudget(
            workBytes: limits.workBytes, memoryBytes: limits.memoryBytes, shared: memory,
            owner: request.access.key, hostTurns: KeyHostTurns(slots: hosts, key: request.access.key),
            watchedBytes: limits.watchedBytes
        ) {
            if waker?.isAbandoned == true { return .abandoned }
            return ContinuousClock.now > deadline ? .time(seconds: seconds) : nil
        }
        defer { if budget.heldBytes > Self.trimmedBytes { FreedMemory.giveBack() } }
        let result = try WorkBudget.$current.withValue(budget) { try body() }
        return (result, budget.answerBytes)
    }

    /// Answers a request within these limits, each piece of the answer again.
    ///
    /// The pieces of an answer end with the client's leave, and with its key or token.
    ///
    /// - Parameter endsEarly: whether the client's leave ends it, too, before there is an answer.
    func answer(
        _ request: APIRequest, endsEarly: Bool, _ body: () throws -> HTTPResponse
    ) throws -> HTTPResponse {
        try answer(request, endsEarly: endsEarly, with: try within(request, endsEarly: endsEarly, body).result)
    }

    /// - Parameter room: for the memory that pieces of the answer take.
    private func answer(
        _ request: APIRequest, endsEarly: Bool, with response: HTTPResponse, in room: AnswerRoom? = nil
    ) throws -> HTTPResponse {
        let waker = request.whole?.waker
        var response = response
        switch response.body {
        case .stream(let execution, let produce):
            // The first piece is made before the head is sent: an answer that can't be given at all is a problem document.
            let begins = request.head.method != "HEAD"
            let hold = begins ? request.holdKey() : nil
            let first = begins ? try within(request, endsEarly: endsEarly, produce).result : []
            // Gone while the request was let in, or waited: nothing of the answer is sent.
            if hold?.hasEnded == true { throw APIError.unauthorized(isKeyGiven: true) }
            guard let first else {
                response.body = .stream(execution) { nil }
                break
            }
            var (begun, count): ([UInt8]?, Int) = (first, 0)
            response.body = .stream(execution) { [room] in
                _ = room
                defer { begun = nil }
                count += 1
                // Many small pieces are much work, too.
                if count > Self.watchedPieces, waker?.isAbandoned == true { throw WorkBudget.Excess.abandoned }
                if hold?.hasEnded == true { throw KeyEnded() }
                return try begun ?? within(request, endsEarly: true, produce).result
            }
        case .live(var live):
            let next = live.next
            live.next = { try within(request, endsEarly: true, next).result }
            response.body = .live(live)
        case .empty, .bytes: break
        }
        return response
    }

    /// The room that an answer in pieces has until the last who makes them lets go of it; much of it is given back to the system.
    private final class AnswerRoom {
        private let turn: Slots.Turn
        private let isMuch: Bool

        init(_ turn: Slots.Turn, isMuch: Bool) {
            self.turn = turn
            self.isMuch = isMuch
        }

        deinit { if isMuch { FreedMemory.giveBack() } }
    }

    /// Asks an operation for its answer within these limits, whenever it is asked.
    ///
    /// An answer that takes memory while it is made in pieces waits until there is room. One that only reads is asked for again
    /// then, for what it is about may be gone or may have grown; whatever a request has changed is done once.
    ///
    /// - Parameter turn: the places that it has got, after it had waited for them.
    func ask(
        _ request: APIRequest, endsEarly: Bool, with turn: Slots.Turn? = nil,
        _ operation: @escaping () throws -> APIAnswer
    ) throws -> APIAnswer {
        let (answer, bytes) = try within(request, endsEarly: endsEarly, operation)
        switch answer {
        case .later(let time, let goOn): return .later(until: time) { try ask(request, endsEarly: endsEarly, goOn) }
        case .response(let response):
            guard bytes > 0, request.head.method != "HEAD", case .stream = response.body else {
                return .response(try self.answer(request, endsEarly: endsEarly, with: response))
            }
            return try wait(request, for: turn, of: bytes) { turn in
                let room = AnswerRoom(turn, isMuch: bytes > Self.trimmedBytes)
                return .response(try self.answer(request, endsEarly: endsEarly, with: response, in: room))
            } again: { turn in
                try ask(request, endsEarly: endsEarly, with: turn, operation)
            }
        }
    }

    /// Waits for the places that an answer takes, unless it has them.
    ///
    /// - Parameters:
    ///   - turn: the places that it has; fewer than it takes are given back.
    ///   - give: gives the answer.
    ///   - again: asks for the answer again, of a request that only reads, and has waited.
    private func wait(
        _ request: APIRequest, for turn: Slots.Turn?, of bytes: Int,
        _ give: @escaping (Slots.Turn) throws -> APIAnswer, again: @escaping (Slots.Turn) throws -> APIAnswer
    ) throws -> APIAnswer {
        let places = (bytes - 1) >> 20 + 1
        if let turn, turn.places >= min(places, answers.count) { return try give(turn) }
        turn?.end()
        let (key, part, waker) = (request.access.key, request.access.credential, request.whole?.waker)
        let next = answers.turn(of: key, part: part, places: places) { waker?.wake() }
        if next.hasCome { return try give(next) }
        let onlyReads = request.head.method == "GET"
        return try request.wait(for: next) { try onlyReads ? again(next) : give(next) }
    }
}
