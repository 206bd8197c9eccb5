/// Messages about a name that is none of those that there are.
public enum UnknownName {
    /// The longest name that is repeated whole, in characters.
    private static let longest = 100

    /// Sentences with the name, the one that was probably meant, and those that there are.
    ///
    /// - Parameters:
    ///   - name: the name; a long one is cut.
    ///   - kind: what it would name, such as `member`.
    ///   - subject: what has none of that name, at the beginning of a sentence.
    ///   - known: the names that it has.
    public static func message(_ name: String, kind: String, of subject: String, known: [String]) -> String {
        let cut = name.count > longest ? name.prefix(longest) + "…" : name[...]
        let nearest = NearestName.find(name, among: known).map { ": “\($0)” is the nearest" } ?? ""
        let others = known.isEmpty ? "It has none." : "It has \(known.joined(separator: ", "))."
        return "\(subject) has no \(kind) “\(cut)”\(nearest). \(others)"
    }
}
