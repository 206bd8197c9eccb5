/// How the body of a request is framed, and how far it was read (RFC 9112, sections 6 and 7).
struct BodyFraming: Equatable, Sendable {
    private enum State: Equatable {
        /// Bytes that are left of a body with a length.
        case counted(Int)
        /// At the start of a chunk's size.
        case size
        /// Behind some digits of a size.
        case digits(Int, count: Int)
        /// Behind a size, in what extends it, which nobody here understands.
        case extending(Int, count: Int)
        /// At the LF behind a size.
        case sizeEnd(Int)
        /// Bytes that are left of a chunk.
        case data(Int)
        /// At the CR, and at the LF, behind a chunk.
        case dataEnd, dataLineFeed
        /// At the start of a line behind the last chunk.
        case trailer(count: Int)
        /// In such a line, and at its LF.
        case trailerLine(count: Int), trailerLineFeed(count: Int)
        /// At the LF of the empty line.
        case lastLineFeed
        case end
    }

    /// The bytes of extensions and trailers at most.
    private static let extraLimit = 4096
    private var state: State

    /// A body of a length, at least 1.
    static func counted(_ length: Int) -> BodyFraming { BodyFraming(state: .counted(length)) }

    /// A body in chunks.
    static var chunked: BodyFraming { BodyFraming(state: .size) }

    /// Whether all of the body was read.
    var isAtEnd: Bool { state == .end }

    /// Bytes that are still to come; nil where chunks do not say.
    var announced: Int? {
        switch state {
        case .counted(let rest): rest
        case .end: 0
        default: nil
        }
    }

    /// Reads on, up to the end of the bytes, of the body or of a run of content.
    ///
    /// - Returns: how many bytes were read, and which of them are content.
    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) -> (count: Int, content: Range<Int>) {
        var position = 0
        while position < bytes.count, !isAtEnd {
            if let left = contentLeft {
                let end = position + min(left, bytes.count - position)
                leaveContent(end - position)
                return (end, position..<end)
            }
            try readFraming(bytes[position])
            position += 1
        }
        return (position, position..<position)
    }

    private var contentLeft: Int? {
        switch state {
        case .counted(let left), .data(let left): left
        default: nil
        }
    }

    private mutating func leaveContent(_ count: Int) {
        switch state {
        case .counted(let left): state = left == count ? .end : .counted(left - count)
        case .data(let left): state = left == count ? .dataEnd : .data(left - count)
        default: break
        }
    }

    private mutating func readFraming(_ byte: UInt8) throws(HTTPError) {
        switch state {
        case .counted, .data, .end: break
        case .size: state = .digits(try Self.digit(byte), count: 1)
        case .digits(let size, let count): state = try Self.behindDigits(byte, size: size, count: count)
        case .extending(let size, let count):
            state = byte == UInt8(ascii: "\r") ? .sizeEnd(size) : .extending(size, count: try Self.extra(byte, count))
        case .sizeEnd(let size):
            try Self.expect(UInt8(ascii: "\n"), byte)
            state = size == 0 ? .trailer(count: 0) : .data(size)
        case .dataEnd: state = try Self.expect(UInt8(ascii: "\r"), byte, then: .dataLineFeed)
        case .dataLineFeed: state = try Self.expect(UInt8(ascii: "\n"), byte, then: .size)
        case .trailer(let count):
            state = byte == UInt8(ascii: "\r") ? .lastLineFeed : .trailerLine(count: try Self.extra(byte, count))
        case .trailerLine(let count):
            state =
                byte == UInt8(ascii: "\r")
                ? .trailerLineFeed(count: count) : .trailerLine(count: try Self.extra(byte, count))
        case .trailerLineFeed(let count):
            state = try Self.expect(UInt8(ascii: "\n"), byte, then: .trailer(count: count))
        case .lastLineFeed: state = try Self.expect(UInt8(ascii: "\n"), byte, then: .end)
        }
    }

    private static func behindDigits(_ byte: UInt8, size: Int, count: Int) throws(HTTPError) -> State {
        switch byte {
        case UInt8(ascii: "\r"): return .sizeEnd(size)
        case UInt8(ascii: ";"): return .extending(size, count: 0)
        default:
            guard count < 15 else { throw .malformedMessage("A chunk is too long.") }
            return .digits(size << 4 | (try digit(byte)), count: count + 1)
        }
    }

    private static func digit(_ byte: UInt8) throws(HTTPError) -> Int {
        guard let digit = PercentEncoding.digit(byte) else {
            throw .malformedMessage("The size of a chunk is not a hexadecimal number.")
        }
        return Int(digit)
    }

    /// Counts a byte of what is passed over.
    private static func extra(_ byte: UInt8, _ count: Int) throws(HTTPError) -> Int {
        guard RequestHeadParser.isFieldContent(byte), count < extraLimit else {
            throw .malformedMessage("A chunk's extension or a trailer is too long or has a control character.")
        }
        return count + 1
    }

    private static func expect(_ wanted: UInt8, _ byte: UInt8) throws(HTTPError) {
        guard byte == wanted else { throw .malformedMessage("A chunk does not end where its size says.") }
    }

    private static func expect(_ wanted: UInt8, _ byte: UInt8, then next: State) throws(HTTPError) -> State {
        try expect(wanted, byte)
        return next
    }
}
