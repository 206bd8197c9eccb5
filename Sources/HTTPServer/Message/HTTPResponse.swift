/// The response of a handler.
public struct HTTPResponse {
    /// The content of a response.
    public enum Body {
        /// Nothing.
        case empty
        /// All of it, with a `Content-Length`.
        case bytes([UInt8])
        /// Pulled piece by piece until nil, each sent as it comes; pieces of 64 KiB and more cost least.
        ///
        /// An error of the function breaks the connection off, so that the client sees a body without its end. The function
        /// is called by one thread at a time and not after it gave nil or threw; for HEAD it is never called.
        case stream(HTTPExecution, () throws -> [UInt8]?)
        /// Sent as it comes about, for as long as the client stays: Server-Sent Events, for instance.
        case live(HTTPLiveBody)
    }

    /// The status code, 200…599.
    public var status: Int
    /// The header fields; the server adds `Date`, `Content-Length` or `Transfer-Encoding`.
    public var fields: HTTPFields
    /// The content.
    public var body: Body

    /// Puts a response together.
    public init(status: Int, fields: HTTPFields = [:], body: Body = .empty) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// A body that is made as things happen: between its pieces the connection sleeps and takes no thread.
public struct HTTPLiveBody {
    /// The next piece, as far as there is one.
    public enum Piece {
        /// Bytes to be sent.
        case bytes([UInt8])
        /// Nothing until the request's waker is woken.
        case nothing
        /// The end of the body.
        case end
    }

    /// The bytes that are sent where there was nothing else for a while.
    public var heartbeat: [UInt8]
    /// How long the body may be silent.
    public var silence: Duration
    /// Gives the next piece; called on a worker, by one thread at a time, and not again behind the end or an error,
    /// which breaks the connection off.
    public var next: () throws -> Piece

    /// Puts a body together.
    public init(heartbeat: [UInt8], silence: Duration, next: @escaping () throws -> Piece) {
        self.heartbeat = heartbeat
        self.silence = silence
        self.next = next
    }
}

/// The reply of a handler that was asked.
public enum HTTPAnswer {
    /// The answer.
    case response(HTTPResponse)
    /// None yet: the connection sleeps, and takes no thread, until `HTTPRequest.waker` is woken or a time has come; the
    /// function is then called on a worker. It is let go without a call where the client has left.
    case later(until: ContinuousClock.Instant, () -> HTTPAnswer)
}

extension HTTPAnswer {
    /// The same answer, of which a function is told when it is there.
    public func watched(_ tell: @escaping (HTTPResponse) -> Void) -> HTTPAnswer {
        switch self {
        case .response(let response):
            tell(response)
            return self
        case .later(let time, let goOn): return .later(until: time) { goOn().watched(tell) }
        }
    }
}
