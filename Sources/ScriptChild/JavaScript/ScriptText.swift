/// A script's text without its comments, as far as they are told without parsing it.
///
/// Up to its first slash that begins no comment a program has no regular expression, and quotes, templates and comments are what they seem.
/// From there on nothing is left out.
struct ScriptText {
    /// The text with a blank for each character of a comment.
    let code: String
    /// Whether there is a slash outside of texts and comments.
    let hasSlash: Bool

    init(_ source: String) {
        var reader = Reader(Array(source.utf8))
        hasSlash = reader.read()
        code = String(decoding: reader.bytes, as: UTF8.self)
    }

    private struct Reader {
        private(set) var bytes: [UInt8]
        private var place = 0
        /// The braces that are open in each value inside of a template that the place is in.
        private var openBraces: [Int] = []

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// Whether there is a slash outside of texts and comments.
        mutating func read() -> Bool {
            // Comments of HTML and of the shell are told by where they stand.
            guard !starts("#!"), !contains("<!--"), !contains("-->") else {
                return bytes.contains(UInt8(ascii: "/"))
            }
            while place < bytes.count {
                switch bytes[place] {
                case UInt8(ascii: "/"):
                    if starts("//") { leaveOutLine() } else if starts("/*") { leaveOutBlock() } else { return true }
                case UInt8(ascii: "'"), UInt8(ascii: "\""): skipText()
                case UInt8(ascii: "`"):
                    place += 1
                    skipTemplate()
                case UInt8(ascii: "{"):
                    if let last = openBraces.indices.last { openBraces[last] += 1 }
                    place += 1
                case UInt8(ascii: "}"): closeBrace()
                default: place += 1
                }
            }
            return false
        }

        private func starts(_ text: StaticString) -> Bool { starts(text, at: place) }

        private func starts(_ text: StaticString, at place: Int) -> Bool {
            place + text.utf8CodeUnitCount <= bytes.count
                && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[place + $0] == text.utf8Start[$0] }
        }

        private func contains(_ text: StaticString) -> Bool { bytes.indices.contains { starts(text, at: $0) } }

        /// Whether a line ends here; U+2028 and U+2029 end one, too.
        private var isAtLineEnd: Bool {
            bytes[place] == UInt8(ascii: "\n") || bytes[place] == UInt8(ascii: "\r")
                || starts("\u{2028}") || starts("\u{2029}")
        }

        private mutating func leaveOut() {
            bytes[place] = UInt8(ascii: " ")
            place += 1
        }

        private mutating func leaveOutLine() {
            while place < bytes.count, !isAtLineEnd { leaveOut() }
        }

        private mutating func leaveOutBlock() {
            leaveOut()
            leaveOut()
            while place < bytes.count, !starts("*/") {
                // The end of a line may end a statement.
                if isAtLineEnd { place += 1 } else { leaveOut() }
            }
            for _ in 0..<2 where place < bytes.count { leaveOut() }
        }

        private mutating func skipText() {
            let quote = bytes[place]
            place += 1
            while place < bytes.count, bytes[place] != quote {
                place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            place += 1
        }

        /// Goes on inside of a template, up to its end or to a value.
        private mutating func skipTemplate() {
            while place < bytes.count, bytes[place] != UInt8(ascii: "`") {
                if starts("${") {
                    openBraces.append(0)
                    place += 2
                    return
                }
                place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            place += 1
        }

        private mutating func closeBrace() {
            place += 1
            guard let last = openBraces.indices.last else { return }
            if openBraces[last] > 0 {
                openBraces[last] -= 1
            } else {
                openBraces.removeLast()
                skipTemplate()
            }
        }
    }
}
