/// Names of apps, `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`, and of realms, which may also have `@ | : + =`.
public enum ResourceName {
    /// Whether something of a kind can have the name.
    public static func isValid(_ name: String, of thing: StoreError.Thing) -> Bool {
        guard let first = name.utf8.first, isAlphanumeric(first), name.utf8.count <= 128 else { return false }
        let others = punctuation(in: thing)
        return name.utf8.allSatisfy { isAlphanumeric($0) || others.utf8.contains($0) }
    }

    /// The rule in words, for the end of a sentence.
    public static func rule(of thing: StoreError.Thing) -> String {
        let marks = punctuation(in: thing).map { "“\($0)”" }
        return "1 to 128 ASCII letters, digits, \(marks.dropLast().joined(separator: ", ")) and \(marks.last ?? ""), "
            + "the first a letter or digit"
    }

    /// - Throws: `StoreError.invalidName`.
    package static func check(_ name: String, of thing: StoreError.Thing) throws(StoreError) {
        guard isValid(name, of: thing) else { throw .invalidName(thing) }
    }

    /// The marks that names of realms may have behind the first letter or digit.
    static let realmPunctuation = "._@|:+=-"

    private static func punctuation(in thing: StoreError.Thing) -> String {
        thing == .realm ? realmPunctuation : "._-"
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
