/// Text as a terminal may get it.
enum TerminalText {
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
        // Marks that turn the direction of what follows.
        case 0x202a...0x202e, 0x2066...0x2069: true
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
