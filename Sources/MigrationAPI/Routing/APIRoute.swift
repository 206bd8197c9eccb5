import HTTPServer

/// One operation of the API: a method on a path, and what answers it.
final class APIRoute: Sendable {
    /// The body that the operation takes.
    enum Body: Sendable {
        case none
        /// A JSON document, kept in memory.
        case json
        /// A realm, written to a file.
        case realm
        /// As the head says.
        case chosen(@Sendable (APIRequest) throws -> HTTPBodyPolicy)
    }

    /// How the operation answers.
    enum Answering: Sendable {
        /// At once, or on a worker.
        case directly(HTTPExecution, @Sendable (APIRequest) throws -> HTTPResponse)
        /// On a worker, and where it has to wait for something, without one meanwhile.
        case patiently(@Sendable (APIRequest) throws -> APIAnswer)
    }

    let method: String
    let path: PathTemplate
    /// The OpenAPI `operationId`, which the metrics name the route by, too.
    let operation: String
    /// The names of the query parameters; a request with any other is refused.
    let query: [String]
    let body: Body
    /// Its requirement of the key; there is no default.
    let requirement: Requirement
    /// How it keeps to the realms of a token; one that says nothing refuses tokens.
    let tokens: TokenBound
    /// Throws what would refuse the request whatever its body is; called before that is read.
    let admit: (@Sendable (APIRequest) throws -> Void)?
    let answering: Answering
    /// Members of the answer that are said once, and kept nowhere.
    let secrets: [String]
    /// Whether it ends when its client leaves, as those do that change nothing: it says itself when it begins to change something
    /// (`WorkBudget.beginChanging`).
    let endsEarly: Bool
    /// Whether its requests have workers of their own, beside those of their keys'.
    let hasOwnLine: Bool
    /// Whether it leaves everything as it is, although it takes a body.
    let keepsNothing: Bool
    /// Answers several requests at once, where nobody wants to wait; nil where that gains nothing.
    let respondTogether: Together?

    typealias Together = @Sendable ([APIRequest]) -> [Result<HTTPResponse, any Error>]

    init(
        _ method: String, _ path: String, _ operation: String, requires requirement: Requirement,
        tokens: TokenBound = .refused, query: [String], body: Body = .none,
        admit: (@Sendable (APIRequest) throws -> Void)? = nil, together: Together? = nil, secrets: [String] = [],
        endsEarly: Bool = false, hasOwnLine: Bool = false, keepsNothing: Bool = false, answering: Answering
    ) {
        self.method = method
        self.path = PathTemplate(path)
        self.operation = operation
        self.query = query
        self.body = body
        self.requirement = requirement
        self.tokens = tokens
        self.admit = admit
        self.answering = answering
        respondTogether = together
        self.secrets = secrets
        self.endsEarly = endsEarly
        self.hasOwnLine = hasOwnLine
        self.keepsNothing = keepsNothing
    }

    /// An operation that answers when it is asked.
    convenience init(
        _ method: String, _ path: String, _ operation: String, requires requirement: Requirement,
        tokens: TokenBound = .refused, query: [String], body: Body = .none, on execution: HTTPExecution = .working,
        admit: (@Sendable (APIRequest) throws -> Void)? = nil, secrets: [String] = [], endsEarly: Bool = false,
        hasOwnLine: Bool = false, keepsNothing: Bool = false,
        respond: @escaping @Sendable (APIRequest) throws -> HTTPResponse
    ) {
        self.init(
            method, path, operation, requires: requirement, tokens: tokens, query: query, body: body, admit: admit,
            secrets: secrets, endsEarly: endsEarly, hasOwnLine: hasOwnLine, keepsNothing: keepsNothing,
            answering: .directly(execution, respond))
    }

    /// With whose requests its own share workers.
    func client(of access: Access) -> HTTPClient? {
        hasOwnLine ? HTTPClient(Array(operation.utf8)) : access.key.map { HTTPClient($0.bytes) }
    }

    /// Whether it changes something.
    var changes: Bool { method != "GET" && !keepsNothing }

    /// Refuses parameters of the query that the operation has not, and those that stand twice.
    ///
    /// - Throws: `APIError.unknownParameters`, `APIError.repeatedParameter`.
    func checkQuery(of head: HTTPRequestHead) throws(APIError) {
        guard !head.query.isEmpty else { return }
        let names = head.query.map(\.name)
        let unknown = names.filter { !query.contains($0) }
        guard unknown.isEmpty else { throw .unknownParameters(unknown, known: query) }
        if let repeated = query.first(where: { name in names.count { $0 == name } > 1 }) {
            throw .repeatedParameter(repeated)
        }
    }

    /// The path for logs: that of the request, except where it names an object, whose key may be a value of it.
    func loggedPath(of path: String) -> String {
        self.path.parameterNames.contains("key") ? self.path.text : path
    }
}
