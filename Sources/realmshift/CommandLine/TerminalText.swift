import RealmJSON

/// Text as a terminal may get it.
enum TerminalText {
    /// JSON in one line, in which the characters are escaped that `plain` replaces: its readers get them as they are, and a terminal
    /// does not.
    static func json(_ value: JSONValue) -> String {
        let text = String(decoding: value.encoded(), as: UTF8.self)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                let digits = String(scalar.value, radix: 16)
                escaped += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// A text as a cell of a table, where line breaks and tabs are blanks.
    static func cell(_ text: String) -> String {
        String(
            String.UnicodeScalarView(plain(text).unicodeScalars.map { "\t\n".unicodeScalars.contains($0) ? " " : $0 }))
    }

    /// The text with each control character but line breaks and tabs as `?`: names and messages come from files and
    /// scripts, and must not move the cursor or change colours.
    static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a: false
        case ..<0x20, 0x7f..<0xa0: true
        // Marks that turn the direction of what follows, and separators of lines.
        case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    /// The columns that a text takes at most: wide characters take two.
    static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    /// As much of a text as fits into some columns.
    static func prefix(_ text: String, columns limit: Int) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += columns(character)
                return used <= limit
            })
    }

    private static func columns(_ character: Character) -> Int {
        character.unicodeScalars.contains { $0.value >= 0x1100 && !(0x2000..<0x2e80).contains($0.value) } ? 2 : 1
    }
}
