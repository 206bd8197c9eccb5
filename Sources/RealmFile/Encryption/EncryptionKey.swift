import RealmModel

/// The 64 bytes that encrypt a file: half for the cipher, half for the authentication of pages.
public struct EncryptionKey: Hashable, Sendable {
    /// The number of bytes of every key.
    public static let byteCount = 64

    /// Exactly 64 bytes.
    package let bytes: [UInt8]

    /// Wraps 64 bytes; nil for any other number.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads 128 hexadecimal digits of either case.
    public init?(hexadecimal text: String) {
        guard let bytes = Hexadecimal.decode(text.utf8) else { return nil }
        self.init(bytes: bytes)
    }

    /// The half for AES-256.
    var cipherKey: ArraySlice<UInt8> { bytes[..<32] }
    /// The half for HMAC-SHA224.
    var authenticationKey: ArraySlice<UInt8> { bytes[32...] }
}

extension EncryptionKey: CustomStringConvertible, CustomReflectable {
    /// Says what this is and never the key.
    public var description: String { "EncryptionKey" }

    /// Nothing, so that no dump shows the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
