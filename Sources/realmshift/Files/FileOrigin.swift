import CCrypto
import FileStore
import Glibc
import RealmMigration
import RealmModel

/// Where the time and chance of a script come from that migrates a file.
enum FileOrigin {
    private static let chunkBytes = 1 << 20

    /// The origin of a regular file.
    ///
    /// - Parameter name: what the file is called in errors.
    /// - Throws: `FileError`.
    static func of(_ file: Int32, name: String) throws(FileError) -> ScriptOrigin {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .last(name) }
        let time = Timestamp(seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int32(status.st_mtim.tv_nsec))
        guard let source = RealmModel.UUID(bytes: try fingerprint(of: file, name: name)) else {
            throw FileError(path: name, reason: "libcrypto makes no AES-GMAC of it")
        }
        return ScriptOrigin(source: source, time: time)
    }

    /// Sixteen bytes that follow from all of the file's: AES-GMAC (NIST SP 800-38D) under a key of zeros, which goes through a file some
    /// times faster than a digest; nothing where libcrypto refuses.
    ///
    /// Nobody relies on it but for different numbers: who makes two files with the same ones has the same chance in both.
    private static func fingerprint(of file: Int32, name: String) throws(FileError) -> [UInt8] {
        guard let context = EVP_CIPHER_CTX_new() else { return [] }
        defer { EVP_CIPHER_CTX_free(context) }
        let zeros = [UInt8](repeating: 0, count: 16)
        guard EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, zeros, zeros) == 1 else { return [] }
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        var offset: off_t = 0
        var written: Int32 = 0
        while true {
            let count = pread(file, &chunk, chunk.count, offset)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .last(name) }
            guard count > 0 else { break }
            // Without a place for encrypted bytes these are only authenticated.
            guard EVP_EncryptUpdate(context, nil, &written, chunk, Int32(count)) == 1 else { return [] }
            offset += off_t(count)
        }
        var fingerprint = [UInt8](repeating: 0, count: 16)
        guard EVP_EncryptFinal_ex(context, nil, &written) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &fingerprint) == 1
        else { return [] }
        return fingerprint
    }
}
