import RealmModel

extension APIRequest {
    /// The header field of the key of an encrypted Realm file.
    static let encryptionKeyField = "Realm-Encryption-Key"

    /// The 64 bytes of the key that comes with the request; nil where none does.
    ///
    /// - Throws: `invalidField`, which does not repeat the value.
    func encryptionKey() throws(APIError) -> [UInt8]? {
        guard let field = head.fields[Self.encryptionKeyField] else { return nil }
        guard let key = Hexadecimal.decode(Array(field.utf8)), key.count == 64 else {
            throw .invalidField(name: Self.encryptionKeyField, message: "has to be 128 hexadecimal digits.")
        }
        return key
    }
}
