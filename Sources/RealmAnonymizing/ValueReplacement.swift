import RealmModel

/// The replacement of each value in an anonymized copy: one of its length and kind, the same for the same value.
///
/// No two values of a type become one, so that primary keys stay unique and sets keep their elements. Booleans, nulls and
/// links stay as they are.
public struct ValueReplacement: Sendable {
    private let texts: TextReplacement
    private let numbers: NumberReplacement
    private let permutation: KeyedPermutation

    /// Replaces by a key; who has it can turn every value back.
    public init(key: (UInt64, UInt64)) {
        permutation = KeyedPermutation(key: key)
        texts = TextReplacement(permutation: permutation)
        numbers = NumberReplacement(permutation: permutation)
    }

    /// Replaces by a key that nobody keeps.
    public init() {
        self.init(key: (.random(in: .min ... .max), .random(in: .min ... .max)))
    }

    /// The replacement of a value.
    ///
    /// - Parameter collection: what the property holds; a set's elements come back in Realm's order.
    public func replacement(of value: Value, in collection: CollectionKind = .none) -> Value {
        switch value {
        case .null, .bool, .link, .typedLink: value
        case .int(let number): .int(numbers.replacement(of: number))
        case .float(let number): .float(numbers.replacement(of: number))
        case .double(let number): .double(numbers.replacement(of: number))
        case .decimal128(let number): .decimal128(numbers.replacement(of: number))
        case .string(let text): .string(texts.replacement(of: text))
        case .data(let bytes): .data(replacement(of: bytes))
        case .date(let date): .date(numbers.replacement(of: date))
        case .objectId(let id): .objectId(ObjectId(bytes: nibbles(of: id.bytes, fixed: [])) ?? id)
        // The version and the variant (RFC 9562, section 4) say what made a UUID.
        case .uuid(let id): .uuid(UUID(bytes: nibbles(of: id.bytes, fixed: [12, 16])) ?? id)
        case .list(let elements):
            .list(ordered(elements.map { replacement(of: $0) }, in: collection))
        case .dictionary(let entries):
            .dictionary(
                entries.map { DictionaryEntry(texts.replacement(ofKey: $0.key), replacement(of: $0.value)) }
                    .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        }
    }

    private func ordered(_ elements: [Value], in collection: CollectionKind) -> [Value] {
        collection == .set ? ValueOrder.sortedUnique(elements) : elements
    }

    private func replacement(of bytes: [UInt8]) -> [UInt8] {
        var digits = bytes.map { UInt32($0) }
        permutation.permute(&digits, radices: [UInt32](repeating: 256, count: digits.count), as: .bytes)
        return digits.map { UInt8($0) }
    }

    /// - Parameter fixed: the hexadecimal digits that stay.
    private func nibbles(of bytes: [UInt8], fixed: Set<Int>) -> [UInt8] {
        let source = bytes.flatMap { [UInt32($0 >> 4), UInt32($0 & 15)] }
        var digits = source.enumerated().map { fixed.contains($0.offset) ? 0 : $0.element }
        let radices = source.indices.map { UInt32(fixed.contains($0) ? 1 : 16) }
        let tweak = fixed.sorted().reduce(UInt64(bytes.count)) { $0 << 8 | UInt64(source[$1]) }
        permutation.permute(&digits, radices: radices, as: .identifier, tweak: tweak)
        for index in fixed { digits[index] = source[index] }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
