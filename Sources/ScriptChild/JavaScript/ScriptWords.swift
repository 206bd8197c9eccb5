/// The words of a script's code: names and words of the language, and texts that are a name.
struct ScriptWords {
    /// Each once.
    let names: Set<String>
    /// Those that may be declared where they stand, as variables or functions.
    let declared: Set<String>

    /// - Parameter bare: the code without comments and texts (`ScriptText.bare`).
    init(_ bare: [UInt8]) {
        let declaring: Set<String> = ["var", "function"]
        var (names, listed, declared): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        var before = ""
        var place = 0
        while place < bare.count {
            guard ScriptSyntax.isInName(bare[place]) else {
                place += 1
                continue
            }
            let end = bare[place...].firstIndex { !ScriptSyntax.isInName($0) } ?? bare.count
            let word = String(decoding: bare[place..<end], as: UTF8.self)
            names.insert(word)
            // A list of variables, or a pattern of them.
            if Self.isInList(place, in: bare) { listed.insert(word) }
            if declaring.contains(before) { declared.insert(word) }
            (before, place) = (word, end)
        }
        self.names = names
        self.declared = names.contains("var") ? declared.union(listed) : declared
    }

    /// Whether what stands before a place may begin, or go on with, a list or a pattern.
    private static func isInList(_ place: Int, in bare: [UInt8]) -> Bool {
        guard let end = bare[..<place].lastIndex(where: { $0 > 0x20 }) else { return false }
        return Array(",{[:".utf8).contains(bare[end]) || bare[...end].suffix(3).elementsEqual("...".utf8)
    }

    /// Words that a script has no use for which runs as a function, or which come by the language in other ways than by a name.
    private static let refused: Set<String> = [
        "this", "super", "class", "extends", "static", "with", "yield", "async", "await", "import", "export",
        "debugger",
        // Who catches an error sees where it was, and how deep the calls were.
        "try", "catch", "finally",
        "arguments", "eval", "caller", "callee", "displayName", "prototype", "constructor", "__proto__", "valueOf",
        "stack", "line",
        "column",
        "sourceURL", SharedScript.name,
    ]

    /// The words of a text whose script may run for one realm after the other in a world; nil for every other.
    ///
    /// Such a text is read to its end without knowing the grammar, its code is ASCII without escapes, puts no names together and has none of
    /// the refused words. Which parts of the language it names is looked at in the world itself (`sharing.js`).
    init?(sharing text: ScriptText) {
        guard let bare = text.bare, bare.allSatisfy({ $0 < 0x80 }), !ComputedNames.mayBeUsed(in: text.code),
            !Self.hasRareEscape(text.code), !Self.hasMetaProperty(bare)
        else { return nil }
        self.init(bare)
        guard names.isDisjoint(with: Self.refused) else { return nil }
        // By it the members of an error are read by names that are put together.
        guard !names.contains("stringify") || names.isDisjoint(with: ["Error", "TypeError", "RangeError"]) else {
            return nil
        }
    }

    /// Whether there is a backslash before anything but a quote, a backslash, or the letters of ends of lines and tabulators.
    private static func hasRareEscape(_ code: String) -> Bool {
        var isEscaped = false
        return code.utf8.contains { byte in
            guard isEscaped else {
                isEscaped = byte == UInt8(ascii: "\\")
                return false
            }
            isEscaped = false
            return !Array("nrt'\"`\\".utf8).contains(byte)
        }
    }

    /// Whether a function may ask how it was called, by `new.target`.
    private static func hasMetaProperty(_ bare: [UInt8]) -> Bool {
        let code = bare.filter { $0 > 0x20 }
        return code.indices.contains { code[$0...].starts(with: "new.".utf8) }
    }
}
