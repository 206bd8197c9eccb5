/// A name with `*` for any text and `?` for any character.
public struct NamePattern {
    private let pattern: [Character]

    /// Takes the pattern as it is written.
    public init(_ text: some StringProtocol) { pattern = Array(text) }

    /// Whether it stands for more than one name.
    public var isOpen: Bool { pattern.contains { $0 == "*" || $0 == "?" } }

    /// Whether a name fits.
    public func fits(_ name: String) -> Bool {
        let name = Array(name)
        var (inName, inPattern) = (0, 0)
        /// Behind the last star, and as far as it reaches by now.
        var star: (pattern: Int, name: Int)?
        while inName < name.count {
            if inPattern < pattern.count, pattern[inPattern] == "*" {
                inPattern += 1
                star = (inPattern, inName)
            } else if inPattern < pattern.count, pattern[inPattern] == "?" || pattern[inPattern] == name[inName] {
                (inName, inPattern) = (inName + 1, inPattern + 1)
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                (inPattern, inName) = (last.pattern, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == "*" }
    }
}
