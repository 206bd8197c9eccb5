/// The head of a request as it was framed.
struct ParsedRequestHead: Equatable {
    /// The method.
    var method: String
    /// The target as it was sent.
    var target: String
    /// The field lines.
    var fields: HTTPFields
    /// Whether the client speaks HTTP/1.0.
    var isVersion10: Bool
    /// How the body is framed; nil where there is none.
    var body: BodyFraming?

    /// Whether the client sends more requests on the connection (RFC 9112, section 9.3).
    var keepsAlive: Bool {
        !isVersion10 && fields["Connection"].map { !HTTPFields.list($0, contains: "close") } ?? true
    }

    /// Whether the client waits for leave to send its body (RFC 9110, section 10.1.1).
    var expectsContinue: Bool { !isVersion10 && body != nil && fields["Expect"] != nil }
}

/// Reads a head strictly (RFC 9112): what two readers could understand differently is refused.
struct RequestHeadParser {
    /// Reads a head.
    ///
    /// - Parameter bytes: the head from its request line to its empty line, that included.
    static func parse(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) -> ParsedRequestHead {
        var lines = Lines(bytes: bytes)
        let request = try requestLine(lines.next() ?? UnsafeRawBufferPointer(start: nil, count: 0))
        var fields = HTTPFields()
        while let line = lines.next(), !line.isEmpty { fields.append(try field(line)) }
        let hosts = fields.values(of: "Host")
        guard hosts.count == 1 || hosts.isEmpty && request.isVersion10 else {
            throw .malformedMessage("A request has one Host field.")
        }
        guard hosts.allSatisfy({ $0.utf8.allSatisfy(isOfHost) }) else {
            throw .malformedMessage("The Host field is not a host and a port.")
        }
        if let expectation = fields["Expect"], !expectation.isToken("100-continue") { throw .unknownExpectation }
        return ParsedRequestHead(
            method: request.method, target: request.target, fields: fields, isVersion10: request.isVersion10,
            body: try framing(fields, isVersion10: request.isVersion10))
    }

    private struct Lines {
        let bytes: UnsafeRawBufferPointer
        var position = 0

        /// The next line without its end.
        mutating func next() -> UnsafeRawBufferPointer? {
            guard position < bytes.count else { return nil }
            var end = position
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            defer { position = end + 1 }
            return UnsafeRawBufferPointer(rebasing: bytes[position..<max(position, end - 1)])
        }
    }

    // MARK: The request line

    private static func requestLine(
        _ line: UnsafeRawBufferPointer
    ) throws(HTTPError) -> (method: String, target: String, isVersion10: Bool) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isToken), !parts[1].isEmpty,
            parts[1].allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .malformedMessage("The request line is not a method, a target and a version.") }
        return (text(parts[0]), text(parts[1]), try isVersion10(parts[2]))
    }

    private static func isVersion10(_ version: Slice<UnsafeRawBufferPointer>) throws(HTTPError) -> Bool {
        let form = Array(version)
        guard form.count == 8, form.starts(with: "HTTP/".utf8), isDigit(form[5]), form[6] == UInt8(ascii: "."),
            isDigit(form[7])
        else { throw .malformedMessage("The request line does not end with a version of HTTP.") }
        guard form[5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        return form[7] == UInt8(ascii: "0")
    }

    // MARK: Fields

    private static func field(_ line: UnsafeRawBufferPointer) throws(HTTPError) -> HTTPFields.Field {
        var colon = 0
        while colon < line.count, isToken(line[colon]) { colon += 1 }
        guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else {
            if let first = line.first, isBlank(first) {
                throw .malformedMessage("A field is folded over several lines.")
            }
            throw .malformedMessage("A field line is not a name, a colon and a value.")
        }
        var (start, end) = (colon + 1, line.count)
        while start < end, isBlank(line[start]) { start += 1 }
        while start < end, isBlank(line[end - 1]) { end -= 1 }
        let value = UnsafeRawBufferPointer(rebasing: line[start..<end])
        guard value.allSatisfy(isFieldContent) else {
            throw .malformedMessage("A field has a control character in its value.")
        }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        return HTTPFields.Field(
            name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    }

    // MARK: Framing

    private static func framing(_ fields: HTTPFields, isVersion10: Bool) throws(HTTPError) -> BodyFraming? {
        let lengths = fields.values(of: "Content-Length")
        let codings = fields.values(of: "Transfer-Encoding")
        if let coding = codings.first {
            guard lengths.isEmpty else { throw .malformedMessage("Content-Length stands beside Transfer-Encoding.") }
            guard codings.count == 1 else { throw .malformedMessage("There is more than one Transfer-Encoding.") }
            guard !isVersion10 else { throw .malformedMessage("HTTP/1.0 has no Transfer-Encoding.") }
            guard coding.isToken("chunked") else { throw .unsupportedTransferCoding }
            return .chunked
        }
        guard let text = lengths.first else { return nil }
        guard lengths.count == 1 else { throw .malformedMessage("There is more than one Content-Length.") }
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit), text.utf8.count <= 18, let length = Int(text) else {
            throw .malformedMessage("Content-Length is not a number of bytes.")
        }
        return length == 0 ? nil : .counted(length)
    }

    // MARK: Characters

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// The bytes of a field's value (RFC 9110, section 5.5).
    static func isFieldContent(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") }

    /// The bytes of a host and its port (RFC 3986, section 3.2).
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: "!"), UInt8(ascii: "$"),
            UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// The bytes of methods and names of fields (RFC 9110, section 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
