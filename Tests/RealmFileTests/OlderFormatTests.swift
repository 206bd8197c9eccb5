import Columns
import RealmModel
import Testing

@testable import RealmFile

/// Format 23, item by item as REALM_FORMAT section 24 lists what differs from 24.
struct OlderFormatTests {
    private static let older = RealmFileWriter.Options(format: .v23)
    private static let local = SharedFiles.synced.filter { $0.realm.lastPathComponent.hasPrefix("local23") }

    /// Realm Core 13 wrote the file; said to be of format 24, its sets and dictionaries are read in the order they are in.
    @Test(arguments: local)
    func `orders sets and dictionaries as Realm Core 13 does`(_ pair: SharedFiles.Pair) throws {
        let original = try SharedFiles.bytes(pair.realm)
        let store = MemorySegmentStore()
        let snapshot = try original.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store) }
        let written = try WrittenRealm(snapshot, from: store, options: Self.older)
        let (stored, expected) = (try Self.asStored(written.bytes), try Self.asStored(original))
        #expect(stored.snapshot.classes.map(\.schema) == expected.snapshot.classes.map(\.schema))
        var compared = 0
        for (name, objects) in expected.objects {
            let found = try #require(stored.objects[name])
            #expect(found.map(\.key) == objects.map(\.key))
            for (object, other) in zip(objects, found) {
                #expect(other.values == object.values, "\(name) \(object.key)")
                compared += 1
            }
        }
        #expect(compared > 0)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `holds what format 24 holds, but no collection in a mixed value`(seed: UInt64) throws {
        let random = try RandomSnapshot(
            seed: seed, objectLimit: 260, limits: RowGroupLimits(rows: 64, bytes: 1 << 20))
        let place = try Self.firstNestedCollection(random.snapshot, random.store)
        do {
            let realm = try WrittenRealm(random.snapshot, from: random.store, options: Self.older)
            #expect(place == nil)
            #expect(try realm.differences() == [])
            #expect(try FileStructure(realm.bytes).gaps() == [])
            #expect(
                try FileStructure(realm.bytes).backlinks().mapValues { $0.sorted(by: Self.precedes) } == realm.links())
            for value in try realm.indexedValues(atMost: 50) {
                let found = try FileStructure(realm.bytes).lookUp(value.bytes, column: value.column, table: value.table)
                #expect(found.contains(value.key))
                // Values that differ past byte 200 alone share a list.
                #expect(found.count == value.count || value.bytes.map { $0.count > 200 } ?? true)
            }
        } catch let error as InputError {
            #expect(error.code == .notInFormat)
            #expect(error.details.first?.className == place?.className)
            #expect(error.details.first?.property == place?.property)
            #expect(error.details.first?.key?.value == place?.key)
        }
    }

    @Test func `says version 23, a history of schema 0 and lists of links of type 13`() throws {
        let bytes = try Self.crowd(links: 2).bytes
        #expect(bytes[20] == 23)
        #expect(try FileStructure(bytes).top()[9] == 0)
        let summary = try bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).summary() }
        #expect(summary.formatVersion == 23)
        let types = try FileStructure(bytes).columnTypes(table: 1)
        #expect(types.codes == [13, 14])
        #expect(types.keys.map { $0 >> 16 & 0x3f } == [13, 14])
        #expect(types.opposites.map { $0 >> 16 & 0x3f } == [14, 13])
    }

    @Test func `keeps the links to an object in one array, however many they are`() throws {
        let realm = try Self.crowd(links: 2500)
        #expect(try realm.differences() == [])
        let roots = try FileStructure(realm.bytes).backlinkRoots()
        #expect(roots.map(\.count) == [2500])
        #expect(roots.allSatisfy { !$0.isInner })
        #expect(try FileStructure(realm.bytes).backlinks().mapValues { $0.sorted(by: Self.precedes) } == realm.links())
    }

    @Test func `compares strings by rank, then by code point, then by length`() {
        let ordered = ["", "1", "a", "A", "b", "é", "日本", "日本語"]
        for (first, one) in ordered.enumerated() {
            for (second, other) in ordered.enumerated() {
                #expect(StringCollation.precedes(one, other) == (first < second), "\(one) \(other)")
            }
        }
        #expect(Set(StringCollation.ranks).count == StringCollation.ranks.count)
    }

    /// A class whose first object links to itself so many times.
    private static func crowd(links: Int) throws -> WrittenRealm {
        let store = MemorySegmentStore()
        let schema = ObjectSchema(
            "A", properties: [Property("all", .object, collection: .list, objectType: "A")])
        let writer = ClassWriter(schema: schema, store: store)
        try writer.columns[0].append(.list([Value](repeating: .link(ObjectKey(0)), count: links)))
        try writer.endRow(key: ObjectKey(0))
        let stored = try writer.finish(nextSequence: 1)
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: [stored])
        return try WrittenRealm(snapshot, from: store, options: older)
    }

    private static func asStored(_ bytes: [UInt8]) throws -> ReadRealm {
        var bytes = bytes
        (bytes[20], bytes[21]) = (24, 24)
        return try ReadRealm(bytes)
    }

    private static func precedes(_ lhs: [Int64], _ rhs: [Int64]) -> Bool { lhs.lexicographicallyPrecedes(rhs) }

    /// Where a realm first holds a collection in a mixed value, in the order of classes, properties and objects.
    private static func firstNestedCollection(
        _ snapshot: Snapshot, _ store: any SegmentStore
    ) throws -> (className: String, property: String, key: Int64)? {
        for stored in snapshot.classes {
            for (index, property) in stored.schema.properties.enumerated() where property.type == .mixed {
                for object in try Rows(stored, store) where holdsNested(object.values[index], of: property) {
                    return (stored.schema.name, property.name, object.key)
                }
            }
        }
        return nil
    }

    private static func holdsNested(_ value: Value, of property: Property) -> Bool {
        switch value {
        case .list(let elements) where property.isCollection: elements.contains(where: isCollection)
        case .dictionary(let entries) where property.isCollection: entries.map(\.value).contains(where: isCollection)
        default: isCollection(value)
        }
    }

    private static func isCollection(_ value: Value) -> Bool {
        switch value {
        case .list, .dictionary: true
        default: false
        }
    }
}
