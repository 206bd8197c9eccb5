import Columns
import Foundation
import RealmFile
import RealmJSON
import RealmModel
import Testing

struct RealmFileSummaryTests {
    @Test(arguments: SharedFiles.fixtures + SharedFiles.decoderCorpus)
    func `describes the schema and counts the objects`(_ pair: SharedFiles.Pair) throws {
        let bytes = try SharedFiles.bytes(pair.realm)
        let summary = try summary(of: bytes)
        let realm = try ReadRealm(bytes)
        #expect(summary.fileBytes == bytes.count)
        #expect(summary.schemaVersion == realm.snapshot.schemaVersion)
        #expect(summary.classes.map(\.schema) == realm.snapshot.declared.classes)
        #expect(summary.classes.map(\.objectCount) == realm.snapshot.classes.map(\.objectCount))
        #expect(summary.formatVersion == 24)
        #expect(summary.freeBytes < bytes.count)
        #expect(!summary.isEncrypted)
    }

    @Test func `tells a file that was written in one go`() throws {
        let pair = try #require(
            SharedFiles.fixtures.first { $0.realm.lastPathComponent == "minimal-written-v24.realm" })
        let summary = try summary(of: try SharedFiles.bytes(pair.realm))
        let schema = ObjectSchema("A", properties: [Property("x", .int)])
        #expect(
            summary
                == RealmFileSummary(
                    formatVersion: 24, fileBytes: 480, isStreaming: true, schemaVersion: 1, snapshotVersion: 1,
                    classes: [.init(schema: schema, objectCount: 1)]))
    }

    @Test(.enabled(if: SharedFiles.root != nil, "shared files are missing"))
    func `describes three hundred thousand objects`() throws {
        let folder = try #require(SharedFiles.root).appending(path: "cases/files")
        let summary = try summary(of: try SharedFiles.bytes(folder.appending(path: "big_300k.realm")))
        #expect(summary.classes.map(\.objectCount) == [299_700])
        #expect(summary.history == .inRealm)
    }

    private func summary(of bytes: [UInt8]) throws -> RealmFileSummary {
        try bytes.withUnsafeBytes { bytes throws(InputError) in try RealmFileReader(bytes: bytes).summary() }
    }
}
