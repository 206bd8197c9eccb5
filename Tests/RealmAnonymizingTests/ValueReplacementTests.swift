import Foundation
import RealmModel
import Testing

@testable import RealmAnonymizing

/// The laws of what stands for a value: one of its length and kind, the same by the same, and another for another.
struct ValueReplacementTests {
    private let values = ValueReplacement(key: (1, 2))

    /// The vectors of the paper's reference implementation: the key 00 01 … 0f, messages 00 01 … of whole words.
    @Test(
        arguments: [
            (words: 0, hash: 0x726f_db47_dd0e_0e31), (words: 1, hash: 0x93f5_f579_9a93_2462),
            (words: 2, hash: 0x3f2a_cc7f_57c2_9bdb),
        ] as [(words: Int, hash: UInt64)])
    func `hashes as SipHash does`(words: Int, hash: UInt64) {
        func word(_ first: UInt64) -> UInt64 { (0..<8).reduce(0) { $0 | (first + $1) << ($1 * 8) } }
        var sip = SipHash(key: (word(0), word(8)))
        for index in 0..<words { sip.combine(word(UInt64(index) * 8)) }
        #expect(sip.finish() == hash)
    }

    @Test(arguments: [[1], [5], [3, 4], [2, 3, 4], [10, 1, 10], [2, 2, 2, 2, 2, 2]] as [[UInt32]])
    func `a permutation maps all sequences of a shape to all`(radices: [UInt32]) {
        let all = radices.reduce([[]] as [[UInt32]]) { all, radix in
            all.flatMap { head in (0..<radix).map { head + [$0] } }
        }
        let mapped = all.map { digits in
            var digits = digits
            KeyedPermutation(key: (7, 8)).permute(&digits, radices: radices, as: .text)
            return digits
        }
        #expect(Set(mapped) == Set(all))
    }

    @Test(arguments: [2, 9, 10, 26] as [UInt32])
    func `a permutation leaves no digit as it is that is alone`(radix: UInt32) {
        for key in 0..<300 as Range<UInt64> {
            var digits: [UInt32] = [1]
            KeyedPermutation(key: (key, 8)).permute(&digits, radices: [radix], as: .integer)
            #expect(digits[0] != 1 && digits[0] < radix)
        }
    }

    @Test(arguments: [
        "", "a", "ada@example.com", "Ärger über Öl", "日本語テキスト", "😀👍🏽", "a\u{301}", "tab\tnew\nline", "\0\0",
    ])
    func `a text keeps its length and what its characters are`(text: String) {
        let replaced = self.text(text)
        #expect(replaced.utf8.count == text.utf8.count)
        #expect(replaced.unicodeScalars.map(\.utf8.count) == text.unicodeScalars.map(\.utf8.count))
        for (one, other) in zip(text.unicodeScalars, replaced.unicodeScalars) where one.isASCII {
            #expect(one.isAlphanumeric == other.isAlphanumeric && (one.value == 0) == (other.value == 0))
        }
        #expect(self.text(text) == replaced)
        #expect(text.utf8.count < 4 || replaced != text || text.allSatisfy { $0 == "\0" })
    }

    @Test func `other texts become other texts`() {
        let texts = (0..<5000).map { "user-\($0)" } + (0..<62 * 62).map { "\($0)" }
        #expect(Set(texts.map(text)).count == Set(texts).count)
        #expect(ValueReplacement(key: (1, 3)).replacement(of: .string("user-1")) != .string(text("user-1")))
    }

