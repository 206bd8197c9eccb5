import Columns
import RealmModel
import Testing

@testable import RealmFile

/// Point 4: what a written file says of its history, REALM_FORMAT section 25.
struct WrittenHistoryTests {
    @Test(arguments: [false, true])
    func `point 4, a written file has the top array of a local Realm`(isEncrypted: Bool) throws {
        let schema = ObjectSchema("A", properties: [Property("x", .int)])
        let store = MemorySegmentStore()
        let snapshot = Snapshot(schemaVersion: 3, declared: Schema([schema]), classes: [StoredClass(empty: schema)])
        let plain = try Self.write(snapshot, from: store, isEncrypted: isEncrypted)
        let structure = FileStructure(plain)
        let top = try structure.top()
        #expect(top.count == 11)
        #expect(Array(top[6...]) == [2, 2, 0, 1, 0])
        // Three empty arrays: Realm keeps a list of what is free, however short.
        #expect(top[3...5].allSatisfy { $0 > 0 } && Set(top[3...5]).count == 3)
        if !isEncrypted {
            #expect(top[2] == Int64(plain.count) - 16)
            #expect(try structure.gaps() == [])
        }
        let summary = try plain.withUnsafeBytes { try RealmFileReader(bytes: $0).summary() }
        #expect(summary.history == .inRealm)
        #expect(summary.snapshotVersion == 2)
        #expect(summary.freeBytes == 0)
    }

    private static func write(
        _ snapshot: Snapshot, from store: any SegmentStore, isEncrypted: Bool
    ) throws -> [UInt8] {
        let key = try #require(EncryptionKey(bytes: [UInt8](0..<64)))
        let encryption = isEncrypted ? PageEncryption(key: key, counter: 7) : nil
        var writer = RealmFileWriter(snapshot, from: store, options: .init(encryption: encryption))
        var sink = CollectedBytes()
        try writer.write(to: &sink)
        guard isEncrypted else { return sink.bytes }
        return try sink.bytes.withUnsafeBytes {
            var plain: [UInt8] = []
            try EncryptedRealmFile(bytes: $0, key: key).decrypt { plain += $0 }
            return plain
        }
    }
}
