import Columns
import RealmModel
import Testing

@testable import RealmFile

/// Point 3: links to nothing in a file.
struct BrokenLinkTests {
    private static let target: Int64 = 77_777
    private static let link = Value.link(ObjectKey(target))
    private static let typedLink = Value.typedLink(className: "Target", ObjectKey(target))

    private static let places: [(Property, Value)] = [
        (Property("p", .object, objectType: "Target", isOptional: true), link),
        (Property("p", .object, collection: .list, objectType: "Target"), .list([.link(ObjectKey(5)), link])),
        (Property("p", .object, collection: .set, objectType: "Target"), .list([link])),
        (
            Property("p", .object, collection: .dictionary, objectType: "Target", isOptional: true),
            .dictionary([DictionaryEntry("a", link)])
        ),
        (Property("p", .mixed, isOptional: true), typedLink),
        (Property("p", .mixed, isOptional: true), .list([.dictionary([DictionaryEntry("a", typedLink)])])),
        (Property("p", .mixed, collection: .list, isOptional: true), .list([.null, typedLink])),
        (Property("p", .mixed, collection: .set, isOptional: true), .list([typedLink])),
        (
            Property("p", .mixed, collection: .dictionary, isOptional: true),
            .dictionary([DictionaryEntry("a", typedLink)])
        ),
    ]

    @Test(arguments: places.indices)
    func `point 3, refuses a link to nothing with class, property, key and offset`(_ place: Int) throws {
        let (property, value) = Self.places[place]
        let bytes = try Self.file(property, value)
        #expect(try Self.read(bytes) == nil)
        // The keys of the target's objects, of which the second goes elsewhere.
        let keys = [5, Int32(Self.target)].withUnsafeBytes { Array($0) }
        let offset = try #require(
            (0..<bytes.count - 8).first { bytes[$0..<$0 + 8].elementsEqual(keys) })
        var broken = bytes
        broken[offset + 4] += 1
        let error = try #require(try Self.read(broken))
        #expect(error.code == .brokenLink)
        #expect(
            error.message == "A link leads to an object that is not there (property 'Source.p', object with the key 4)."
        )
        let location = try #require(error.details.first)
        #expect(location.className == "Source" && location.property == "p" && location.key == ObjectKey(4))
        #expect(location.offset.map { $0 > 0 && $0 < bytes.count } == true)
    }

    /// Which keys a class has is told right whatever its keys and leaves are.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `point 3, finds exactly the keys that a class has`(seed: UInt64) throws {
        let random = try RandomSnapshot(seed: seed, objectLimit: 900, limits: .standard)
        let written = try WrittenRealm(random.snapshot, from: random.store)
        try written.bytes.withUnsafeBytes { bytes in
            let header = try FileHeader(bytes)
            let image = Image(
                UnsafeRawBufferPointer(rebasing: bytes[..<header.nodesEnd]), formatVersion: header.formatVersion)
            let group = try Group(topRef: header.topRef, of: image)
            let schema = try StoredSchema(group.tables, in: image)
            for (source, stored) in zip(schema.classes, written.snapshot.classes) {
                let target = try #require(schema.targets[source.table.key])
                let keys = Set(try Rows(stored, written.readStore).map(\.key))
                let near = keys.flatMap { [$0 - 1, $0, $0 &+ 1, $0 / 2] }.filter { $0 >= 0 }
                func has(_ keys: [Int64], raisedBy raise: Int64 = 0) throws -> Bool {
                    try target.contains(targetsOf: keys, raisedBy: raise)
                }
                let wrong = try near.filter { try has([$0]) != keys.contains($0) }
                #expect(wrong == [])
                #expect(try !has([.max - 1]) || keys.contains(.max - 1))
                #expect(try has([0]) == keys.contains(0))
                // All of a leaf at once, null among them, and one that is missing behind them.
                let links = keys.map { $0 + 1 } + [0, .min]
                #expect(try has(links, raisedBy: 1))
                if let missing = near.first(where: { !keys.contains($0) }) {
                    #expect(try !has(links + [missing + 1], raisedBy: 1))
                }
            }
        }
    }

    /// A file of two classes: three sources, of which the second has the value, and the two objects 5 and `target`.
    private static func file(_ property: Property, _ value: Value) throws -> [UInt8] {
        let store = MemorySegmentStore()
        let source = ClassWriter(schema: ObjectSchema("Source", properties: [property]), store: store)
        let empty: Value =
            switch property.collection {
            case .none: .null
            case .list, .set: .list([])
            case .dictionary: .dictionary([])
            }
        for key: Int64 in [1, 4, 9] {
            try source.columns[0].append(key == 4 ? value : empty)
            try source.endRow(key: ObjectKey(key))
        }
        let targets = ClassWriter(schema: ObjectSchema("Target", properties: [Property("x", .int)]), store: store)
        for key in [5, target] {
            targets.columns[0].append(int: 0)
            try targets.endRow(key: ObjectKey(key))
        }
        let classes = [try source.finish(nextSequence: 10), try targets.finish(nextSequence: target + 1)]
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema(classes.map(\.schema)), classes: classes)
        var sink = CollectedBytes()
        var writer = RealmFileWriter(snapshot, from: store)
        try writer.write(to: &sink)
        return sink.bytes
    }

    /// Why a file can't be read; nil where it can.
    private static func read(_ bytes: [UInt8]) throws -> InputError? {
        do {
            try bytes.withUnsafeBytes { _ = try RealmFileReader(bytes: $0).read(into: MemorySegmentStore()) }
            return nil
        } catch let error as InputError {
            return error
        }
    }
}
