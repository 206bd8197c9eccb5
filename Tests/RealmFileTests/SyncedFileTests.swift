import Columns
import Foundation
import RealmFile
import RealmJSON
import RealmModel
import Testing

/// Point 5: what a once-synced file shows, and what is written of it.
struct SyncedFileTests {
    @Test(arguments: SharedFiles.synced)
    func `point 5, reads what a once-synced file shows`(_ pair: SharedFiles.Pair) throws {
        try check(ReadRealm(try Self.bytes(pair)), against: pair)
    }

    @Test(arguments: SharedFiles.synced)
    func `point 5, writes what a once-synced file shows`(_ pair: SharedFiles.Pair) throws {
        let written = try WrittenRealm(rewriting: try Self.bytes(pair))
        #expect(try written.differences() == [])
        try check(ReadRealm(written.bytes), against: pair)
    }

    private func check(_ realm: ReadRealm, against pair: SharedFiles.Pair) throws {
        let expected = CanonicalDocument.lines(try JSONValue.parse(try SharedFiles.bytes(pair.document)))
        let read = CanonicalDocument.lines(RealmDocument(realm).json)
        #expect(read.count == expected.count)
        let difference = zip(read, expected).first { $0 != $1 }
        #expect(difference == nil, "\(difference?.0.prefix(900) ?? "")\n\(difference?.1.prefix(900) ?? "")")
    }

    private static func bytes(_ pair: SharedFiles.Pair) throws -> [UInt8] {
        let bytes = try SharedFiles.bytes(pair.realm)
        guard pair.realm.lastPathComponent.contains("encrypted") else { return bytes }
        let file = pair.realm.deletingLastPathComponent().appending(path: "key.hex")
        let text = String(decoding: try SharedFiles.bytes(file), as: UTF8.self)
        let key = try #require(EncryptionKey(hexadecimal: text.trimmingCharacters(in: .whitespacesAndNewlines)))
        return try bytes.withUnsafeBytes {
            var plain: [UInt8] = []
            try EncryptedRealmFile(bytes: $0, key: key).decrypt { plain += $0 }
            return plain
        }
    }
}
