import Synchronization

/// Answers requests together: those that come while some are being answered are the next to be.
///
/// For routes whose work costs little more for many requests than for one, such as a query by keys. Each request is
/// answered from what is read after it came.
public final class HTTPGroup: Sendable {
    typealias Deliver = @Sendable (HTTPResponse) -> Void

    private struct State {
        var requests: [HTTPRequest] = []
        var deliveries: [Deliver] = []
        var isBeingAnswered = false
    }

    private let limit: Int
    private let respond: @Sendable ([HTTPRequest]) -> [HTTPResponse]
    private let state = Mutex(State())

    /// A group without requests.
    ///
    /// - Parameters:
    ///   - limit: requests that wait at most; more are refused as too many.
    ///   - respond: answers each of some requests, in their order; called by one thread at a time.
    public init(limit: Int = 1024, respond: @escaping @Sendable ([HTTPRequest]) -> [HTTPResponse]) {
        self.limit = limit
        self.respond = respond
    }

    /// Adds a request.
    ///
    /// - Parameter start: has `answer` called on a worker; false where there is none.
    /// - Returns: false where too many wait, or no worker is to be had.
    func add(_ request: HTTPRequest, _ deliver: @escaping Deliver, start: () -> Bool) -> Bool {
        state.withLock { state in
            guard state.requests.count < limit else { return false }
            if !state.isBeingAnswered { state.isBeingAnswered = start() }
            guard state.isBeingAnswered else { return false }
            state.requests.append(request)
            state.deliveries.append(deliver)
            return true
        }
    }

    /// Answers what waits, and what comes meanwhile.
    func answer() {
        while let (requests, deliveries) = take() {
            for (deliver, response) in zip(deliveries, respond(requests)) { deliver(response) }
        }
    }

    private func take() -> ([HTTPRequest], [Deliver])? {
        state.withLock { state in
            defer { (state.requests, state.deliveries) = ([], []) }
            state.isBeingAnswered = !state.requests.isEmpty
            return state.isBeingAnswered ? (state.requests, state.deliveries) : nil
        }
    }
}
