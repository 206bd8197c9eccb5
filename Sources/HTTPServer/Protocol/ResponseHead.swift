/// How the body of a response is framed.
enum ResponseFraming: Equatable {
    /// There is none, and nothing says how long it would be: 204, 304.
    case none
    /// This many bytes.
    case counted(Int)
    /// In chunks.
    case chunked
    /// To the end of the connection, for HTTP/1.0.
    case untilClose
}

/// Writes the head of a response (RFC 9112, section 4).
struct ResponseHead {
    var status: Int
    var fields: HTTPFields
    var framing: ResponseFraming
    /// Whether the connection ends with this response.
    var closes: Bool

    /// The leave for a client that waits for it.
    static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// The bytes of the head.
    ///
    /// - Parameter date: the time as `HTTPDate` writes it.
    func encoded(date: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256 + fields.lines.count * 48)
        bytes += "HTTP/1.1 \(status) \(Self.reason(status))\r\n".utf8
        Self.append("Date", date, to: &bytes)
        for line in fields.lines { Self.append(line.name, line.value, to: &bytes) }
        switch framing {
        case .none, .untilClose: break
        case .counted(let count): Self.append("Content-Length", String(count), to: &bytes)
        case .chunked: Self.append("Transfer-Encoding", "chunked", to: &bytes)
        }
        if closes { Self.append("Connection", "close", to: &bytes) }
        bytes += "\r\n".utf8
        return bytes
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes += name.utf8
        bytes += ": ".utf8
        // A value that holds the end of a line would be another field, or another response.
        bytes += value.utf8.lazy.map { RequestHeadParser.isFieldContent($0) ? $0 : UInt8(ascii: " ") }
        bytes += "\r\n".utf8
    }

    private static func reason(_ status: Int) -> String { reasons[status] ?? "Status" }

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 304: "Not Modified", 400: "Bad Request",
        401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 412: "Precondition Failed", 413: "Content Too Large",
        415: "Unsupported Media Type", 417: "Expectation Failed", 422: "Unprocessable Content",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        460: "Checksum Mismatch", 500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
        505: "HTTP Version Not Supported", 507: "Insufficient Storage",
    ]
}

/// A part of a body in chunks.
enum ResponseChunk {
    /// The line before the bytes of a chunk.
    static func start(_ count: Int) -> [UInt8] { Array((String(count, radix: 16) + "\r\n").utf8) }

    /// The line end behind them.
    static let end = Array("\r\n".utf8)

    /// The last chunk, without which a body is not whole.
    static let last = Array("0\r\n\r\n".utf8)
}
