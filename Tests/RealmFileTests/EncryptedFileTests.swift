import Columns
import Foundation
import RealmFile
import RealmJSON
import RealmModel
import Testing

struct EncryptedFileTests {
    private static let folder = SharedFiles.root?.appending(path: "cases/files")

    @Test(
        .enabled(if: folder != nil, "shared files are missing"),
        arguments: ["encrypted_large", "encrypted_history"])
    func `decrypts what Realm Core encrypted`(_ name: String) throws {
        let folder = try #require(Self.folder)
        let keys = try JSONValue.parse(try SharedFiles.bytes(folder.appending(path: "KEYS.json")))
        let key = try #require(keys["\(name).realm"]?.string.flatMap { EncryptionKey(hexadecimal: $0) })
        let plain = try Self.decrypt(try SharedFiles.bytes(folder.appending(path: "\(name).realm")), key)
        let document = try JSONValue.parse(try SharedFiles.bytes(folder.appending(path: "\(name).json")))
        let lines = CanonicalDocument.lines(RealmDocument(try ReadRealm(plain)).json)
        #expect(lines == CanonicalDocument.lines(document))
    }

    @Test(.enabled(if: folder != nil, "shared files are missing"))
    func `decrypts files of before 2020`() throws {
        let key = try #require(
            EncryptionKey(bytes: "1234567890123456789012345678901123456789012345678901234567890123".utf8))
        let file = try #require(SharedFiles.root).appending(path: "realms/upstream/test_shared_decrypt_4k_page.realm")
        let realm = try ReadRealm(tablesOf: try Self.decrypt(try SharedFiles.bytes(file), key))
        #expect(realm.objects.values.contains { !$0.isEmpty })
    }

    @Test(.enabled(if: folder != nil, "shared files are missing"))
    func `reads every type in an encrypted file`() throws {
        let folder = try #require(SharedFiles.root).appending(path: "realms/generated")
        let text = String(decoding: try SharedFiles.bytes(folder.appending(path: "encrypted.key.hex")), as: UTF8.self)
        let key = try #require(EncryptionKey(hexadecimal: text.trimmingCharacters(in: .whitespacesAndNewlines)))
        let encrypted = try SharedFiles.bytes(folder.appending(path: "all-types-v24-encrypted.realm"))
        let realm = try ReadRealm(try Self.decrypt(encrypted, key))
        let truth = try ReadRealm(try SharedFiles.bytes(folder.appending(path: "all-types-v24.realm")))
        #expect(realm.snapshot.declared == truth.snapshot.declared)
        #expect(realm.objects["All"]?.count ?? 0 > 0)
    }

    @Test(.enabled(if: folder != nil, "shared files are missing"), arguments: [0, 31, 32, 63])
    func `refuses a key that differs in either half`(_ index: Int) throws {
        let folder = try #require(SharedFiles.root).appending(path: "realms/generated")
        let text = String(decoding: try SharedFiles.bytes(folder.appending(path: "encrypted.key.hex")), as: UTF8.self)
        var bytes = try #require(Hexadecimal.decode(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8))
        bytes[index] ^= 1
        let key = try #require(EncryptionKey(bytes: bytes))
        let encrypted = try SharedFiles.bytes(folder.appending(path: "all-types-v24-encrypted.realm"))
        let error = #expect(throws: InputError.self) { try Self.decrypt(encrypted, key) }
        #expect(error?.code == .wrongEncryptionKey)
    }

    @Test(.enabled(if: folder != nil, "shared files are missing"))
    func `says which page was changed`() throws {
        let folder = try #require(Self.folder)
        let keys = try JSONValue.parse(try SharedFiles.bytes(folder.appending(path: "KEYS.json")))
        let key = try #require(keys["encrypted_large.realm"]?.string.flatMap { EncryptionKey(hexadecimal: $0) })
        var bytes = try SharedFiles.bytes(folder.appending(path: "encrypted_large.realm"))
        bytes[4096 * 70 + 5] ^= 1
        let error = #expect(throws: InputError.self) { try Self.decrypt(bytes, key) }
        #expect(error?.code == .damaged)
    }

    @Test func `shows no key`() throws {
        let key = try #require(EncryptionKey(bytes: [UInt8](repeating: 0x41, count: 64)))
        var dump = ""
        Swift.dump(key, to: &dump)
        #expect(!(dump + "\(key)").contains("65"))
        #expect(EncryptionKey(bytes: [1, 2, 3]) == nil)
        #expect(EncryptionKey(hexadecimal: String(repeating: "0", count: 126)) == nil)
    }

    private static func decrypt(_ bytes: [UInt8], _ key: EncryptionKey) throws -> [UInt8] {
        try bytes.withUnsafeBytes { bytes in
            let file = try EncryptedRealmFile(bytes: bytes, key: key)
            var plain: [UInt8] = []
            try file.decrypt { plain += $0 }
            #expect(plain.count == file.decryptedByteCount)
            return plain
        }
    }
}
