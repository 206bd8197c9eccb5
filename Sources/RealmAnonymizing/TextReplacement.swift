/// Strings of the same length in bytes, letter for letter or digit, mark for mark.
struct TextReplacement {
    let permutation: KeyedPermutation

    /// The replacement of a text.
    func replacement(of text: String) -> String {
        replace(text) { _ in true }
    }

    /// The replacement of a dictionary's key, which is one that Realm takes.
    func replacement(ofKey key: String) -> String {
        guard Self.isKey(key) else { return replacement(of: key) }
        return replace(key, until: Self.isKey)
    }

    private static func isKey(_ key: String) -> Bool { !key.utf8.contains(UInt8(ascii: ".")) && !key.hasPrefix("$") }

    private func replace(_ text: String, until isIn: (String) -> Bool) -> String {
        let alphabets = text.unicodeScalars.map(Alphabet.init)
        guard !alphabets.isEmpty else { return text }
        var digits = zip(alphabets, text.unicodeScalars).map { $0.digit(of: $1) }
        func spelled(_ digits: [UInt32]) -> String {
            var scalars = String.UnicodeScalarView()
            for (alphabet, digit) in zip(alphabets, digits) { scalars.append(alphabet.scalar(of: digit)) }
            return String(scalars)
        }
        permutation.permute(&digits, radices: alphabets.map(\.count), as: .text) { isIn(spelled($0)) }
        return spelled(digits)
    }
}

/// The characters that one may be replaced by: of its length in UTF-8 and of its kind.
private enum Alphabet {
    /// ASCII's letters and digits.
    case alphanumeric
    /// The rest of ASCII that is printed, the space included.
    case mark
    /// ASCII's controls without NUL, which many places can't hold.
    case control
    /// A run of characters from one on, none of them a surrogate.
    case block(start: UInt32, count: UInt32)

    private static let alphanumerics = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)
    private static let marks = (UInt8(0x20)...0x7e).map { UnicodeScalar($0) }.filter { !alphanumerics.contains($0) }
    private static let controls = ((UInt8(1)...0x1f) + [0x7f]).map { UnicodeScalar($0) }
    private static let places = [alphanumerics, marks, controls].reduce(into: [UnicodeScalar: UInt32]()) {
        places, all in
        for (place, scalar) in all.enumerated() { places[scalar] = UInt32(place) }
    }

    init(_ scalar: UnicodeScalar) {
        switch scalar.value {
        case 0: self = .block(start: 0, count: 1)
        case 1...0x1f, 0x7f: self = .control
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: self = .alphanumeric
        case ..<0x80: self = .mark
        case ..<0x800: self = .block(start: scalar.value & ~0x3f, count: 0x40)
        default: self = .block(start: scalar.value & ~0x3ff, count: 0x400)
        }
    }

    var count: UInt32 {
        switch self {
        case .alphanumeric: UInt32(Self.alphanumerics.count)
        case .mark: UInt32(Self.marks.count)
        case .control: UInt32(Self.controls.count)
        case .block(_, let count): count
        }
    }

    func digit(of scalar: UnicodeScalar) -> UInt32 {
        if case .block(let start, _) = self { scalar.value - start } else { Self.places[scalar] ?? 0 }
    }

    func scalar(of digit: UInt32) -> UnicodeScalar {
        switch self {
        case .alphanumeric: Self.alphanumerics[Int(digit)]
        case .mark: Self.marks[Int(digit)]
        case .control: Self.controls[Int(digit)]
        case .block(let start, _): UnicodeScalar(start + digit) ?? "\u{fffd}"
        }
    }
}
