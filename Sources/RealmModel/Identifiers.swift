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
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        for (index, character) in text.utf8.enumerated() {
            let isDash = index == 8 || index == 13 || index == 18 || index == 23
            guard index < 36, isDash == (character == UInt8(ascii: "-")) else { return nil }
            if !isDash { digits.append(character) }
        }
        guard let bytes = Hexadecimal.decode(digits) else { return nil }
        self.init(bytes: bytes)
    }
}

extension UUID: CustomStringConvertible {
    /// The form 8-4-4-4-12 in lower case.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        appendText(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the form 8-4-4-4-12 in UTF-8.
    public func appendText(to text: inout [UInt8]) {
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            Hexadecimal.append(byte, to: &text)
        }
    }

    /// The nil UUID, Realm's value for a required property that was never set.
    public static let zero = UUID(unchecked: [UInt8](repeating: 0, count: byteCount))

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// Base 16 of RFC 4648, written in lower case.
public enum Hexadecimal {
    /// Two digits a byte, lower case.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the two digits of a byte.
    static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(digit(byte >> 4))
        text.append(digit(byte & 15))
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    /// The bytes of an even number of digits of either case; nil for anything else.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
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
