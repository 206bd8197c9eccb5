/// Whether a script looks at the version that a realm comes from, as far as its words tell: it is not run, and comments and
/// texts in quotes are passed over.
struct VersionUse {
    /// Names and signs in their order, white space left out; a name that a dot stands before has it.
    private let words: [String]

    init(in source: String) {
        var words: [String] = []
        var rest = Substring(source)
        while let character = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else if character == "'" || character == "\"" {
                rest = Self.behindText(rest, character)
            } else if Self.isInName(character) {
                let name = rest.prefix(while: Self.isInName)
                words.append((words.last == "." ? "." : "") + name)
                rest = rest.dropFirst(name.count)
            } else {
                if !character.isWhitespace { words.append(String(character)) }
                rest = rest.dropFirst()
            }
        }
        self.words = words
    }

    /// A text in quotes ends with its line at the latest.
    private static func behindText(_ text: Substring, _ quote: Character) -> Substring {
        var rest = text.dropFirst()
        while let character = rest.first, character != quote, !character.isNewline {
            rest = rest.dropFirst(character == "\\" ? 2 : 1)
        }
        return rest.dropFirst()
    }

    private static func isInName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$"
    }

    /// Whether the version is asked for in any way.
    var asksForVersion: Bool {
        let asking = [".oldSchemaVersion", ".schemaVersion", "arguments"]
        if words.contains(where: asking.contains) { return true }
        let parameter = versionParameter
        if let parameter, words.filter({ $0 == parameter }).count > 1 { return true }
        return parameter != "oldSchemaVersion" && words.contains("oldSchemaVersion")
    }

    /// The name that `migrate` gives its second argument.
    private var versionParameter: String? {
        for index in words.indices where words[index] == "migrate" {
            guard let open = words[index...].prefix(4).firstIndex(of: "("), open + 3 < words.endIndex,
                words[open + 2] == ","
            else { continue }
            return words[open + 3]
        }
        return nil
    }
}
