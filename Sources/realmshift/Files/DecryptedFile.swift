import Foundation
import RealmFile
import RealmModel

/// The plain bytes of an encrypted realm file, in a file without a name.
enum DecryptedFile {
    /// Decrypts a file page by page.
    ///
    /// A file that is not encrypted is copied as it is: a key that is not needed does no harm.
    ///
    /// - Parameters:
    ///   - file: a descriptor of a regular file; stays the caller's.
    ///   - key: 64 bytes.
    /// - Returns: a descriptor that the caller closes.
    /// - Throws: `InputError` where the key does not fit or a page is damaged; `FileError`.
    static func make(of file: Int32, key: [UInt8]) throws -> Int32 {
        guard let key = EncryptionKey(bytes: key) else {
            throw InputError(.wrongEncryptionKey, "An encryption key is \(EncryptionKey.byteCount) bytes.")
        }
        let plain = try TemporaryFile.open()
        do {
            try MappedFile(descriptor: file, path: "the realm").withBytes { bytes in
                guard EncryptedRealmFile.isPlausible(bytes) else {
                    return try FileWriting.write(bytes, to: plain, named: "a temporary file")
                }
                try EncryptedRealmFile(bytes: bytes, key: key).decrypt {
                    try FileWriting.write($0, to: plain, named: "a temporary file")
                }
            }
        } catch {
            close(plain)
            throw error
        }
        return plain
    }
}
