/// Undoes the content coding of a body while it streams in (RFC 9110, section 8.4).
protocol ContentDecoder: AnyObject {
    /// Decodes some bytes and hands on what comes out, in pieces.
    func decode(_ bytes: UnsafeRawBufferPointer, into output: (UnsafeRawBufferPointer) throws(HTTPError) -> Void)
        throws(HTTPError)
    /// Checks that the end of the body is the end of the coding.
    func finish() throws(HTTPError)
}

/// The content codings that are read here.
enum ContentCoding: String {
    case identity
    case gzip
    case zstd

    /// The coding that a `Content-Encoding` field names.
    init(field: String?) throws(HTTPError) {
        let field = field ?? ""
        let codings: [(String, ContentCoding)] = [
            ("", .identity), ("identity", .identity), ("gzip", .gzip), ("x-gzip", .gzip), ("zstd", .zstd),
        ]
        guard let coding = codings.first(where: { field.isToken($0.0) }) else {
            throw .unsupportedContentCoding(field)
        }
        self = coding.1
    }

    /// A decoder for one body; nil for the identity.
    func makeDecoder() -> (any ContentDecoder)? {
        switch self {
        case .identity: nil
        case .gzip: GzipDecoder()
        case .zstd: ZstdDecoder()
        }
    }
}
