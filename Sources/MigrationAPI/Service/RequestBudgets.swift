import CAllocator
import Columns
import HTTPServer

/// Gives requests their budgets: what one may take, and the memory that all may hold together.
struct RequestBudgets: Sendable {
    let limits: RequestLimits
    private let memory: SharedMemory

    /// Pieces of an answer after which the client is looked at before each.
    private static let watchedPieces = 16
    /// Memory that requests held beyond this is given back to the system: the allocator would keep it.
    private static let trimmedBytes = 32 << 20

    /// Budgets with these limits, of which two may have all their memory at once.
    init(_ limits: RequestLimits) {
        self.limits = limits
        memory = SharedMemory(limit: 2 * min(limits.memoryBytes, .max / 2))
    }

    /// Does something for a request within these limits.
    ///
    /// - Parameter waker: of the request, where its client's leave ends it.
    func within<Result>(_ waker: HTTPWaker?, _ body: () throws -> Result) rethrows -> Result {
        let (deadline, seconds) = (ContinuousClock.now + .seconds(limits.seconds), limits.seconds)
        let budget = WorkBudget(
            workBytes: limits.workBytes, memoryBytes: limits.memoryBytes, shared: memory,
            watchedBytes: limits.watchedBytes
        ) {
            if waker?.isAbandoned == true { return .abandoned }
            return ContinuousClock.now > deadline ? .time(seconds: seconds) : nil
        }
        defer { if budget.heldBytes > Self.trimmedBytes { _ = malloc_trim(0) } }
        return try WorkBudget.$current.withValue(budget) { try body() }
    }

    /// Answers a request within these limits, each piece of the answer again.
    ///
    /// The pieces of an answer end with the client's leave, and with its key or token.
    ///
    /// - Parameter endsEarly: whether the client's leave ends it, too, before there is an answer.
    func answer(
        _ request: APIRequest, endsEarly: Bool, _ body: () throws -> HTTPResponse
    ) throws -> HTTPResponse {
        let waker = request.whole?.waker
        var response = try within(endsEarly ? waker : nil, body)
        switch response.body {
        case .stream(let execution, let produce):
            // The first piece is made before the head is sent: an answer that can't be given at all is a problem document.
            let begins = request.head.method != "HEAD"
            let hold = begins ? request.holdKey() : nil
            let first = begins ? try within(endsEarly ? waker : nil, produce) : []
            guard let first else {
                response.body = .stream(execution) { nil }
                break
            }
            var (begun, count): ([UInt8]?, Int) = (first, 0)
            let memory = StreamMemory()
            response.body = .stream(execution) {
                defer { begun = nil }
                count += 1
                memory.isMuch = count > Self.watchedPieces
                // Many small pieces are much work, too.
                if count > Self.watchedPieces, waker?.isAbandoned == true { throw WorkBudget.Excess.abandoned }
                if hold?.hasEnded == true { throw KeyEnded() }
                return try begun ?? within(waker, produce)
            }
        case .live(var live):
            let next = live.next
            live.next = { try within(waker, next) }
            response.body = .live(live)
        case .empty, .bytes: break
        }
        return response
    }

    /// The memory that an answer in pieces took: much is given back to the system when the last that makes them lets go of it.
    private final class StreamMemory {
        var isMuch = false

        deinit { if isMuch { _ = malloc_trim(0) } }
    }

    /// Asks an operation for its answer within these limits, whenever it is asked.
    func ask(_ request: APIRequest, endsEarly: Bool, _ operation: () throws -> APIAnswer) throws -> APIAnswer {
        switch try within(endsEarly ? request.whole?.waker : nil, operation) {
        case .response(let response): return .response(try answer(request, endsEarly: endsEarly) { response })
        case .later(let time, let goOn): return .later(until: time) { try ask(request, endsEarly: endsEarly, goOn) }
        }
    }
}
