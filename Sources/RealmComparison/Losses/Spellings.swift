import RealmModel

/// Texts of a property that are one and the same where they are now, though they were several: “1.11.1” and “11.1.1” as 1111.
///
/// Looks at a bounded number of short texts.
struct Spellings {
    private static let limit = (texts: 4_096, bytes: 64)

    /// What is not told of the first text of some letters and digits, and its object.
    private var first: [[UInt8]: (untold: [UInt8], text: String, key: Int64)] = [:]
    /// Those texts that are no others any more.
    private(set) var merged = LostValues()
    private var told: Set<[UInt8]> = []

    /// Whether more texts are looked at.
    var areWanted: Bool { first.count < Self.limit.texts }

    /// Notes a text whose words are all there.
    ///
    /// - Parameter untold: says what is not told of a text with some words.
    mutating func note(_ text: String, of key: Int64, _ untold: (ValueWords) throws -> [UInt8]) rethrows {
        guard text.utf8.count <= Self.limit.bytes, Self.mayBeMerged(text) else { return }
        var words = ValueWords()
        words.add(text: text.utf8)
        let untold = try untold(words)
        guard let known = first[words.squeezed] else {
            first[words.squeezed] = (untold, text, key)
            return
        }
        guard known.untold != untold else { return }
        if told.insert(words.squeezed).inserted { merged.add(known.key, .string(known.text), nil) }
        merged.add(key, .string(text), nil)
    }

    /// Whether a text has signs, or no letters.
    private static func mayBeMerged(_ text: String) -> Bool {
        var hasLetter = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "-") || Takers.tellingSigns.contains(byte) { return true }
            hasLetter = hasLetter || ValueWords.isLetter(byte) && !ValueWords.isDigit(byte)
        }
        return !hasLetter
    }
}
