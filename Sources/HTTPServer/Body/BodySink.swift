/// Takes a request's body as it comes, undoes its coding, and holds it to its limit.
struct BodySink {
    private let limit: Int
    private let coding: ContentCoding
    private let decoder: (any ContentDecoder)?
    private var byteCount = 0
    private var bytes: [UInt8] = []
    private let file: SpooledBody?
    private let policy: HTTPBodyPolicy

    /// Prepares for a body.
    ///
    /// - Throws: `HTTPError`: a coding that is not known, a declared length over the limit, or no file.
    init(_ policy: HTTPBodyPolicy, fields: HTTPFields) throws(HTTPError) {
        self.policy = policy
        switch policy {
        case .ignored:
            (limit, coding, decoder, file) = (.max, .identity, nil, nil)
        case .buffered(let limit):
            coding = try ContentCoding(field: fields["Content-Encoding"])
            try Self.checkDeclaredLength(fields, limit: limit)
            (self.limit, decoder, file) = (limit, coding.makeDecoder(), nil)
        case .spooled(let limit, let directory):
            coding = try ContentCoding(field: fields["Content-Encoding"])
            try Self.checkDeclaredLength(fields, limit: limit)
            (self.limit, decoder, file) = (limit, coding.makeDecoder(), try SpooledBody(directory: directory))
        }
    }

    /// Whether taking bytes needs neither a disk nor a decoder.
    var isQuick: Bool { decoder == nil && file == nil }

    /// Takes some bytes of the body.
    mutating func receive(_ received: UnsafeRawBufferPointer) throws(HTTPError) {
        guard policy != .ignored else { return }
        guard let decoder else { return try keep(received) }
        try decoder.decode(received) { (decoded) throws(HTTPError) in try keep(decoded) }
    }

    /// The whole body.
    mutating func finish() throws(HTTPError) -> HTTPRequest.Body {
        if let decoder { try decoder.finish() }
        switch policy {
        case .ignored: return .none
        case .buffered: return .bytes(bytes)
        case .spooled:
            guard let file else { return .none }
            try file.rewind()
            return .file(file)
        }
    }

    private mutating func keep(_ decoded: UnsafeRawBufferPointer) throws(HTTPError) {
        guard decoded.count <= limit - byteCount else { throw .contentTooLarge(limit: limit) }
        byteCount += decoded.count
        if let file { try file.write(decoded) } else { bytes.append(contentsOf: decoded) }
    }

    /// No coding makes a body of some size much longer, so a length over the limit is refused before it comes.
    private static func checkDeclaredLength(_ fields: HTTPFields, limit: Int) throws(HTTPError) {
        if let length = fields["Content-Length"].flatMap({ Int($0) }), length > limit {
            throw .contentTooLarge(limit: limit)
        }
    }
}
