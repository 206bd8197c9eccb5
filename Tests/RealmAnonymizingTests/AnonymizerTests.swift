import Columns
import Foundation
import RealmAnonymizing
import RealmFormats
import RealmJSON
import RealmModel
import Testing

/// The parts of a realm that an anonymized copy keeps, and those that it does not.
struct AnonymizerTests {
    /// Files beside the package; none, and said so, where they are missing.
    private static let corpus: [URL] = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folders = ["cases/files", "realms/synced"].map {
            package.deletingLastPathComponent().appending(path: "shared").appending(path: $0)
        }
        let files = folders.flatMap {
            ((try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? [])
        }
        if files.isEmpty { print("Skipped: there are no shared files at \(folders.map(\.path))") }
        return files.filter { file in
            file.pathExtension == "realm"
                && !["encrypted", "big_300k"].contains { file.lastPathComponent.contains($0) }
        }.sorted { $0.path < $1.path }
    }()

    @Test(arguments: corpus)
    func `keeps the structure of a realm and none of its words`(_ file: URL) throws {
        let store = MemorySegmentStore()
        let bytes = try Data(contentsOf: file)
        let read = try #require(RealmFormat.realm.read)
        let snapshot = try bytes.withUnsafeBytes { try read($0, ReadingOptions(), store) }.snapshot
        let target = MemorySegmentStore()
        let copy = try Anonymizer().copy(snapshot, from: store, to: target)
        #expect(copy.schemaVersion == snapshot.schemaVersion && copy.declared == snapshot.declared)
        var (words, found) = (Set<String>(), Set<String>())
        for (one, other) in zip(snapshot.classes, copy.classes) {
            #expect(other.schema == one.schema && other.objectCount == one.objectCount)
            #expect(other.nextSequence == one.nextSequence)
            let (before, after) = (try Self.objects(of: one, store), try Self.objects(of: other, target))
            #expect(before.map(\.key) == after.map(\.key))
            for (old, new) in zip(before, after) {
                #expect(zip(old.values, new.values).allSatisfy(Self.hasShape), "\(one.schema.name) \(old.key)")
                for value in old.values { Self.collectWords(of: value, into: &words) }
                for value in new.values { Self.collectWords(of: value, into: &found) }
            }
            guard let name = one.schema.primaryKey,
                let index = one.schema.properties.firstIndex(where: { $0.name == name })
            else { continue }
            #expect(Set(after.map { $0.values[index] }).count == Set(before.map { $0.values[index] }).count)
        }
        #expect(words.filter { $0.unicodeScalars.count > 3 }.isDisjoint(with: found))
        // The copy is a realm that can be written and read.
        let write = try #require(RealmFormat.realm.write)
        let next = write(copy, target, WritingOptions())
        var written: [UInt8] = []
        while let chunk = try next() { written += chunk }
        let again = try written.withUnsafeBytes { try read($0, ReadingOptions(), MemorySegmentStore()) }.snapshot
        #expect(again.classes.reduce(0) { $0 + $1.objectCount } <= copy.classes.reduce(0) { $0 + $1.objectCount })
    }

    @Test(arguments: [PropertyType.double, .mixed])
    func `copies a set that Realm gave NaN twice`(_ type: PropertyType) throws {
        let (store, target) = (MemorySegmentStore(), MemorySegmentStore())
        let schema = ObjectSchema("A", properties: [Property("s", type, collection: .set)])
        let writer = ClassWriter(schema: schema, store: store)
        try writer.columns[0].append(.list([.double(.nan), .double(1), .double(2), .double(.nan)]))
        try writer.endRow(key: ObjectKey(0))
        let stored = try writer.finish(nextSequence: 1)
        let copy = try Anonymizer().copy(
            Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: [stored]), from: store, to: target)
        let objects = try Self.objects(of: copy.classes[0], target)
        guard case .list(let elements)? = objects.first?.values.first else {
            Issue.record("there is no set")
            return
        }
        #expect(elements.count == 3)
    }

    private struct Object {
        let key: Int64
        let values: [Value]
    }

    private static func objects(of stored: StoredClass, _ store: any SegmentStore) throws -> [Object] {
        let reader = try ClassReader(stored, store: store)
        return try reader.rowGroups.indices.flatMap { group in
            let keys = try reader.keys(inGroup: group)
            let columns = try stored.schema.properties.indices.map { try reader.column($0, inGroup: group) }
            return try reader.rowGroups[group].liveRows.map { row in
                Object(
                    key: keys[row],
                    values: try zip(columns, stored.schema.properties).map { try $0.value(at: row, as: ColumnType($1)) }
                )
            }
        }
    }

    /// Whether nulls, links, booleans and the sizes of values are the same.
    private static func hasShape(_ one: Value, of other: Value) -> Bool {
        switch (one, other) {
        case (.list(let one), .list(let other)): one.count == other.count
        case (.dictionary(let one), .dictionary(let other)): one.count == other.count
        case (.string(let one), .string(let other)): one.utf8.count == other.utf8.count
        case (.data(let one), .data(let other)): one.count == other.count
        case (.int, .int), (.float, .float), (.double, .double), (.date, .date), (.decimal128, .decimal128),
            (.objectId, .objectId), (.uuid, .uuid):
            true
        default: one == other
        }
    }

    private static func collectWords(of value: Value, into words: inout Set<String>) {
        switch value {
        case .string(let text): words.insert(text)
        case .list(let elements): for element in elements { collectWords(of: element, into: &words) }
        case .dictionary(let entries):
            for entry in entries {
                words.insert(entry.key)
                collectWords(of: entry.value, into: &words)
            }
        default: break
        }
    }
}
