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
                    try checkHeader(bytes)
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

    /// Refuses what is no Realm file either: cut off, an encrypted one is of another shape.
    private static func checkHeader(_ bytes: UnsafeRawBufferPointer) throws(InputError) {
        guard bytes.dropFirst(16).prefix(4).elementsEqual("T-DB".utf8) else {
            throw InputError(
                .notARealm, "The file is neither a Realm file nor a whole encrypted one, of pages of 4,096 bytes.")
        }
    }
}
