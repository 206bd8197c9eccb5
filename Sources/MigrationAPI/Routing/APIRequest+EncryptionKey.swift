import RealmFile

extension APIRequest {
    /// The header field of the key of an encrypted Realm file.
    static let encryptionKeyField = "Realm-Encryption-Key"

    /// The key that comes with the request; nil where none does.
    ///
    /// - Throws: `invalidField`, which does not repeat the value.
    func encryptionKey() throws(APIError) -> EncryptionKey? {
        guard let field = head.fields[Self.encryptionKeyField] else { return nil }
        guard let key = EncryptionKey(hexadecimal: field) else {
            throw .invalidField(name: Self.encryptionKeyField, message: "has to be 128 hexadecimal digits.")
        }
        return key
    }
}
