import RealmModel

/// Texts of a property that are one and the same where they are now, though they were several: “1.11.1” and “11.1.1” as 1111.
///
/// Holds the spellings of a bounded number of short texts.
struct Spellings {
    private static let limit = (texts: 4_096, bytes: 64)

    /// What is not told of the first text of some letters and digits, and its object.
    private var first: [[UInt8]: (untold: [UInt8], text: String, key: Int64)] = [:]
    /// Those texts that are no others any more.
    private(set) var merged = LostValues()
    private var told: Set<[UInt8]> = []

    /// Notes a text whose words are all there.
    ///
    /// - Parameter untold: says what is not told of a text with some words.
    mutating func note(_ text: String, of key: Int64, _ untold: (ValueWords) throws -> [UInt8]) rethrows {
        guard text.utf8.count <= Self.limit.bytes else { return }
        var words = ValueWords()
        words.add(text: text.utf8)
        let untold = try untold(words)
        guard let known = first[words.squeezed] else {
            if first.count < Self.limit.texts { first[words.squeezed] = (untold, text, key) }
            return
        }
        guard known.untold != untold else { return }
        if told.insert(words.squeezed).inserted { merged.add(known.key, .string(known.text), nil) }
        merged.add(key, .string(text), nil)
    }
}
