/// Why realms of a fleet failed, in words that are the same for all that failed for the same reason.
///
/// Scripts tell in their messages which object it was: numbers and what stands in quotes is left out of those, so that a thousand
/// realms have one cause and not a thousand.
public struct FailureCause: Hashable, Sendable {
    /// Characters of a cause at most.
    public static let lengthLimit = 300

    /// The cause as it is grouped by and shown.
    public let text: String

    /// The cause of a failure.
    ///
    /// - Parameters:
    ///   - code: the problem's code, in snake_case.
    ///   - message: what happened.
    ///   - line: the line of the script, where it was one.
    ///   - isOfScript: whether a script has put the message together.
    public init(code: String, message: String, line: Int?, isOfScript: Bool) {
        // U+0000 is none that PostgreSQL's texts have.
        let words = (isOfScript ? Self.general(message) : message).filter { $0 != "\0" }
        let place = line.map { " (line \($0))" } ?? ""
        let room = Self.lengthLimit - code.count - 2 - place.count
        text = "\(code): \(words.prefix(max(room, 0)))\(place)"
    }

    /// A message without what tells one object from another; as it is where it is so already.
    static func general(_ message: String) -> String {
        var result = ""
        var rest = Substring(message)
        while let character = rest.first {
            if let end = closing(of: character), let close = rest.dropFirst().firstIndex(of: end),
                !isInWord(result, character)
            {
                result += "\(character)…\(end)"
                rest = rest[rest.index(after: close)...]
            } else if character.isNumber {
                rest = rest.drop(while: \.isNumber)
                result += "…"
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func closing(of character: Character) -> Character? {
        switch character {
        case "\"", "'", "`": character
        case "“": "”"
        case "«": "»"
        default: nil
        }
    }

    /// Whether it is the apostrophe of a word, as in “isn't”.
    private static func isInWord(_ before: String, _ character: Character) -> Bool {
        character == "'" && before.last?.isLetter == true
    }
}
