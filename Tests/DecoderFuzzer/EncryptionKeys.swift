import Foundation
import RealmFile
import RealmJSON

/// The keys of a corpus: those in `KEYS.json` and `*.key.hex` beside its files, and the one of Realm's own tests.
struct EncryptionKeys {
    private let keys: [EncryptionKey]

    init(besides paths: [String]) {
        var keys = [EncryptionKey(bytes: Self.ofUpstreamTests.utf8)]
        let folders = Set(paths.map { ($0 as NSString).deletingLastPathComponent })
        for folder in folders.sorted() {
            if let data = FileManager.default.contents(atPath: folder + "/encrypted.key.hex") {
                let text = String(decoding: data, as: UTF8.self)
                keys.append(EncryptionKey(hexadecimal: text.trimmingCharacters(in: .whitespacesAndNewlines)))
            }
            guard let data = FileManager.default.contents(atPath: folder + "/KEYS.json"),
                case .object(let members)? = try? JSONValue.parse(Array(data))
            else { continue }
            keys += members.map { $0.value.string.flatMap { EncryptionKey(hexadecimal: $0) } }
        }
        self.keys = keys.compactMap { $0 }
    }

    private static let ofUpstreamTests = "1234567890123456789012345678901123456789012345678901234567890123"

    /// The key that fits a file; nil where it is not encrypted, or with another.
    func key(of path: String) -> EncryptionKey? {
        guard let bytes = FileManager.default.contents(atPath: path).map({ Array($0) }) else { return nil }
        return bytes.withUnsafeBytes { bytes in
            guard EncryptedRealmFile.isPlausible(bytes) else { return nil }
            return keys.first { (try? EncryptedRealmFile(bytes: bytes, key: $0)) != nil }
        }
    }
}
