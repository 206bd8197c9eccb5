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
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { buffer in
            var written = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                encode(bytes[start..<min(start + 3, bytes.count)], into: buffer, at: written)
                written += 4
            }
            return written
        }
    }

    private static func encode(
        _ group: ArraySlice<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) {
        var bits: UInt32 = 0
        for byte in group { bits = bits << 8 | UInt32(byte) }
        bits <<= UInt32(3 - group.count) * 8
        for place in 0..<4 {
            let sextet = Int(bits >> UInt32(18 - 6 * place) & 63)
            buffer[start + place] = place <= group.count ? alphabet[sextet] : padding
        }
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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        for start in stride(from: 0, to: text.count, by: 4) {
            let isLast = start + 4 == text.count
            guard decode(text[start..<start + 4], mayBePadded: isLast, into: &bytes) else { return nil }
        }
        return bytes
    }

    private static func decode(
        _ group: Slice<UnsafeBufferPointer<UInt8>>, mayBePadded: Bool, into bytes: inout [UInt8]
    ) -> Bool {
        let characters = mayBePadded ? group.reversed().drop { $0 == padding }.count : 4
        guard characters >= 2 else { return false }
        var bits: UInt32 = 0
        for character in group.prefix(characters) {
            let sextet = sextets[Int(character)]
            guard sextet != invalid else { return false }
            bits = bits << 6 | UInt32(sextet)
        }
        bits <<= UInt32(4 - characters) * 6
        for place in 0..<characters - 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * place))) }
        return bits & (1 << UInt32(24 - 8 * (characters - 1)) - 1) == 0
    }
}
