/// What a handler answers.
public struct HTTPResponse {
    /// The content of a response.
    public enum Body {
        /// Nothing.
        case empty
        /// All of it, with a `Content-Length`.
        case bytes([UInt8])
        /// Pulled piece by piece until nil, each sent as it comes; pieces of 64 KiB and more cost least.
        ///
        /// What the function throws breaks the connection off, so that the client sees a body without its end. It is
        /// called by one thread at a time and not after it gave nil or threw; for HEAD it is never called.
        case stream(HTTPExecution, () throws -> [UInt8]?)
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
