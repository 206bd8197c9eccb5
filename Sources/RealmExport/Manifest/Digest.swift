import CCrypto

/// SHA-256 of bytes that come part by part.
final class Digest {
    private let context: OpaquePointer?

    init() {
        context = EVP_MD_CTX_new()
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next bytes.
    func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The 32 bytes; nothing may follow.
    func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { bytes, count in
            var size: UInt32 = 0
            EVP_DigestFinal_ex(context, bytes.baseAddress, &size)
            count = Int(size)
        }
    }
}
