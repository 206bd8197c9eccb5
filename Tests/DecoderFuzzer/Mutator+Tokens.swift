/// Changes to the tokens of a JSON text.
extension Mutator {
    private static let tokens: [String] = [
        "null", "true", "false", "0", "-0", "1e999", "-1e-999", "1.5", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551615", "18446744073709551616", "123456789012345678901234567890",
        "\"\"", "\"\\u0000\"", "\"\\ud800\"", "\"\\ud83d\\ude00\"", "[]", "{}", "[[]]", "{\"\":0}", "\"NaN\"",
        "\"Infinity\"", "\"1E6144\"", "\"9999999999999999999999999999999999E6111\"", "\"2024-02-30T00:00:00Z\"",
        "\"-292277022399-01-01T00:00:00.000000000Z\"", "\"+999999-12-31T23:59:60Z\"", "\"AAAA====\"", "\"mixed\"",
        "\"dictionary\"", "\"set\"", "\"list\"", "\"embedded\"", "\"linkingObjects\"", "\"object\"", "\"objectId\"",
        "\"e\\u0301\"", "\"\\u00e9\"", ",", ":", "{", "}", "[", "]", "\n", "\u{feff}", "\"$type\"", "\"$link\"",
        "\"schemaVersion\"", "\"schema\"", "\"objects\"", "\"class\"", "\"primaryKey\"", "\"properties\"",
    ]

    /// The places of the text where tokens end or start.
    private static let delimiters = Set(",:{}[]\n".utf8)

    mutating func changeToken() {
        guard !bytes.isEmpty else { return bytes.append(contentsOf: "{}".utf8) }
        let token = token(in: bytes)
        switch generator.below(8) {
        case 0, 1, 2: bytes.replaceSubrange(token, with: Array((generator.pick(Self.tokens) ?? "null").utf8))
        case 3: bytes.removeSubrange(token)
        case 4: bytes.replaceSubrange(token, with: Array(bytes[self.token(in: bytes)]))
        case 5 where !other.isEmpty: bytes.replaceSubrange(token, with: Array(other[self.token(in: other)]))
        case 6: nest(token)
        default: repeatMember(token)
        }
    }

    /// From one delimiter to the next.
    private mutating func token(in text: [UInt8]) -> Range<Int> {
        var start = generator.below(text.count)
        while start > 0, !Self.delimiters.contains(text[start - 1]) { start -= 1 }
        var end = start
        while end < text.count, !Self.delimiters.contains(text[end]) { end += 1 }
        return start..<end
    }

    /// Wraps a value in arrays or objects, at times deeper than is allowed.
    private mutating func nest(_ token: Range<Int>) {
        let depth = 1 << generator.below(generator.below(16) == 0 ? 18 : 8)
        let isArray = generator.below(2) == 0
        let opening = [UInt8]((isArray ? "[" : "{\"a\":").utf8)
        bytes.insert(contentsOf: [UInt8](repeating: isArray ? 0x5d : 0x7d, count: depth), at: token.upperBound)
        bytes.insert(contentsOf: (0..<depth).flatMap { _ in opening }, at: token.lowerBound)
    }

    /// Puts a token and what follows it into the text once more.
    private mutating func repeatMember(_ token: Range<Int>) {
        let end = min(token.upperBound + 1 + generator.below(64), bytes.count)
        bytes.insert(contentsOf: Array(bytes[token.lowerBound..<end]), at: token.lowerBound)
    }
}
