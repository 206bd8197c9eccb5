import Problems
import RealmJSON

/// The service was asked and said no.
public struct ServiceRefusal: Error {
    /// The problem document of the answer.
    public let problem: ProblemDocument
    /// After how many seconds it wants to be asked again.
    let retryAfter: Double?

    init(_ answer: HTTPAnswer) {
        let document = (try? JSONValue.parse(answer.body)).flatMap { try? ProblemDocument(json: $0) }
        // A proxy in front has answers of its own.
        problem =
            document
            ?? ProblemDocument(
                .unexpectedAnswer, "The server answered \(answer.status), and not as realmshift does.",
                status: answer.status)
        retryAfter = answer["Retry-After"].flatMap { Double($0) }
    }

    /// Whether the same request may be answered in a while.
    public var isTemporary: Bool { [429, 502, 503, 504].contains(problem.status) }

    /// Whether the key does not permit it.
    public var isDenial: Bool { [401, 403].contains(problem.status) }
}

/// The service answered, and not as one does.
public struct UnexpectedAnswer: Error {
    /// Where it is.
    public internal(set) var address = ""
    /// The part of the answer that no service sends, as a clause.
    public let reason: String
}

/// The service was not reached.
public struct ServiceUnreachable: Error {
    /// Where it was looked for.
    public internal(set) var address = ""
    /// Why, in libcurl's words.
    public let reason: String
}
