import RealmModel

/// A realm file that may be encrypted, as plain bytes.
public enum PlainRealmFile {
    /// Calls with the plain bytes of a file.
    ///
    /// A file that is not encrypted is taken as it is: a key that is not needed does no harm.
    ///
    /// - Parameters:
    ///   - file: the whole file, which does not change.
    ///   - key: what it may be encrypted with; nil for a plain one.
    ///   - memory: where an encrypted file's plain bytes are while they are read.
    /// - Throws: `InputError` where the key does not fit, or a page that was read is damaged; what the body throws.
    public static func withBytes<Value>(
        of file: UnsafeRawBufferPointer, key: EncryptionKey?, in memory: some BlockMemory,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value {
        guard let key else { return try body(file) }
        guard EncryptedRealmFile.isPlausible(file) else {
            try checkHeader(file)
            return try body(file)
        }
        let encrypted = try EncryptedRealmFile(bytes: file, key: key)
        return try memory.withBytes(
            count: encrypted.decryptedByteCount, blockBytes: EncryptedRealmFile.blockBytes, fill: encrypted.decrypt,
            body)
    }

    /// Refuses what is no Realm file either: cut off, an encrypted one is of another shape.
    private static func checkHeader(_ file: UnsafeRawBufferPointer) throws(InputError) {
        guard FileHeader.hasMark(file) else {
            throw InputError(
                .notARealm, "The file is neither a Realm file nor a whole encrypted one, of pages of 4,096 bytes.")
        }
    }
}
