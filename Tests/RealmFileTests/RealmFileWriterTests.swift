import Columns
import Foundation
import RealmModel
import TestRandomness
import Testing

@testable import RealmFile

struct RealmFileWriterTests {
    private static let upstream: [URL] =
        SharedFiles.realms(in: "realms/upstream") + SharedFiles.realms(in: "realms/generated")

    @Test(arguments: SharedFiles.fixtures + SharedFiles.decoderCorpus + SharedFiles.cases)
    func `writes what it read`(_ pair: SharedFiles.Pair) throws {
        let realm = try WrittenRealm(rewriting: try SharedFiles.bytes(pair.realm))
        let differences = try realm.differences()
        #expect(differences == [])
    }

    @Test(arguments: upstream)
    func `writes what the files of other projects hold`(_ file: URL) throws {
        let bytes = try SharedFiles.bytes(file)
        guard let realm = try? ReadRealm(bytes) else { return }
        let written = try WrittenRealm(rewriting: bytes)
        let differences = try written.differences()
        #expect(differences == [])
        #expect(written.snapshot.classes.count == realm.snapshot.classes.count)
    }

    @Test(arguments: SharedFiles.fixtures, [1, 2, 3, 256, 257])
    func `writes the same objects whatever the size of row groups`(_ pair: SharedFiles.Pair, rows: Int) throws {
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let realm = try WrittenRealm(rewriting: try SharedFiles.bytes(pair.realm), limits: limits)
        let differences = try realm.differences()
        #expect(differences == [])
    }

    @Test(arguments: Seeds.few(10, many: 100), [1, 3, 256, 257])
    func `writes random realms`(seed: UInt64, rows: Int) throws {
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let random = try RandomSnapshot(seed: seed, objectLimit: seed < 1 ? 1200 : 260, limits: limits)
        let realm = try WrittenRealm(random.snapshot, from: random.store)
        let differences = try realm.differences()
        #expect(differences == [])
        try realm.checkStructure()
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `writes the same bytes however little memory there is`(seed: UInt64) throws {
        let limits = RowGroupLimits(rows: 16, bytes: 1 << 20)
        let random = try RandomSnapshot(seed: seed, objectLimit: 200, limits: limits)
        let small = RealmFileWriter.Options(chunkBytes: 1, indexBytes: 500, linkBytes: 300)
        let realm = try WrittenRealm(random.snapshot, from: random.store, options: small)
        #expect(try realm.bytes == WrittenRealm(random.snapshot, from: random.store).bytes)
    }

    /// 256 objects fill a leaf, 65,536 a node above leaves.
    @Test(arguments: [
        (66_000, 16_384, 2), (1000, 3, 1), (257, 257, 1), (256, 256, 0),
    ])
    func `nests the nodes of large classes`(objects: Int, rows: Int, depth: Int64) throws {
        let store = MemorySegmentStore()
        let schema = ObjectSchema(
            "Person", primaryKey: "id",
            properties: [
                Property("id", .int), Property("boss", .object, objectType: "Person", isOptional: true),
                Property("name", .string, isOptional: true, index: .general),
            ])
        let writer = ClassWriter(schema: schema, store: store, limits: RowGroupLimits(rows: rows, bytes: 1 << 20))
        for key in 0..<Int64(objects) {
            writer.columns[0].append(int: key &* 7919 % Int64(objects))
            // Many have one boss: more than a leaf of a B+tree holds.
            if key > 0 {
                writer.columns[1].append(int: key % 3 == 0 ? 0 : key / 2)
            } else {
                writer.columns[1].appendNull()
            }
            try writer.columns[2].append(variable: Array("name \(key % 1000)".utf8))
            try writer.endRow(key: .allocated(sequence: key, hasPrimaryKey: false))
        }
        let stored = try writer.finish(nextSequence: Int64(objects))
        let keys = try remapped(stored, store)
        let realm = try WrittenRealm(
            Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: [keys]), from: store)
        let differences = try realm.differences()
        #expect(differences == [])
        #expect(try FileStructure(realm.bytes).clusterDepth() == depth)
        try realm.checkStructure()
    }

    @Test func `writes an empty realm and one without a version`() throws {
        for version in [nil, 0, UInt64.max] {
            let empty = Snapshot(schemaVersion: version, declared: Schema(), classes: [])
            let realm = try WrittenRealm(empty, from: MemorySegmentStore())
            #expect(realm.snapshot.schemaVersion == (version == .max ? nil : version))
            #expect(try FileStructure(realm.bytes).gaps() == [])
        }
    }

    @Test func `refuses links to objects that are not there`() throws {
        let store = MemorySegmentStore()
        let schema = ObjectSchema(
            "A", properties: [Property("next", .object, objectType: "A", isOptional: true)])
        for missing: Int64 in [1, 5] {
            let writer = ClassWriter(schema: schema, store: store)
            for key: Int64 in [0, 2] {
                writer.columns[0].append(int: missing)
                try writer.endRow(key: ObjectKey(key))
            }
            let classes = [try writer.finish(nextSequence: 3)]
            let error = #expect(throws: InputError.self) {
                try WrittenRealm(Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: classes), from: store)
            }
            #expect(error?.code == .brokenLink)
            #expect(
                error?.message
                    == "A link leads to an object that is not there (property 'A.next', object with the key 0).")
        }
    }

    /// Links of a property that point at sequence numbers point at the keys of these afterwards.
    private func remapped(_ stored: StoredClass, _ store: any SegmentStore) throws -> StoredClass {
        var stored = stored
        let reader = try ClassReader(stored, store: store)
        let segments = try reader.rowGroups.indices.map { group in
            var array = try reader.column(1, inGroup: group)
            guard case .int(let cells) = array.values else { return try store.write(array) }
            array.values = .int(cells.map { ObjectKey.allocated(sequence: $0, hasPrimaryKey: false).value })
            return try store.write(array)
        }
        stored.columns[1] = .segments(try store.write(column: segments))
        return stored
    }
}
