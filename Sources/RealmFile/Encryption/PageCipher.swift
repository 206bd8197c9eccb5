import CCrypto
import RealmModel

/// AES-256-CBC and HMAC-SHA224 over pages of a file, by libcrypto.
final class PageCipher {
    /// Bytes of an HMAC-SHA224.
    static let authenticatorBytes = 28

    private let key: EncryptionKey
    private let context: OpaquePointer

    /// - Throws: `InputError` where libcrypto has no memory for a context.
    init(_ key: EncryptionKey) throws(InputError) {
        guard let context = EVP_CIPHER_CTX_new() else {
            throw InputError(.wrongEncryptionKey, "The file can't be decrypted: there is no cipher.")
        }
        self.key = key
        self.context = context
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// The HMAC of the bytes of a page as the file has them.
    func authenticator(of page: UnsafeRawBufferPointer) -> [UInt8] {
        key.authenticationKey.withUnsafeBytes { key in
            [UInt8](unsafeUninitializedCapacity: Self.authenticatorBytes) { buffer, count in
                var length: UInt32 = 0
                let written = HMAC(
                    EVP_sha224(), key.baseAddress, Int32(key.count),
                    page.baseAddress?.assumingMemoryBound(to: UInt8.self), page.count, buffer.baseAddress, &length)
                count = written == nil ? 0 : Int(length)
            }
        }
    }

    /// Decrypts a page to memory of its size.
    ///
    /// - Parameters:
    ///   - counter: the number that the page was encrypted with, as the file has it.
    ///   - position: bytes from the start of the decrypted file.
    /// - Returns: whether libcrypto could.
    func decrypt(
        _ page: UnsafeRawBufferPointer, counter: UInt32, position: Int, to plain: UnsafeMutableRawBufferPointer
    ) -> Bool {
        run(.decrypt, page, counter: counter, position: position, to: plain)
    }

    /// Encrypts a page to memory of its size; the parameters and the result are those of `decrypt`.
    func encrypt(
        _ page: UnsafeRawBufferPointer, counter: UInt32, position: Int, to encrypted: UnsafeMutableRawBufferPointer
    ) -> Bool {
        run(.encrypt, page, counter: counter, position: position, to: encrypted)
    }

    /// The two ways through the cipher, as libcrypto counts them.
    private enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    private func run(
        _ direction: Direction, _ page: UnsafeRawBufferPointer, counter: UInt32, position: Int,
        to result: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var vector = [UInt8](repeating: 0, count: 16)
        vector.withUnsafeMutableBytes {
            $0.storeBytes(of: counter.littleEndian, toByteOffset: 0, as: UInt32.self)
            $0.storeBytes(of: UInt64(position).littleEndian, toByteOffset: 4, as: UInt64.self)
        }
        guard let source = page.baseAddress, let target = result.baseAddress, result.count >= page.count else {
            return false
        }
        return key.cipherKey.withUnsafeBytes { key in
            var written: Int32 = 0
            return EVP_CipherInit_ex(
                context, EVP_aes_256_cbc(), nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), vector,
                direction.rawValue) == 1
                && EVP_CIPHER_CTX_set_padding(context, 0) == 1
                && EVP_CipherUpdate(
                    context, target.assumingMemoryBound(to: UInt8.self), &written,
                    source.assumingMemoryBound(to: UInt8.self), Int32(page.count)) == 1
                && Int(written) == page.count
        }
    }
}
