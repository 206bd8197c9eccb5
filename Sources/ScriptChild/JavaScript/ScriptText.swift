/// A script's text without its comments, as far as they are told without parsing it.
///
/// Up to its first slash that begins no comment a program has no regular expression, and quotes, templates and comments are what they seem.
/// From there on nothing is left out.
struct ScriptText {
    /// The text with a blank for each character of a comment, and for each blank beyond ASCII.
    let code: String
    /// Whether there is a slash outside of texts and comments.
    let hasSlash: Bool
    /// The code with a blank for each character of texts and templates, but for texts that are a name; nil where there is a slash, or
    /// a comment of a kind that is not read.
    let bare: [UInt8]?

    init(_ source: String) {
        var reader = Reader(Self.withPlainBlanks(source))
        hasSlash = reader.read()
        code = String(decoding: reader.bytes, as: UTF8.self)
        bare = hasSlash || !reader.isRead ? nil : reader.bare
    }

    /// The text with blanks and ends of lines of ASCII alone (ECMA-262, white space and line terminators).
    private static func withPlainBlanks(_ source: String) -> [UInt8] {
        guard !source.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(source.utf8) }
        var bytes: [UInt8] = []
        for scalar in source.unicodeScalars {
            switch scalar {
            case "\u{2028}", "\u{2029}": bytes.append(UInt8(ascii: "\n"))
            case "\u{FEFF}": bytes.append(UInt8(ascii: " "))
            case _ where !scalar.isASCII && scalar.properties.generalCategory == .spaceSeparator:
                bytes.append(UInt8(ascii: " "))
            default: bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        return bytes
    }

    private struct Reader {
        private(set) var bytes: [UInt8]
        private(set) var bare: [UInt8]
        /// Whether all kinds of comments that it has are read.
        private(set) var isRead = true
        private var place = 0
        /// The braces that are open in each value inside of a template that the place is in.
        private var openBraces: [Int] = []

        init(_ bytes: [UInt8]) { (self.bytes, bare) = (bytes, bytes) }

        /// Whether there is a slash outside of texts and comments.
        mutating func read() -> Bool {
            // Comments of HTML and of the shell are told by where they stand.
            guard !starts("#!"), !contains("<!--"), !contains("-->") else {
                isRead = false
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

        private var isAtLineEnd: Bool { bytes[place] == UInt8(ascii: "\n") || bytes[place] == UInt8(ascii: "\r") }

        private mutating func leaveOut() {
            (bytes[place], bare[place]) = (UInt8(ascii: " "), UInt8(ascii: " "))
            place += 1
        }

        /// Takes a range out of the bare text.
        private mutating func bareOut(_ range: Range<Int>) {
            for place in range where place < bare.count { bare[place] = UInt8(ascii: " ") }
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
            let start = place
            while place < bytes.count, bytes[place] != quote {
                place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            let text = start..<min(place, bytes.count)
            if !bytes[text].allSatisfy({ $0 < 0x80 && ScriptSyntax.isInName($0) }) { bareOut(text) }
            place += 1
        }

        /// Goes on inside of a template, up to its end or to a value.
        private mutating func skipTemplate() {
            let start = place
            var end: Int { max(start, min(place, bytes.count) - 1) }
            defer { bareOut(start..<end) }
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
