import HTTPServer

/// The reply of an operation that is asked.
enum APIAnswer {
    /// The answer.
    case response(HTTPResponse)
    /// None yet, as `HTTPAnswer.later` has it; what the function throws is answered as any error is.
    case later(until: ContinuousClock.Instant, () throws -> APIAnswer)
}
