/// Members that a program asks for by names that it puts together while it runs, `o[name]` and `const {[name]: value} = o`.
enum ComputedNames {
    /// Behind these a bracket begins an array; as names they stand behind a dot alone.
    private static let reserved: Set<String> = [
        "case", "const", "delete", "do", "else", "in", "instanceof", "let", "new", "return", "throw", "typeof", "var",
        "void",
    ]

    /// Whether a program may do that; false is certain.
    ///
    /// Brackets in texts and comments are taken for code.
    static func mayBeUsed(in source: String) -> Bool {
        let bytes = Array(source.utf8)
        if isLetName(in: bytes) { return true }
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "["):
                if isBehindValue(place, in: bytes), !isPlain(behind: place, in: bytes) { return true }
            case UInt8(ascii: "]"):
                // In a pattern, or in an object that is made, perhaps of a function. A comment may stand between.
                let next = bytes[(place + 1)...].first { !isBlank($0) }
                if let next, Array(":(/".utf8).contains(next) { return true }
            default: break
            }
        }
        return false
    }

    /// Whether what stands before a bracket is a value, or the end of a comment.
    private static func isBehindValue(_ place: Int, in bytes: [UInt8]) -> Bool {
        let before = bytes[..<place]
        guard let end = before.lastIndex(where: { !isBlank($0) }) else { return false }
        if ScriptSyntax.isInName(before[end]) {
            let start = (before[...end].lastIndex { !ScriptSyntax.isInName($0) } ?? -1) + 1
            let word = String(decoding: before[start...end], as: UTF8.self)
            let dot = before[..<start].last { !isBlank($0) }
            return !reserved.contains(word) || dot == UInt8(ascii: ".") || dot == UInt8(ascii: "#")
        }
        return Array(")]}.\"'`/".utf8).contains(before[end])
    }

    /// Whether a variable may have the name `let`, which sloppy code permits: then a bracket behind it asks for a member.
    ///
    /// Where it declares, a name, a bracket or a brace stands behind it; where it is declared or assigned, something else does, or a word that
    /// declares stands before it.
    private static func isLetName(in bytes: [UInt8]) -> Bool {
        var before: ArraySlice<UInt8> = []
        var place = 0
        while place < bytes.count {
            guard ScriptSyntax.isInName(bytes[place]) else {
                if !isBlank(bytes[place]) { before = [] }
                place += 1
                continue
            }
            let word = bytes[place...].prefix(while: ScriptSyntax.isInName)
            if word.elementsEqual("let".utf8) {
                let next = bytes[word.endIndex...].drop(while: isBlank)
                guard let first = next.first,
                    ScriptSyntax.isInName(first) || first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
                else { return true }
                let name = next.prefix(while: ScriptSyntax.isInName)
                if ["in", "of", "instanceof"].contains(where: { name.elementsEqual($0.utf8) }) { return true }
                if ["var", "function", "const", "let", "class"].contains(where: { before.elementsEqual($0.utf8) }) {
                    return true
                }
            }
            (before, place) = (word, word.endIndex)
        }
        return false
    }

    /// Whether a bracket holds a number or a text, both without anything to work out.
    private static func isPlain(behind place: Int, in bytes: [UInt8]) -> Bool {
        let inside = bytes[(place + 1)...].drop(while: isBlank)
        guard let first = inside.first else { return false }
        let rest: ArraySlice<UInt8>
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            let text = inside.dropFirst().prefix { $0 != first }
            guard !text.contains(UInt8(ascii: "\\")) else { return false }
            rest = inside.dropFirst(text.count + 2)
        } else {
            let digits = inside.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty else { return false }
            rest = inside.dropFirst(digits.count)
        }
        return rest.first { !isBlank($0) } == UInt8(ascii: "]")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
}
