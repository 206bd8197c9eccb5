/// Our own scanner of one JSON value (RFC 8259), which knows where every word of the tape stands.
///
/// The fast path is simdjson's; it says that something is wrong, this says where. It runs when simdjson refuses a value
/// and when a value's place is asked for, and it takes integers of any length, which simdjson does not.
struct JSONScanner {
    /// How deep arrays and objects may nest.
    static let depthLimit = 500

    private(set) var words: [UInt64] = []
    private(set) var strings: [UInt8] = []
    /// For each word, where its token starts: bytes from the start of the run.
    private(set) var offsets: [Int] = []

    private let bytes: UnsafeRawBufferPointer
    /// The last word that is asked for.
    private let lastWord: Int
    private var position = 0

    /// Starts before a run of bytes, which has to stay where it is while the scanner is used.
    ///
    /// - Parameter lastWord: behind which the scan ends, as if something were wrong.
    init(_ bytes: UnsafeRawBufferPointer, upTo lastWord: Int = .max) {
        self.bytes = bytes
        self.lastWord = lastWord
    }

    /// Scans exactly one value with nothing but white space around it.
    mutating func scan() throws(JSONSyntaxError) {
        try append(UInt8(ascii: "r"), 0, at: 0)
        skipSpace()
        try scanValue(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw error("something follows the value") }
        try append(UInt8(ascii: "r"), 0, at: position)
    }

    private func error(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(reason: reason, offset: position) }

    private func endError() -> JSONSyntaxError { error("the end is missing") }

