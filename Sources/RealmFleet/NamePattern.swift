/// Which names of realms are meant: any where a `*` stands, as in `tenant-*`.
public struct NamePattern: Hashable, Sendable {
    /// The pattern as it is written.
    public let text: String

    /// Wraps a pattern.
    public init(_ text: String) { self.text = text }

    /// Whether it means more than the one name that it is.
    public var hasWildcards: Bool { text.utf8.contains(UInt8(ascii: "*")) }

    /// The pattern as SQL's LIKE has it.
    public var like: String {
        var like = ""
        for character in text {
            switch character {
            case "*": like += "%"
            case "%", "_", "\\": like += "\\\(character)"
            default: like.append(character)
            }
        }
        return like
    }
}
