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
    }

    /// Where the operation runs.
    enum Execution: Sendable {
        /// At once; it never blocks.
        case immediate
        /// On a worker, for some milliseconds of the database.
        case working
        /// On a thread of those that mostly wait.
        case waiting
        /// On one of those where the client would like to wait, else on a worker.
        case waitingIfPreferred
    }

    let method: String
    let path: PathTemplate
    /// The OpenAPI `operationId`, which the metrics name the route by, too.
    let operation: String
    /// The names of the query parameters; a request with any other is refused.
    let query: [String]
    let body: Body
    let execution: Execution
    /// Whether it answers without a key.
    let isOpen: Bool
    /// Throws what would refuse the request whatever its body is; called before that is read.
    let admit: (@Sendable (APIRequest) throws -> Void)?
    let respond: @Sendable (APIRequest) throws -> HTTPResponse
    /// Answers several requests at once, where nobody wants to wait; nil where that gains nothing.
    let respondTogether: Together?

    typealias Together = @Sendable ([APIRequest]) -> [Result<HTTPResponse, any Error>]

    init(
        _ method: String, _ path: String, _ operation: String, query: [String], body: Body = .none,
        on execution: Execution = .working,
        isOpen: Bool = false, admit: (@Sendable (APIRequest) throws -> Void)? = nil, together: Together? = nil,
        respond: @escaping @Sendable (APIRequest) throws -> HTTPResponse
    ) {
        self.method = method
        self.path = PathTemplate(path)
        self.operation = operation
        self.query = query
        self.body = body
        self.execution = execution
        self.isOpen = isOpen
        self.admit = admit
        self.respond = respond
        respondTogether = together
    }

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

    /// Where a request of this head runs: only who asked to wait takes a thread of those for waiting.
    func execution(for head: HTTPRequestHead) -> HTTPExecution {
        switch execution {
        case .immediate: .immediate
        case .working: .working
        case .waiting: .waiting
        case .waitingIfPreferred: Prefer(head.fields["Prefer"]).wait == nil ? .working : .waiting
        }
    }

    /// The path for logs: that of the request, except where it names an object, whose key may be a value of it.
    func loggedPath(of path: String) -> String {
        self.path.parameterNames.contains("key") ? self.path.text : path
    }
}
