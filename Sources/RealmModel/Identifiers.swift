/// A BSON ObjectId: twelve bytes in textual order.
public struct ObjectId: Hashable, Sendable {
    /// The number of bytes of every ObjectId.
    public static let byteCount = 12
    /// Exactly twelve bytes.
    public let bytes: [UInt8]

    /// Wraps twelve bytes; nil for any other number.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads 24 hexadecimal digits of either case.
    public init?(_ text: String) {
        guard let bytes = Hexadecimal.decode(text.utf8) else { return nil }
        self.init(bytes: bytes)
    }
}

extension ObjectId: CustomStringConvertible {
    /// 24 lower-case hexadecimal digits.
    public var description: String { Hexadecimal.encode(bytes) }

    /// The all-zero ObjectId, Realm's value for a required property that was never set.
    public static let zero = ObjectId(unchecked: [UInt8](repeating: 0, count: byteCount))

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// An RFC 9562 UUID: sixteen bytes in textual order.
public struct UUID: Hashable, Sendable {
    /// The number of bytes of every UUID.
    public static let byteCount = 16
    /// Exactly sixteen bytes.
    public let bytes: [UInt8]

    /// Wraps sixteen bytes; nil for any other number.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads the form 8-4-4-4-12 of hexadecimal digits of either case.
    public init?(_ text: String) {
        let text = Array(text.utf8)
        let dashes = [8, 13, 18, 23]
        guard text.count == 36, dashes.allSatisfy({ text[$0] == UInt8(ascii: "-") }) else { return nil }
        let digits = text.indices.filter { !dashes.contains($0) }.map { text[$0] }
        guard let bytes = Hexadecimal.decode(digits) else { return nil }
        self.init(bytes: bytes)
    }
}

extension UUID: CustomStringConvertible {
    /// The form 8-4-4-4-12 in lower case.
    public var description: String {
        let hex = Array(Hexadecimal.encode(bytes).utf8)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            .map { String(decoding: hex[$0], as: UTF8.self) }
            .joined(separator: "-")
    }

    /// The nil UUID, Realm's value for a required property that was never set.
    public static let zero = UUID(unchecked: [UInt8](repeating: 0, count: byteCount))

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// Base 16 of RFC 4648, written in lower case.
public enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two digits a byte, lower case.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes of an even number of digits of either case; nil for anything else.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let nibble = nibble(character) else { return nil }
            if let half = high {
                bytes.append(half << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        return bytes
    }

    private static func nibble(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
