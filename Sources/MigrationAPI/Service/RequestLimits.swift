import Columns
import HTTPServer

/// How much one request may take, or each piece of an answer that is made piece by piece.
///
/// Whatever reads columns for a request asks its `WorkBudget` as it goes; of requests that change nothing that also ends when
/// their client has left. One that changes something comes to its end, which a repeat of it may ask for, or goes on to it from where
/// it begins to change something.
public struct RequestLimits: Hashable, Sendable {
    /// The most seconds from the time that a worker begins with it.
    public var seconds: Double
    /// The most bytes that it holds at once, of what grows with a client's data.
    public var memoryBytes: Int
    /// The most bytes of columns that it goes through; nil for any number.
    public var workBytes: Int?
    /// Bytes of columns after which clock and client are looked at: who asks for little is answered though its side is closed.
    var watchedBytes = 1 << 20
    /// Pieces of an answer after which the client is looked at before each.
    private static let watchedPieces = 16

    /// Five minutes and 256 MiB.
    public init(seconds: Double = 300, memoryBytes: Int = 256 << 20, workBytes: Int? = nil) {
        self.seconds = seconds
        self.memoryBytes = memoryBytes
        self.workBytes = workBytes
    }

    /// Does something for a request within these limits.
    ///
    /// - Parameter waker: of the request, where its client's leave ends it.
    func within<Result>(_ waker: HTTPWaker?, _ body: () throws -> Result) rethrows -> Result {
        let deadline = ContinuousClock.now + .seconds(seconds)
        let budget = WorkBudget(workBytes: workBytes, memoryBytes: memoryBytes, watchedBytes: watchedBytes) {
            if waker?.isAbandoned == true { return .abandoned }
            return ContinuousClock.now > deadline ? .time(seconds: seconds) : nil
        }
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
            response.body = .stream(execution) {
                defer { begun = nil }
                count += 1
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

    /// Asks an operation for its answer within these limits, whenever it is asked.
    func ask(_ request: APIRequest, endsEarly: Bool, _ operation: () throws -> APIAnswer) throws -> APIAnswer {
        switch try within(endsEarly ? request.whole?.waker : nil, operation) {
        case .response(let response): return .response(try answer(request, endsEarly: endsEarly) { response })
        case .later(let time, let goOn): return .later(until: time) { try ask(request, endsEarly: endsEarly, goOn) }
        }
    }
}

extension Problem {
    /// The problem of a request that takes more than it may.
    init(_ excess: WorkBudget.Excess) {
        let code = "request_limit_exceeded"
        switch excess {
        case .work(let bytes):
            self.init(
                422, code,
                "The request goes through more than \(Self.mebibytes(bytes)) of columns, the most that the service's operator "
                    + "gives one request (--request-work): ask about fewer objects, or simpler.")
        case .memory(let bytes):
            self.init(
                422, code,
                "The request takes more than \(Self.mebibytes(bytes)) of memory, the most that the service's operator gives "
                    + "one request (--request-memory): ask for fewer objects at once, or change fewer.")
        case .time(let seconds):
            self.init(
                422, code,
                "The request takes longer than \(Self.seconds(seconds)), the most that the service's operator gives one "
                    + "request (--request-time): ask about fewer objects, or simpler.")
        case .abandoned:
            // Nobody reads it.
            self.init(503, "overloaded", "The client left before the answer was found.")
        }
    }

    private static func mebibytes(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes) bytes" : "\(bytes >> 20) MiB"
    }

    private static func seconds(_ seconds: Double) -> String { seconds == 1 ? "1 second" : "\(Int(seconds)) seconds" }
}