    @Test func `keys of dictionaries stay keys that Realm takes`() {
        let keys = (0..<2000).map { "#key \($0), (\($0 % 7))" }
        let entries = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { DictionaryEntry($0, .int(1)) }
        guard case .dictionary(let replaced) = values.replacement(of: .dictionary(entries)) else {
            Issue.record("no dictionary")
            return
        }
        #expect(replaced.allSatisfy { !$0.key.contains(".") && !$0.key.hasPrefix("$") })
        #expect(Set(replaced.map(\.key)).count == keys.count)
        #expect(replaced == replaced.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    }

    @Test(
        arguments: [0, 1, -1, 9, 10, -99, 12_345, .max, .min, .max - 1, .min + 1, 1_000_000_000_000_000_000] as [Int64])
    func `an integer keeps its sign and the number of its digits`(number: Int64) {
        guard case .int(let replaced) = values.replacement(of: .int(number)) else {
            Issue.record("no integer")
            return
        }
        #expect(replaced.signum() == number.signum())
        #expect(String(replaced.magnitude).count == String(number.magnitude).count)
    }

    /// In a set of mixed values, equal numbers of several types are one element.
    @Test func `no two numbers become one, whatever their types are`() {
        var numbers: [Value] = (-2000...2000).map { .int($0) }
        numbers += (0..<2000).map { .double(Double($0) / 8 + 0.125) } + (0..<500).map { .float(Float($0) / 3 + 0.1) }
        numbers += (1..<500).compactMap { Decimal128(coefficient: UInt128($0 * 10 + 3), exponent: -1) }.map {
            .decimal128($0)
        }
        numbers += [1e300, -1e300, .leastNonzeroMagnitude, .infinity, -.infinity, 1e15, 1e16].map { .double($0) }
        numbers += [.int(.max), .int(.min), .double(9.007199254740993e15)]
        let unique = ValueOrder.sortedUnique(numbers)
        #expect(ValueOrder.sortedUnique(unique.map { values.replacement(of: $0) }).count == unique.count)
    }

    @Test func `the same number of another type stays the same number`() {
        for number in [1, -7, 42, 999, 1_234_567] as [Int64] {
            let replaced = values.replacement(of: .int(number))
            #expect(ValueOrder.isSame(values.replacement(of: .double(Double(number))), replaced))
            #expect(ValueOrder.isSame(values.replacement(of: .float(Float(number))), replaced))
            let decimal = Decimal128(isNegative: number < 0, coefficient: UInt128(number.magnitude) * 100, exponent: -2)
            #expect(decimal.map { ValueOrder.isSame(values.replacement(of: .decimal128($0)), replaced) } == true)
        }
    }

    @Test func `numbers that are whole stay whole, and others do not become so`() {
        for number in [0.5, 1.25, 1e-300, 3.7e14, 4.4e15 + 0.5, 1e15, 123_456, .leastNonzeroMagnitude] {
            guard case .double(let replaced) = values.replacement(of: .double(number)) else { continue }
            #expect((replaced == replaced.rounded()) == (number == number.rounded()), "\(number) \(replaced)")
            #expect(replaced > 0 && replaced.isFinite)
        }
    }

    @Test func `dates keep the fineness of their fractions`() {
        for (nanoseconds, divisor) in [(5_000_000, 1_000_000), (123_456_000, 1000), (1, 1)] as [(Int32, Int32)] {
            let date = Timestamp(seconds: 1_700_000_000, nanoseconds: nanoseconds)
            guard case .date(let replaced) = values.replacement(of: .date(date)) else { continue }
            #expect(replaced.nanoseconds > 0 && replaced.nanoseconds.isMultiple(of: divisor))
            #expect(divisor == 1 || !replaced.nanoseconds.isMultiple(of: divisor * 1000))
            #expect(String(replaced.seconds).count == 10)
        }
        let early = Timestamp(seconds: -5, nanoseconds: -7)
        guard case .date(let replaced) = values.replacement(of: .date(early)) else { return }
        #expect(replaced.seconds < 0 && replaced.nanoseconds < 0)
    }

    @Test func `ids and data stay what they are, and differ`() throws {
        let bytes = (0..<256).map { UInt8($0) }
        let ids = bytes.map { byte in
            UUID(bytes: [UInt8](repeating: byte, count: 6) + [0x4a, 1, 0x8b] + [UInt8](repeating: byte, count: 7))
        }
        let replaced = ids.compactMap { $0 }.map { values.replacement(of: .uuid($0)) }
        #expect(Set(replaced).count == 256)
        for case .uuid(let id) in replaced { #expect(id.bytes[6] >> 4 == 4 && id.bytes[8] >> 4 == 8) }
        let objectIds = bytes.compactMap { ObjectId(bytes: [UInt8](repeating: $0, count: 12)) }
        #expect(Set(objectIds.map { values.replacement(of: .objectId($0)) }).count == 256)
        #expect(Set(bytes.map { values.replacement(of: .data([$0])) }).count == 256)
        #expect(values.replacement(of: .data([])) == .data([]))
    }

    private func text(_ text: String) -> String {
        if case .string(let replaced) = values.replacement(of: .string(text)) { replaced } else { "" }
    }
}

extension UnicodeScalar {
    fileprivate var isAlphanumeric: Bool { properties.isAlphabetic || ("0"..."9").contains(self) }
}
