import CCrypto
import FileStore
import Foundation
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
        let digest = try digest(of: file, name: name)
        guard let source = RealmModel.UUID(bytes: digest.prefix(RealmModel.UUID.byteCount)) else {
            throw FileError(path: name, reason: "libcrypto makes no SHA-256 of it")
        }
        return ScriptOrigin(source: source, time: time)
    }

    /// SHA-256 (FIPS 180-4) of the whole file; nothing where libcrypto refuses.
    private static func digest(of file: Int32, name: String) throws(FileError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { return [] }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { return [] }
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        var offset: off_t = 0
        while true {
            let count = pread(file, &chunk, chunk.count, offset)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .last(name) }
            guard count > 0 else { break }
            guard EVP_DigestUpdate(context, chunk, count) == 1 else { return [] }
            offset += off_t(count)
        }
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &digest, &length) == 1 else { return [] }
        return Array(digest.prefix(Int(length)))
    }
}
