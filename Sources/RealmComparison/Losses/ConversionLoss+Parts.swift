import RealmModel

/// Conversions of values that have parts: collections, texts that become collections, and what is written as a text.
extension ConversionLoss {
    /// The loss where a part of a value is left and another part is not; nil where nothing is lost, or that can't be told.
    static func ofParts(_ old: Value, _ new: Value) -> ConversionLoss? {
        switch (old, new) {
        case (.date(let date), _) where new.number != nil:
            let isCut = new.number == Double(date.seconds) && !date.isWholeSecond
            return isCut ? .truncated : nil
        case (_, .string(let text)) where !old.isCollection:
            return old.writings.contains { isPart(text, of: $0) } ? .truncated : nil
        case (.string(let text), .list), (.string(let text), .dictionary):
            var (sought, words) = (ValueWords(), ValueWords())
            sought.add(text: text.utf8)
            words.add(new)
            let found = Set(sought.words).intersection(words.words)
            return !found.isEmpty && !words.contain(old) ? .truncated : nil
        case (.list, _), (.dictionary, _): return ofCollection(old, new)
        default: return nil
        }
    }

    private static func ofCollection(_ old: Value, _ new: Value) -> ConversionLoss? {
        var words = ValueWords()
        words.add(new)
        let leaves = old.leaves
        let missing = words.missing(leaves, exactDates: true)
        if missing.isEmpty, !leaves.isEmpty { return nil }
        if case (.list(let old), .list(let new)) = (old, new), old.count == new.count {
            let found = zip(old, new).lazy.compactMap { ConversionLoss(from: $0, to: $1) }.first
            return found == .zero ? .truncated : found
        }
        let isFewerLinks = missing.allSatisfy(\.isLink) && new.leaves.count < leaves.count
        return missing.count < leaves.count || isFewerLinks && !missing.isEmpty ? .truncated : nil
    }

    /// Whether a text has the beginning or the end of another one alone, but for signs and small letters.
    private static func isPart(_ text: String, of writing: String) -> Bool {
        let (part, whole) = (squeezed(text), squeezed(writing))
        guard !part.isEmpty, part.count < whole.count else { return false }
        let rest: ArraySlice<UInt8>
        if whole.starts(with: part) {
            rest = whole.dropFirst(part.count)
        } else if whole.suffix(part.count).elementsEqual(part) {
            rest = whole.dropLast(part.count)
        } else {
            return false
        }
        // Midnight is written or not as one likes.
        return rest.contains { ![UInt8(ascii: "0"), UInt8(ascii: "t"), UInt8(ascii: "z"), 0].contains($0) }
    }

    private static func squeezed(_ text: String) -> [UInt8] {
        var words = ValueWords()
        words.add(text: text.utf8)
        return words.squeezed.filter { $0 != 0 }
    }
}

extension Timestamp {
    /// Whether nothing of milliseconds is in it.
    var isWholeSecond: Bool { nanoseconds / 1_000_000 == 0 }

    /// Without what is smaller than a millisecond: as much as scripts know.
    var inMilliseconds: Timestamp {
        Timestamp(seconds: seconds, nanoseconds: nanoseconds / 1_000_000 * 1_000_000)
    }
}

extension Value {
    /// Whether it is a list, a set or a dictionary.
    var isCollection: Bool {
        switch self {
        case .list, .dictionary: true
        default: false
        }
    }

    /// The single values in it that are not empty; of flags those that are set.
    var leaves: [Value] {
        switch self {
        case .list(let elements): elements.flatMap(\.leaves)
        case .dictionary(let entries): entries.flatMap(\.value.leaves)
        case .bool(let flag): flag ? [self] : []
        default: isHollow ? [] : [self]
        }
    }

    /// How it is written as a text, of values that are none.
    var writings: [String] {
        switch self {
        case .uuid(let id): ["\(id)"]
        case .objectId(let id): ["\(id)"]
        case .date(let date): ["\(date.inMilliseconds)".filter { $0 != "Z" }]
        case .data(let bytes):
            [
                Self.hexadecimal(bytes.prefix(ValueWords.dataLimit)),
                Self.base64(Array(bytes.prefix(ValueWords.dataLimit))),
            ]
        default: []
        }
    }

    /// In base64 (RFC 4648) without what fills the end.
    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let three = bytes[start..<min(start + 3, bytes.count)]
            let number = three.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - three.count))
            for place in 0...three.count { text.append(digits[number >> (18 - 6 * place) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
