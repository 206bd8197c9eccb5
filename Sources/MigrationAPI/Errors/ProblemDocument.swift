import RealmJSON
import RealmModel

/// What the API would say of an error, for programs that answer no request.
public struct ProblemDocument: Hashable, Sendable {
    private let problem: Problem
    /// The file that it is about, for programs that read files; the extension member `file`.
    public var file: String?

    /// The problem of an error as a response has it.
    public init(_ error: any Error) {
        problem = ErrorResponse.problem(for: error)
    }

    /// A problem that no response has: of a file, or of the program itself.
    ///
    /// - Parameters:
    ///   - code: in snake_case.
    ///   - detail: what happened, in one sentence.
    public init(code: String, detail: String) {
        problem = Problem(500, code, detail)
    }

    /// Whether nothing is known of the error but that it is the service's own.
    public var isInternal: Bool { problem == .internalError }

    /// The document (RFC 9457) in one line, without a line break.
    public var json: [UInt8] {
        guard let file, case .object(let members) = problem.json(instance: nil) else {
            return problem.json(instance: nil).encoded()
        }
        return JSONValue.object(members + [JSONMember("file", .string(file))]).encoded()
    }

    /// What happened, in sentences.
    public var detail: String { problem.detail }

    /// The stable name, in snake_case.
    public var code: String { problem.code }

    /// The single things that are wrong, with their places.
    public var items: [ProblemItem] { problem.errors }

    /// The frames of the user's script where it threw, innermost first: "name (line:column)".
    public var stack: [String] { problem.stack }

    /// The objects of the enumeration that were done before a script threw; nil outside of any.
    public var objectsDone: Int? { problem.objectsDone }
}
