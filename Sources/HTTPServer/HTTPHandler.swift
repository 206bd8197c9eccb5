/// Where a handler or the producer of a body runs.
public enum HTTPExecution: Hashable, Sendable {
    /// On the thread that serves the socket, which others wait for: for what never blocks.
    case immediate
    /// On a worker thread, for what blocks or takes long; others are served meanwhile.
    case working
}

/// Takes a body as it comes, on workers, by one thread at a time.
///
/// Bytes that came before a connection broke are the receiver's to keep.
public protocol HTTPBodyReceiver: AnyObject, Sendable {
    /// Takes some bytes, decoded; may block.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTPError)
}

/// How the body of a request is treated.
public enum HTTPBodyPolicy: Sendable {
    /// The route takes none; what comes is read and forgotten.
    case ignored
    /// Kept in memory, of this many decoded bytes at most.
    case buffered(limit: Int)
    /// Written to an unlinked file in a directory, of this many decoded bytes at most.
    case spooled(limit: Int, in: SpoolDirectory)
    /// Handed on as it comes, of this many decoded bytes at most.
    case handed(limit: Int, to: any HTTPBodyReceiver)
}

/// Who answers a request whose body was received.
public enum HTTPAnswering: Sendable {
    /// A function of the request alone.
    case alone(HTTPExecution, @Sendable (HTTPRequest) -> HTTPResponse)
    /// A function of the request alone that may have to wait before it answers, on a worker.
    case patiently(@Sendable (HTTPRequest) -> HTTPAnswer)
    /// A group in which the request has a place, on a worker.
    case together(HTTPGroupPlace)

    /// Whether asking does not block.
    var isQuick: Bool {
        switch self {
        case .alone(.immediate, _), .together: true
        case .alone(.working, _), .patiently: false
        }
    }
}

/// How a request is to be received and answered, decided from its head.
public struct HTTPRoute: Sendable {
    /// How the body is treated.
    public var body: HTTPBodyPolicy
    /// The route's name in the access log and in metrics.
    public var name: String
    /// The path for the access log; differs from the request's where that holds a value of a user's object.
    public var loggedPath: String
    /// Who answers the whole request, once.
    public var answering: HTTPAnswering
    /// Fields that every answer has beside its own, the server's refusals included.
    public var fields: HTTPFields
    /// Whose share of the workers it has; nil for what all may have.
    public var client: HTTPClient?

    /// Describes a route.
    public init(
        _ name: String, body: HTTPBodyPolicy = .ignored, loggedPath: String, fields: HTTPFields = [:],
        client: HTTPClient? = nil, answering: HTTPAnswering
    ) {
        self.client = client
        self.name = name
        self.body = body
        self.loggedPath = loggedPath
        self.fields = fields
        self.answering = answering
    }

    /// Describes a route whose requests are answered one by one.
    public init(
        _ name: String, body: HTTPBodyPolicy = .ignored, execution: HTTPExecution = .working, loggedPath: String,
        respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) {
        self.init(name, body: body, loggedPath: loggedPath, answering: .alone(execution, respond))
    }
}

/// The way that a request takes, decided from its head.
public enum HTTPRouting {
    /// It is received, and a handler answers it.
    case route(HTTPRoute)
    /// It is answered without its body: not known, not allowed, not authorized.
    case answer(HTTPResponse, name: String, loggedPath: String)
    /// To decide takes something that blocks: the function is called on a worker, before any of the body is read.
    case undecided(@Sendable () -> HTTPRouting)
}

/// Decides how a server's requests are answered.
public protocol HTTPHandler: Sendable {
    /// Decides how a request is received, before its body comes; must not block.
    func route(_ head: HTTPRequestHead) -> HTTPRouting
    /// Answers for the server where a request did not reach its handler; must not block.
    ///
    /// - Parameters:
    ///   - error: what went wrong.
    ///   - path: the path of the request as it was sent.
    func response(to error: HTTPError, path: String) -> HTTPResponse
    /// Is told of each request after its end; must not block.
    func completed(_ access: HTTPAccess)
}

/// One line of an access log.
public struct HTTPAccess: Sendable {
    /// The method.
    public var method: String
    /// The route's name; empty where none was found.
    public var name: String
    /// The path, as the route wants it logged.
    public var path: String
    /// The request's id: in logs, in answers, and for the work that it starts.
    public var requestID: String
    /// Where the request stands in a trace, if it stands in one.
    public var traceParent: TraceParent?
    /// The status; 0 where the connection ended before there was one.
    public var status: Int
    /// From the head to the last byte.
    public var duration: Duration
    /// Why the body of the response was broken off, where its producer failed.
    public var failure: (any Error)?
}
