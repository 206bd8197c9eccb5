import Columns
import RealmModel
import Testing

@testable import RealmFile

/// Where the bytes of a file are.
struct FileSpaceTests {
    private static let files = SharedFiles.fixtures + SharedFiles.decoderCorpus + SharedFiles.synced

    @Test(arguments: files)
    func `counts each byte of a file once`(_ pair: SharedFiles.Pair) throws {
        let bytes = try SharedFiles.bytes(pair.realm)
        guard !pair.description.contains("encrypted") else { return }
        let summary = try bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).summary(measuresSpace: true) }
        let space = try #require(summary.space)
        #expect(space.classes.map(\.name) == summary.classes.map(\.schema.name))
        #expect(space.liveBytes + space.historyBytes + space.ownBytes + space.unusedBytes == space.fileBytes)
        #expect(space.fileBytes <= bytes.count)
        // Free bytes are not taken by anything.
        #expect(space.unusedBytes >= summary.freeBytes)
        if summary.isStreaming { #expect(space.unusedBytes == 0) }
    }

    @Test func `tells values, indexes, backlinks and structure apart`() throws {
        let store = MemorySegmentStore()
        let schema = ObjectSchema(
            "A",
            properties: [
                Property("text", .string, index: .general), Property("number", .int),
                Property("all", .object, collection: .list, objectType: "A"),
            ])
        let writer = ClassWriter(schema: schema, store: store)
        for key in 0..<Int64(100) {
            try writer.columns[0].append(.string("a text of some length, and the number \(key)"))
            try writer.columns[1].append(.int(0))
            try writer.columns[2].append(.list((0..<10).map { .link(ObjectKey((key + $0) % 100)) }))
            try writer.endRow(key: ObjectKey(key))
        }
        let snapshot = Snapshot(
            schemaVersion: 1, declared: Schema([schema]), classes: [try writer.finish(nextSequence: 100)])
        let bytes = try WrittenRealm(snapshot, from: store).bytes
        let summary = try bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).summary(measuresSpace: true) }
        let stored = try #require(summary.space?.classes.first)
        #expect(stored.properties.map { $0.indexBytes > 0 } == [true, false, false])
        #expect(stored.properties[0].valueBytes > 100 * 38)
        // A hundred zeros take no byte behind the header of their leaf.
        #expect(stored.properties[1].valueBytes == Node.headerBytes)
        #expect(stored.properties[2].valueBytes > 100 * Node.headerBytes)
        #expect(stored.backlinkBytes > 100 * Node.headerBytes)
        #expect(stored.structureBytes > 0)
    }
}
