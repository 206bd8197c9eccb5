import Columns
import Foundation
import RealmFile
import RealmFormats
import RealmMigration
import RealmModel
import Sandbox
import Testing

@testable import RealmDecoding

/// A host copies a file, and the migration that it is for is done over here.
@Suite(.serialized) struct FileCopyTests {
    private static let key = EncryptionKey(bytes: (0..<64).map { UInt8($0) })
    private static let before = Schema([
        ObjectSchema(
            "Person", primaryKey: "id",
            properties: [
                Property("id", .int), Property("name", .string), Property("age", .int),
                Property("best", .object, objectType: "Person", isOptional: true),
                Property("friends", .object, collection: .list, objectType: "Person"),
            ])
    ])

    /// 1,000 persons who have links.
    private func realm(encryptedWith key: EncryptionKey? = nil) throws -> [UInt8] {
        let store = MemorySegmentStore()
        let writer = ClassWriter(schema: Self.before.classes[0], store: store)
        for key: Int64 in 0..<1000 {
            let values: [Value] = [
                .int(key), .string("name \(key)"), .int(key % 90), .link(ObjectKey(key / 2)),
                .list((0..<key % 4).map { .link(ObjectKey($0)) }),
            ]
            for (builder, value) in zip(writer.columns, values) { try builder.append(value) }
            try writer.endRow(key: ObjectKey(key))
        }
        let snapshot = Snapshot(
            schemaVersion: 1, declared: Self.before, classes: [try writer.finish(nextSequence: 1000)])
        let encryption = key.map { PageEncryption(key: $0, counter: 3) }
        let write = try #require(RealmFormat.realm.write)
        let next = write(snapshot, store, WritingOptions(encryption: encryption))
        var bytes: [UInt8] = []
        while let chunk = try next() { bytes += chunk }
        return bytes
    }

    private func decoder() throws -> SandboxedDecoder {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent("SandboxTestHost").path
        try #require(FileManager.default.isExecutableFile(atPath: path))
        return SandboxedDecoder(hosts: HostPool(executable: path))
    }

    private func copy(
        _ bytes: [UInt8], key: EncryptionKey? = nil, endsPage: Bool = false, to schema: Schema
    ) throws -> (result: Snapshot, bytes: [UInt8]) {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        fwrite(bytes, 1, bytes.count, file)
        fflush(file)
        var copied: [UInt8] = []
        let result = try decoder().copy(
            fileno(file), as: .realm, key: key, endsPage: endsPage,
            changedBy: { outline in
                let request = MigrationRequest(source: outline, target: schema, targetVersion: 2)
                return try? Migration(request, store: UnreadStore()).run(script: nil).snapshot
            }, to: { copied += $0 })
        return (result, copied)
    }

    private func persons(_ bytes: [UInt8]) throws -> [[Value]] {
        let store = MemorySegmentStore()
        let snapshot = try bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store) }
        let stored = try #require(snapshot["Person"])
        let reader = try ClassReader(stored, store: store)
        let types = stored.schema.properties.map { ColumnType($0) }
        return try reader.rowGroups.indices.flatMap { group in
            let columns = try types.indices.map { try reader.column($0, inGroup: group) }
            return try (0..<reader.rowGroups[group].rowCount).map { row in
                try zip(columns, types).map { try $0.value(at: row, as: $1) }
            }
        }
    }

    private static func changed(_ change: (inout ObjectSchema) -> Void) -> Schema {
        var person = before.classes[0]
        change(&person)
        return Schema([person])
    }

    @Test(arguments: [nil, key]) func `copies what a migration leaves as it is`(key: EncryptionKey?) throws {
        let target = Self.changed {
            $0.properties[2].isOptional = true
            $0.properties.append(Property("x", .string, isOptional: true))
            $0.properties.removeAll { $0.name == "friends" }
        }
        let (result, bytes) = try copy(try realm(encryptedWith: key), key: key, endsPage: key != nil, to: target)
        #expect(result["Person"]?.objectCount == 1000)
        #expect(result.schemaVersion == 2)
        #expect(key == nil || bytes.count.isMultiple(of: 4096))
        let persons = try persons(bytes)
        #expect(persons.count == 1000)
        // An optional property is a new column in Realm, which comes last.
        #expect(
            persons[77] == [.int(77), .string("name 77"), .link(ObjectKey(38)), .int(77), .null]
                || persons[77] == [.int(77), .string("name 77"), .link(ObjectKey(38)), .null, .int(77)])
    }

    @Test func `does not copy where a migration needs values`() throws {
        let target = Self.changed { $0.primaryKey = "age" }
        #expect(throws: InputError.self) { try copy(try realm(), to: target) }
    }

    @Test func `does not copy a file that is cut`() throws {
        let realm = try realm()
        #expect(throws: InputError.self) { try copy(Array(realm.dropLast(16)), to: Self.before) }
        #expect(throws: InputError.self) { try copy([1, 2, 3], to: Self.before) }
    }
}
