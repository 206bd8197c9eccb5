/// Finds the end of a request's head in bytes that come in parts (RFC 9112, section 2).
///
/// Every line ends with CR LF. A line that ends with LF alone is refused as soon as it is seen: what a proxy takes for
/// one line, this server must not take for two.
struct RequestHeadScanner: Equatable {
    /// The bytes of a head at most.
    static let limit = 64 << 10

    /// Where the request line starts: one empty line may stand before it.
    private(set) var start = 0
    private var lineStart = 0
    private var scanned = 0

    /// The end of the head, the empty line included; nil where it has not come yet.
    ///
    /// - Parameter bytes: those of the call before, and what came since.
    mutating func end(in bytes: UnsafeRawBufferPointer) throws(HTTPError) -> Int? {
        while let lineFeed = lineFeed(in: bytes) {
            scanned = lineFeed + 1
            guard scanned <= Self.limit else { throw .headTooLarge(limit: Self.limit) }
            guard lineFeed > lineStart, bytes[lineFeed - 1] == UInt8(ascii: "\r") else {
                throw .malformedMessage("A line of the head ends without a carriage return.")
            }
            let isEmpty = lineFeed - 1 == lineStart
            lineStart = scanned
            guard isEmpty else { continue }
            if lineFeed != start + 1 { return scanned }
            guard start == 0 else { throw .malformedMessage("There are empty lines where a request should begin.") }
            start = scanned
        }
        scanned = bytes.count
        guard scanned <= Self.limit else { throw .headTooLarge(limit: Self.limit) }
        return nil
    }

    private func lineFeed(in bytes: UnsafeRawBufferPointer) -> Int? {
        var index = scanned
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { return index }
            index += 1
        }
        return nil
    }
}
