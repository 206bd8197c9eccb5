import Columns
import RealmJSON
import RealmModel
import RealmSync
import TestRandomness
import Testing

/// One batch applied to a realm in memory.
@Suite struct ChangeApplicationTests {
    private static let schema = Schema([
        ObjectSchema(
            "Person", primaryKey: "_id",
            properties: [
                Property("_id", .int), Property("name", .string),
                Property("friend", .object, objectType: "Person", isOptional: true),
            ])
    ])

    private let store = MemorySegmentStore()
    private let empty = Snapshot(
        schemaVersion: 1, declared: schema, classes: schema.classes.map { StoredClass(empty: $0) })

    private func apply(
        _ text: String, to snapshot: Snapshot
    ) throws -> (snapshot: Snapshot, delta: SnapshotDelta) {
        let application = ChangeApplication(to: snapshot, in: store)
        _ = try application.apply(try ChangeBatchReader(Self.schema, limit: 100).read(Array(text.utf8)))
        return try application.finish()
    }

    private func persons(_ snapshot: Snapshot) throws -> [String] {
        let objects = ObjectJSON(snapshot, from: store)
        return try #require(try objects.objects(ofClass: "Person", limit: 100))
            .map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `says what a snapshot has otherwise than the one before`() throws {
        let made = try apply(
            #"""
            {"upserts": [{"class": "Person", "object": {"_id": 1}}, {"class": "Person", "object": {"_id": 2, "friend": 1}},
                {"class": "Person", "object": {"_id": 3}}], "deletes": [{"class": "Person", "key": 3}]}
            """#, to: empty)
        #expect(made.delta == SnapshotDelta(classes: [.init("Person", upserted: [0, 1])]))
        let changed = try apply(
            #"{"upserts": [{"class": "Person", "object": {"_id": 2, "name": "x"}}], "deletes": [{"class": "Person", "key": 1}]}"#,
            to: made.snapshot)
        #expect(changed.delta["Person"]?.upserted == [1])
        #expect(changed.delta["Person"]?.deleted == [.init(key: 0, primaryKey: .int(1))])
        #expect(try persons(changed.snapshot) == [#"{"_id":2,"name":"x","friend":null}"#])
        #expect(try SnapshotDeltaCoding.decode(SnapshotDeltaCoding.encode(changed.delta)) == changed.delta)
        var whole = made.delta
        whole.merge(changed.delta)
        #expect(whole["Person"]?.upserted == [1] && whole["Person"]?.deleted.map(\.primaryKey) == [.int(1)])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `tells all upserts that link to nothing, or to what would not be made`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let before = try apply(#"{"upserts": [{"class": "Person", "object": {"_id": 0}}]}"#, to: empty).snapshot
        // Object 0 is there, those from 20 on are not, and some upserts make an object a second time.
        let upserts = (1...Int.random(in: 1...30, using: &random)).map { _ in
            (id: Int.random(in: 1..<20, using: &random), friend: Int.random(in: 0..<24, using: &random))
        }
        let text = upserts.map { #"{"class":"Person","object":{"_id":\#($0.id),"friend":\#($0.friend)}}"# }
        let batch = try ChangeBatchReader(Self.schema, limit: 100).read(
            Array("{\"upserts\":[\(text.joined(separator: ","))]}".utf8))
        var broken: Set<Int> = []
        var count = -1
        while broken.count != count {
            count = broken.count
            let made = Set(upserts.indices.filter { !broken.contains($0) }.map { upserts[$0].id })
            for (place, upsert) in upserts.enumerated() where upsert.friend != 0 && !made.contains(upsert.friend) {
                broken.insert(place)
            }
        }
        let found = try ChangeApplication(to: before, in: store).brokenLinks(in: batch)
        #expect(Set(found.keys) == broken)
        #expect(found.values.allSatisfy { $0 == "Person" })
    }

    @Test func `takes no more operations than a batch may have`() throws {
        let upserts = (0...100).map { #"{"class":"Person","object":{"_id":\#($0)}}"# }.joined(separator: ",")
        let error = #expect(throws: InputError.self) { try apply("{\"upserts\":[\(upserts)]}", to: empty) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `refuses a value of what the realm has not yet, and nothing else of it`() throws {
        var shown = Self.schema
        shown.classes[0].properties.append(Property("age", .int))
        let view = try SchemaView(server: Self.schema, version: 2, declared: shown)
        func apply(_ object: String) throws {
            let text = "{\"upserts\":[{\"class\":\"Person\",\"object\":\(object)}]}"
            let batch = try ChangeBatchReader(view.shown, limit: 100).read(Array(text.utf8))
            _ = try ChangeApplication(to: empty, as: view, in: store).apply(batch)
        }
        try apply(#"{"_id": 1}"#)
        let error = #expect(throws: ChangeError.self) { try apply(#"{"_id": 1, "age": 2}"#) }
        #expect(error == .notStored(className: "Person", property: "age"))
    }

    /// Strings are told apart by their bytes, and of two upserts of one new object both count.
    @Test func `makes each object of a batch once`() throws {
        let schema = Schema([
            ObjectSchema(
                "Word", primaryKey: "_id",
                properties: [Property("_id", .string), Property("a", .int), Property("b", .int)])
        ])
        let empty = Snapshot(
            schemaVersion: 1, declared: schema, classes: schema.classes.map { StoredClass(empty: $0) })
        let text = #"""
            {"upserts": [{"class": "Word", "object": {"_id": "\u00e9", "a": 1, "b": 1}},
                {"class": "Word", "object": {"_id": "e\u0301", "a": 2}},
                {"class": "Word", "object": {"_id": "\u00e9", "b": 3}}]}
            """#
        let application = ChangeApplication(to: empty, in: store)
        let batch = try ChangeBatchReader(schema, limit: 100).read(Array(text.utf8))
        #expect(try application.apply(batch).isEmpty)
        let (snapshot, delta) = try application.finish()
        #expect(delta["Word"]?.upserted == [0, 1])
        let objects = try ObjectJSON(snapshot, from: store).objects(ofClass: "Word", limit: 10) ?? []
        #expect(
            objects.map { String(decoding: $0.bytes, as: UTF8.self) }
                == ["{\"_id\":\"\u{e9}\",\"a\":1,\"b\":3}", "{\"_id\":\"e\u{301}\",\"a\":2,\"b\":0}"])
    }

    /// A batch of more objects than a row group takes comes to what it comes to in batches of one.
    @Test(arguments: [1, 2, 3, 64]) func `makes many objects as one by one`(rows: Int) throws {
        let upserts = (0..<70).map { number in
            #"{"class":"Person","object":{"_id":\#(number * 37 % 70),"name":"p\#(number)","friend":\#(number * 37 % 70)}}"#
        }
        func body(_ upserts: some Sequence<String>) -> [UInt8] {
            Array("{\"upserts\":[\(upserts.joined(separator: ","))]}".utf8)
        }
        let reader = ChangeBatchReader(Self.schema, limit: 100)
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let application = ChangeApplication(to: empty, in: store, limits: limits)
        _ = try application.apply(try reader.read(body(upserts)))
        let whole = try application.finish().snapshot
        var single = empty
        for upsert in upserts {
            let application = ChangeApplication(to: single, in: store, limits: limits)
            _ = try application.apply(try reader.read(body([upsert])))
            single = try application.finish().snapshot
        }
        #expect(try persons(whole) == persons(single))
        #expect(whole["Person"]?.nextSequence == single["Person"]?.nextSequence)
        #expect(whole["Person"]?.objectCount == 70)
    }
}
