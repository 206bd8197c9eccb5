/// Base 64 of RFC 4648, section 4: the standard alphabet, padded, in one line.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    private static let invalid: UInt8 = 0xff
    private static let sextets: [UInt8] = {
        var sextets = [UInt8](repeating: invalid, count: 256)
        for (sextet, character) in alphabet.enumerated() { sextets[Int(character)] = UInt8(sextet) }
        return sextets
    }()

    /// The text of bytes, four characters for every three begun.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of bytes in UTF-8.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let alphabet = alphabet
        func append(_ bits: UInt32, characters: Int) {
            for place in 0..<characters { text.append(alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]) }
        }
        for start in stride(from: 0, to: bytes.count - 2, by: 3) {
            let bits = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
            append(bits, characters: 4)
        }
        let rest = bytes.suffix(bytes.count % 3)
        guard !rest.isEmpty else { return }
        append(
            rest.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - rest.count)), characters: rest.count + 1)
        for _ in rest.count..<3 { text.append(padding) }
    }

    /// The bytes of a text; nil where it is not exactly what `encode` writes for them.
    ///
    /// No white space, the padding complete, and the bits that no byte holds zero.
    public static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode(utf8: $0) }
    }

    /// The bytes of a text in UTF-8; nil where it is not exactly what `encode` writes for them.
    public static func decode(utf8 text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let paddingCount = text.suffix(2).reversed().prefix { $0 == padding }.count
        let table = sextets
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        for position in 0..<text.count - paddingCount {
            let sextet = table[Int(text[position])]
            guard sextet != invalid else { return nil }
            bits = bits << 6 | UInt32(sextet)
            guard position & 3 == 3 else { continue }
            for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
            bits = 0
        }
        guard paddingCount > 0 else { return bytes }
        return appendLast(bits << UInt32(6 * paddingCount), count: 3 - paddingCount, to: &bytes) ? bytes : nil
    }

    /// Appends the bytes of a padded group; false where bits are set that no byte holds.
    private static func appendLast(_ bits: UInt32, count: Int, to bytes: inout [UInt8]) -> Bool {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * place))) }
        return bits & (1 << UInt32(24 - 8 * count) - 1) == 0
    }
}
