/// Takes a request's body as it comes, undoes its coding, and holds it to its limit.
struct BodySink {
    private let limit: Int
    private let coding: ContentCoding
    private let decoder: (any ContentDecoder)?
    /// Bytes as they came, and as they were before they were compressed.
    private var receivedCount = 0
    private var byteCount = 0
    private var bytes: [UInt8] = []
    private var file: SpooledBody?
    private let policy: HTTPBodyPolicy
    /// The room of a body that is spooled.
    private var room: SpoolRoom?

    /// How many times as long as it came a compressed body may be, beyond `unmeasuredBytes`: a realm with its free space and long
    /// lists of like objects are well below, and nobody fills the disk by sending next to nothing.
    static let expansionLimit = 200
    /// Bytes that any compressed body may have.
    static let unmeasuredBytes = 64 << 20

    /// Prepares for a body; does not block.
    ///
    /// - Throws: `HTTPError`: a coding that is not known, or a declared length over the limit.
    init(_ policy: HTTPBodyPolicy, fields: HTTPFields) throws(HTTPError) {
        self.policy = policy
        switch policy {
        case .ignored:
            (limit, coding, decoder) = (.max, .identity, nil)
        case .buffered(let limit), .spooled(let limit, _), .handed(let limit, _):
            coding = try ContentCoding(field: fields["Content-Encoding"])
            try Self.checkDeclaredLength(fields, limit: limit)
            if case .spooled(_, let directory) = policy {
                // Before anything comes, so that nothing is taken in vain.
                room = try SpoolRoom(in: directory, for: fields["Content-Length"].flatMap { Int($0) } ?? 0)
            }
            (self.limit, decoder) = (limit, coding.makeDecoder())
        }
    }

    /// Whether taking bytes needs neither a disk nor a decoder.
    var isQuick: Bool {
        switch policy {
        case .ignored, .buffered: decoder == nil
        case .spooled, .handed: false
        }
    }

    /// Takes some bytes of the body.
    mutating func receive(_ received: UnsafeRawBufferPointer) throws(HTTPError) {
        if case .ignored = policy { return }
        receivedCount += received.count
        guard let decoder else { return try keep(received) }
        try decoder.decode(received) { (decoded) throws(HTTPError) in try keep(decoded) }
    }

    /// The whole body.
    mutating func finish() throws(HTTPError) -> HTTPRequest.Body {
        if let decoder { try decoder.finish() }
        switch policy {
        case .ignored: return .none
        case .handed(_, let receiver): return .handed(receiver)
        case .buffered: return .bytes(bytes)
        case .spooled(_, let directory):
            let file = try spool(in: directory)
            try file.rewind()
            return .file(file)
        }
    }

    private mutating func keep(_ decoded: UnsafeRawBufferPointer) throws(HTTPError) {
        guard decoded.count <= limit - byteCount else { throw .contentTooLarge(limit: limit) }
        byteCount += decoded.count
        guard byteCount <= max(Self.unmeasuredBytes, receivedCount * Self.expansionLimit) else {
            throw .contentExpands(times: Self.expansionLimit)
        }
        switch policy {
        case .spooled(_, let directory): try spool(in: directory).write(decoded)
        case .handed(_, let receiver): try receiver.receive(decoded)
        case .ignored, .buffered: bytes.append(contentsOf: decoded)
        }
    }

    private mutating func spool(in directory: SpoolDirectory) throws(HTTPError) -> SpooledBody {
        if let file { return file }
        let place = if let room { room } else { try SpoolRoom(in: directory, for: 0) }
        let made = try SpooledBody(in: place)
        file = made
        return made
    }

    /// No coding makes a body of some size much longer, so a length over the limit is refused before it comes.
    private static func checkDeclaredLength(_ fields: HTTPFields, limit: Int) throws(HTTPError) {
        if let length = fields["Content-Length"].flatMap({ Int($0) }), length > limit {
            throw .contentTooLarge(limit: limit)
        }
    }
}
