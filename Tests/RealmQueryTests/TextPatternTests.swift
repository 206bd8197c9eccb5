import TestRandomness
import Testing

@testable import RealmQuery

/// Strings are searched in time of their length.
struct TextPatternTests {
    /// The same by trying every way, on characters.
    private func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return isLike(text, pattern.dropFirst()) || !text.isEmpty && isLike(text.dropFirst(), pattern)
        }
        guard let next = text.first, first == "?" || first == next else { return false }
        return isLike(text.dropFirst(), pattern.dropFirst())
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `LIKE fits what trying every way fits`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            func word(_ letters: [String], _ limit: Int) -> String {
                (0..<generator.below(limit)).map { _ in generator.pick(letters) ?? "" }.joined()
            }
            let text = word(["a", "b", "é", "😀"], 12)
            let pattern = word(["a", "b", "é", "*", "?"], 7)
            let expected = isLike(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
            #expect(TextPattern(like: Array(pattern.utf8)).matches(Array(text.utf8)) == expected, "\(text) \(pattern)")
        }
    }

    @Test(arguments: [1, 63, 64, 65, 128, 1000])
    func `long parts are found wherever they are`(length: Int) {
        let part = (0..<length).map { UInt8(truncatingIfNeeded: 97 + $0 % 7) }
        for before in [0, 1, 100] {
            let text = Array(repeating: UInt8(ascii: "a"), count: before) + part + [UInt8(ascii: "z")]
            #expect(TextPattern(containing: part).matches(text))
            #expect(!TextPattern(containing: part + [0]).matches(text))
        }
    }

    @Test func `what is almost there everywhere costs no more`() {
        let text = Array(repeating: UInt8(ascii: "a"), count: 1 << 20)
        let almost = Array(repeating: UInt8(ascii: "a"), count: 1000) + [UInt8(ascii: "b")]
        #expect(!TextPattern(containing: almost).matches(text))
        let stars = Array(repeating: "a?*", count: 300).joined() + "b"
        #expect(!TextPattern(like: Array(stars.utf8)).matches(text))
    }
}
