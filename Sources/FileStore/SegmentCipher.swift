import CCrypto

/// Enciphers the segments of a temporary file by AES-256 in counter mode (NIST SP 800-38A), with a key that no other file has and that
/// is in memory alone.
///
/// A realm may have been encrypted: what is decoded of it must not be on a disk for whoever copies that. Belongs to one thread.
final class SegmentCipher {
    /// The cipher could not be made.
    struct Unavailable: Error, CustomStringConvertible {
        let description = "The cipher for temporary files is not available."
    }

    private let context: OpaquePointer

    init() throws {
        guard let context = EVP_CIPHER_CTX_new() else { throw Unavailable() }
        self.context = context
        var generator = SystemRandomNumberGenerator()
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        guard EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nil, key, nil) == 1 else {
            throw Unavailable()
        }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Enciphers a segment, or deciphers it again.
    ///
    /// - Parameters:
    ///   - bytes: fewer than 2 GiB.
    ///   - output: has room for as many.
    ///   - ordinal: the number of the segment. Two segments with one number would show how they differ.
    func apply(_ bytes: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, segment ordinal: Int) throws {
        // The first half of the counter tells the segments apart, the second one their blocks.
        var counter = [UInt8](repeating: 0, count: 16)
        withUnsafeBytes(of: UInt64(ordinal).bigEndian) { counter.replaceSubrange(0..<8, with: $0) }
        var count: Int32 = 0
        guard EVP_EncryptInit_ex(context, nil, nil, nil, counter) == 1,
            EVP_EncryptUpdate(
                context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &count,
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count)) == 1,
            Int(count) == bytes.count
        else { throw Unavailable() }
    }
}
