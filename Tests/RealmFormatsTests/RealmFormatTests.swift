import Columns
import RealmFile
import RealmModel
import Testing

@testable import RealmFormats

/// Formats in the table can be told apart, and their files can be read as they were written.
struct RealmFormatTests {
    private static let document = """
        {"schemaVersion":3,"schema":[{"name":"A","primaryKey":"n","properties":{"n":"int","s":"string?","a":"A"}}],
        "objects":{"A":[{"n":1,"s":"one","a":2},{"n":2,"s":null,"a":null}]}}
        """

    @Test func `have names, media types and endings of their own`() {
        // All archives are one type; what is in them is asked for by name, or by the type of one class's file.
        #expect(RealmFormat.all.allSatisfy { ($0.classFile != nil) == ($0.mediaType == "application/zip") })
        let types = RealmFormat.all.map { $0.classFile == nil ? $0.mediaType : $0.name }
        #expect(Set(types).count == types.count)
        for name in [\RealmFormat.name, \.fileEnding] {
            #expect(Set(RealmFormat.all.map { $0[keyPath: name] }).count == RealmFormat.all.count)
            #expect(RealmFormat.all.allSatisfy { $0[keyPath: name] == $0[keyPath: name].lowercased() })
        }
        #expect(RealmFormat.all.allSatisfy { $0.read != nil || $0.write != nil })
    }

    @Test func `are named in a sentence`() {
        #expect([RealmFormat.realm, .json, .ndjson].alternatives == "realm, json or ndjson")
        #expect([RealmFormat.json].alternatives == "json")
        #expect([RealmFormat]().alternatives == "")
    }

    @Test(arguments: RealmFormat.all.filter { $0.read != nil && $0.write != nil })
    func `read what they wrote`(format: RealmFormat) throws {
        let store = MemorySegmentStore()
        let snapshot = try read(Array(Self.document.utf8), as: .json, into: store)
        let bytes = try write(snapshot, from: store, as: format)
        let other = MemorySegmentStore()
        let again = try read(bytes, as: format, into: other)
        #expect(again.schemaVersion == 3)
        #expect(try write(again, from: other, as: .json) == (try write(snapshot, from: store, as: .json)))
    }

    @Test(arguments: RealmFormat.all.filter(\.isEncryptable))
    func `read what they encrypted, with its key alone`(format: RealmFormat) throws {
        let store = MemorySegmentStore()
        let snapshot = try read(Array(Self.document.utf8), as: .json, into: store)
        let key = try #require(EncryptionKey(bytes: 0..<64))
        let encryption = PageEncryption(key: key, counter: 7)
        let bytes = try write(snapshot, from: store, as: format, WritingOptions(encryption: encryption))
        let again = try read(bytes, as: format, into: store, ReadingOptions(key: key))
        #expect(try write(again, from: store, as: .json) == (try write(snapshot, from: store, as: .json)))
        let wrong = EncryptionKey(bytes: 1..<65)
        for key in [nil, wrong] {
            let error = #expect(throws: InputError.self) {
                try read(bytes, as: format, into: store, ReadingOptions(key: key))
            }
            #expect(error?.code == .wrongEncryptionKey)
        }
    }

    private func read(
        _ bytes: [UInt8], as format: RealmFormat, into store: MemorySegmentStore,
        _ options: ReadingOptions = ReadingOptions()
    ) throws -> Snapshot {
        let read = try #require(format.read)
        return try bytes.withUnsafeBytes { try read($0, options, store).snapshot }
    }

    private func write(
        _ snapshot: Snapshot, from store: MemorySegmentStore, as format: RealmFormat,
        _ options: WritingOptions = WritingOptions()
    ) throws -> [UInt8] {
        let write = try #require(format.write)
        let next = write(snapshot, store, options)
        var bytes: [UInt8] = []
        while let chunk = try next() { bytes += chunk }
        return bytes
    }
}
