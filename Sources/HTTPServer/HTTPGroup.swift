import Threads

/// Answers requests together: those that come while some are being answered are the next to be.
///
/// For routes whose work costs little more for many requests than for one, such as a query by keys. Each request is
/// answered from what is read after it came. A question is what a handler makes of a request: who asks, and for what.
public final class HTTPGroup<Question: Sendable>: Sendable {
    typealias Deliver = HTTPGroupPlace.Deliver

    private struct State {
        var questions: [Question] = []
        var deliveries: [Deliver] = []
        var isBeingAnswered = false
    }

    private let limit: Int
    private let respond: @Sendable ([Question]) -> [HTTPResponse]
    private let state = Mutex(State())

    /// A group without requests.
    ///
    /// - Parameters:
    ///   - limit: requests that wait at most; more are refused as too many.
    ///   - respond: answers each of some questions, in their order; called by one thread at a time.
    public init(limit: Int = 1024, respond: @escaping @Sendable ([Question]) -> [HTTPResponse]) {
        self.limit = limit
        self.respond = respond
    }

    /// A place for one request.
    ///
    /// - Parameter question: what is asked by the request when it is whole.
    public func place(_ question: @escaping @Sendable (HTTPRequest) -> Question) -> HTTPGroupPlace {
        HTTPGroupPlace(
            add: { request, deliver, start in self.add(question(request), deliver, start: start) },
            answer: { self.answer() })
    }

    /// Adds a question.
    ///
    /// - Parameter start: has `answer` called on a worker; false where there is none.
    /// - Returns: false where too many wait, or no worker is to be had.
    private func add(_ question: Question, _ deliver: @escaping Deliver, start: () -> Bool) -> Bool {
        state.withLock { state in
            guard state.questions.count < limit else { return false }
            if !state.isBeingAnswered { state.isBeingAnswered = start() }
            guard state.isBeingAnswered else { return false }
            state.questions.append(question)
            state.deliveries.append(deliver)
            return true
        }
    }

    /// Answers what waits, and what comes meanwhile.
    private func answer() {
        while let (questions, deliveries) = take() {
            for (deliver, response) in zip(deliveries, respond(questions)) { deliver(response) }
        }
    }

    private func take() -> ([Question], [Deliver])? {
        state.withLock { state in
            defer { (state.questions, state.deliveries) = ([], []) }
            state.isBeingAnswered = !state.questions.isEmpty
            return state.isBeingAnswered ? (state.questions, state.deliveries) : nil
        }
    }
}

/// The place of one request in a group.
public struct HTTPGroupPlace: Sendable {
    typealias Deliver = @Sendable (HTTPResponse) -> Void

    /// Takes the request when it is whole: as `HTTPGroup.add` has it.
    let add: @Sendable (HTTPRequest, @escaping Deliver, _ start: () -> Bool) -> Bool
    /// Answers what waits in the group, and what comes meanwhile.
    let answer: @Sendable () -> Void
}