    private mutating func append(_ tag: UInt8, _ payload: Int, at offset: Int) throws(JSONSyntaxError) {
        guard words.count <= lastWord else { throw error("no more is asked for") }
        words.append(UInt64(tag) << 56 | UInt64(payload))
        offsets.append(offset)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func scanValue(depth: Int) throws(JSONSyntaxError) {
        guard let byte = current else { throw endError() }
        switch byte {
        case UInt8(ascii: "{"): try scanObject(depth: depth)
        case UInt8(ascii: "["): try scanArray(depth: depth)
        case UInt8(ascii: "\""): try scanString()
        case UInt8(ascii: "t"): try scanWord("true", JSONTape.Tag.true)
        case UInt8(ascii: "f"): try scanWord("false", JSONTape.Tag.false)
        case UInt8(ascii: "n"): try scanWord("null", JSONTape.Tag.null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
        default: throw error("a value has to stand here")
        }
    }

    private mutating func scanWord(_ word: StaticString, _ tag: UInt8) throws(JSONSyntaxError) {
        let start = position
        for expected in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) {
            guard let byte = current else { throw endError() }
            guard byte == expected else { throw error("a value has to stand here") }
            position += 1
        }
        try append(tag, 0, at: start)
    }

    // MARK: Containers

    private mutating func scanObject(depth: Int) throws(JSONSyntaxError) {
        let start = try open(JSONTape.Tag.object, depth: depth)
        if current != UInt8(ascii: "}") {
            repeat {
                skipSpace()
                guard let byte = current else { throw endError() }
                guard byte == UInt8(ascii: "\"") else { throw error("a member's name has to stand here") }
                try scanString()
                skipSpace()
                try expect(UInt8(ascii: ":"), "a colon has to stand here")
                skipSpace()
                try scanValue(depth: depth + 1)
                skipSpace()
            } while takeComma()
        }
        try close(start, UInt8(ascii: "}"), JSONTape.Tag.object, "a comma or } has to stand here")
    }

    private mutating func scanArray(depth: Int) throws(JSONSyntaxError) {
        let start = try open(JSONTape.Tag.array, depth: depth)
        if current != UInt8(ascii: "]") {
            repeat {
                skipSpace()
                try scanValue(depth: depth + 1)
                skipSpace()
            } while takeComma()
        }
        try close(start, UInt8(ascii: "]"), JSONTape.Tag.array, "a comma or ] has to stand here")
    }

    private mutating func open(_ tag: UInt8, depth: Int) throws(JSONSyntaxError) -> Int {
        guard depth < Self.depthLimit else { throw error("values nest deeper than \(Self.depthLimit) levels") }
        try append(tag, 0, at: position)
        position += 1
        skipSpace()
        return words.count - 1
    }

    private mutating func close(
        _ start: Int, _ byte: UInt8, _ tag: UInt8, _ reason: String
    ) throws(JSONSyntaxError) {
        let place = position
        try expect(byte, reason)
        try append(byte, start, at: place)
        words[start] = UInt64(tag) << 56 | UInt64(words.count)
    }

    private mutating func expect(_ byte: UInt8, _ reason: String) throws(JSONSyntaxError) {
        guard let found = current else { throw endError() }
        guard found == byte else { throw error(reason) }
        position += 1
    }

    private mutating func takeComma() -> Bool {
        guard current == UInt8(ascii: ",") else { return false }
        position += 1
        return true
    }

    // MARK: Strings

    private mutating func scanString() throws(JSONSyntaxError) {
        try append(JSONTape.Tag.string, strings.count, at: position)
        let header = strings.count
        strings.append(contentsOf: [0, 0, 0, 0])
        let start = position
        position += 1
        var isASCII = true
        while let byte = current, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw error("a control character has to be escaped in a string") }
            if byte == UInt8(ascii: "\\") {
                try scanEscape()
            } else {
                isASCII = isASCII && byte < 0x80
                strings.append(byte)
                position += 1
            }
        }
        guard current != nil else { throw endError() }
        position += 1
        guard isASCII || String(validating: strings[(header + 4)...], as: UTF8.self) != nil else {
            throw JSONSyntaxError(reason: "a string is not UTF-8", offset: start)
        }
        // No slice may live here: it would make the next line copy all strings so far.
        let length = UInt32(truncatingIfNeeded: strings.count - header - 4)
        for place in 0..<4 { strings[header + place] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(place))) }
        strings.append(0)
    }

    private mutating func scanEscape() throws(JSONSyntaxError) {
        let start = position
        position += 1
        guard let byte = current else { throw endError() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): strings.append(byte)
        case UInt8(ascii: "b"): strings.append(0x08)
        case UInt8(ascii: "f"): strings.append(0x0c)
        case UInt8(ascii: "n"): strings.append(0x0a)
        case UInt8(ascii: "r"): strings.append(0x0d)
        case UInt8(ascii: "t"): strings.append(0x09)
        case UInt8(ascii: "u"): try scanCodePoint(from: start)
        default: throw JSONSyntaxError(reason: "an escape that JSON has not", offset: start)
        }
    }

    private mutating func scanCodePoint(from start: Int) throws(JSONSyntaxError) {
        var code = try scanFourDigits()
        if code & 0xfc00 == 0xd800, current == UInt8(ascii: "\\") {
            position += 1
            try expect(UInt8(ascii: "u"), "half of a surrogate pair")
            let low = try scanFourDigits()
            if low & 0xfc00 == 0xdc00 { code = 0x1_0000 + (code & 0x3ff) << 10 + low & 0x3ff }
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw JSONSyntaxError(reason: "half of a surrogate pair", offset: start)
        }
        strings.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func scanFourDigits() throws(JSONSyntaxError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw endError() }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): code = code << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): code = code << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): code = code << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: throw error("four hexadecimal digits have to stand here")
            }
            position += 1
        }
        return code
    }

    // MARK: Numbers

    private mutating func scanNumber() throws(JSONSyntaxError) {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") { position += 1 } else { try scanDigits() }
        var isInteger = true
        if current == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try scanDigits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if current == UInt8(ascii: "-") || current == UInt8(ascii: "+") { position += 1 }
            try scanDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let number = Int64(text) { return try append(number: UInt64(bitPattern: number), "l", at: start) }
        if isInteger, let number = UInt64(text) { return try append(number: number, "u", at: start) }
        guard let number = Double(text), number.isFinite else {
            throw JSONSyntaxError(reason: "a number that no double holds", offset: start)
        }
        try append(number: number.bitPattern, isInteger ? "b" : "d", at: start)
    }

    private mutating func append(number: UInt64, _ tag: Unicode.Scalar, at offset: Int) throws(JSONSyntaxError) {
        try append(UInt8(ascii: tag), 0, at: offset)
        words.append(number)
        offsets.append(offset)
    }

    private mutating func scanDigits() throws(JSONSyntaxError) {
        guard let first = current else { throw endError() }
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { throw error("a digit has to stand here") }
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    }
}
