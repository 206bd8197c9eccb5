import CCrypto

/// SHA-256 of FIPS 180-4, by libcrypto.
enum SHA256 {
    /// The 32 bytes of a digest.
    static func digest(_ message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            CCrypto.SHA256(message, message.count, digest.baseAddress)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}
