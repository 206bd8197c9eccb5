import HTTPServer

/// One operation of the API: a method on a path, and what answers it.
struct APIRoute: Sendable {
    /// The body that the operation takes.
    enum Body: Sendable {
        case none
        /// A JSON document, kept in memory.
        case json
        /// A realm, written to a file.
        case realm
    }

    let method: String
    let path: PathTemplate
    /// The OpenAPI `operationId`, which the metrics name the route by, too.
    let operation: String
    let body: Body
    let execution: HTTPExecution
    /// Whether it answers without a key.
    let isOpen: Bool
    /// Throws what would refuse the request whatever its body is; called before that is read.
    let admit: (@Sendable (APIRequest) throws -> Void)?
    let respond: @Sendable (APIRequest) throws -> HTTPResponse

    init(
        _ method: String, _ path: String, _ operation: String, body: Body = .none,
        on execution: HTTPExecution = .working,
        isOpen: Bool = false, admit: (@Sendable (APIRequest) throws -> Void)? = nil,
        respond: @escaping @Sendable (APIRequest) throws -> HTTPResponse
    ) {
        self.method = method
        self.path = PathTemplate(path)
        self.operation = operation
        self.body = body
        self.execution = execution
        self.isOpen = isOpen
        self.admit = admit
        self.respond = respond
    }

    /// The path for logs: that of the request, except where it names an object, whose key may be a value of it.
    func loggedPath(of path: String) -> String {
        self.path.parameterNames.contains("key") ? self.path.text : path
    }
}
