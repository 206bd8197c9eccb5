/// The words of a script's text: names and words of the language, in code, texts and comments alike.
struct ScriptWords {
    /// Each once.
    let names: Set<String>
    /// Those that may be declared where they stand, as variables or functions.
    let declared: Set<String>

    init(_ source: String) {
        let bytes = Array(source.utf8)
        let declaring: Set<String> = ["var", "function"]
        var (names, listed, declared): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        var before = ""
        var place = 0
        while place < bytes.count {
            guard ScriptSyntax.isInName(bytes[place]) else {
                place += 1
                continue
            }
            let end = bytes[place...].firstIndex { !ScriptSyntax.isInName($0) } ?? bytes.count
            let word = String(decoding: bytes[place..<end], as: UTF8.self)
            names.insert(word)
            // A list of variables, or a pattern of them.
            if Self.isInList(place, in: bytes) { listed.insert(word) }
            if declaring.contains(before) { declared.insert(word) }
            (before, place) = (word, end)
        }
        self.names = names
        self.declared = names.contains("var") ? declared.union(listed) : declared
    }

    /// Whether what stands before a place may begin, or go on with, a list or a pattern.
    private static func isInList(_ place: Int, in bytes: [UInt8]) -> Bool {
        guard let end = bytes[..<place].lastIndex(where: { $0 > 0x20 }) else { return false }
        return Array(",{[:*/".utf8).contains(bytes[end]) || bytes[...end].suffix(3).elementsEqual("...".utf8)
    }
}
