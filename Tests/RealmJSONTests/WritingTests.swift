import Columns
import RealmJSON
import RealmModel
import Testing

@Suite struct WritingTests {
    private let store = MemorySegmentStore()

    private func people(_ count: Int) throws -> Snapshot {
        let schema =
            #"[{"name": "P", "primaryKey": "id", "properties": {"id": "int?", "next": "P", "name": "string"}}]"#
        let rows = (0..<count).map { #"{"id": \#($0 * 10), "next": \#(($0 + 1) % count * 10), "name": "n\#($0)"}"# }
        let text = #"{"schema": \#(schema), "objects": {"P": [\#(rows.joined(separator: ","))]}}"#
        return try Document.read(Array(text.utf8), into: store, limits: RowGroupLimits(rows: 3, bytes: 1 << 20))
    }

    private func text(_ object: ObjectJSON.Object?) throws -> String {
        String(decoding: try #require(object).bytes, as: UTF8.self)
    }

    @Test func `objects are found by object key and by primary key`() throws {
        let objects = ObjectJSON(try people(10), from: store)
        let fifth = #"{"id":50,"next":60,"name":"n5"}"#
        #expect(try text(objects.object(ObjectKey(5), ofClass: "P")) == fifth)
        #expect(try objects.object(primaryKey: .int(50), ofClass: "P") == Array(fifth.utf8))
        #expect(try objects.object(ObjectKey(10), ofClass: "P") == nil)
        #expect(try objects.object(primaryKey: .int(5), ofClass: "P") == nil)
        #expect(try objects.object(primaryKey: .null, ofClass: "P") == nil)
        #expect(try objects.object(ObjectKey(0), ofClass: "Q") == nil)
        #expect(try objects.primaryKey("50", ofClass: "P") == .int(50))
        #expect(try objects.primaryKey("x", ofClass: "P") == nil)
    }

    @Test(arguments: [1, 3, 4, 10, 11])
    func `pages follow one another`(limit: Int) throws {
        let objects = ObjectJSON(try people(10), from: store)
        var keys: [Int64] = []
        while true {
            let after = keys.last.map { ObjectKey($0) }
            let page = try #require(try objects.objects(ofClass: "P", after: after, limit: limit))
            guard !page.isEmpty else { break }
            #expect(page.count <= limit)
            keys += page.map(\.key.value)
        }
        #expect(keys == Array(0..<10))
        #expect(try objects.objects(ofClass: "Q", limit: limit) == nil)
    }

    @Test func `deleted objects and what is not declared are left out`() throws {
        var snapshot = try people(4)
        var groups = try ClassReader(snapshot.classes[0], store: store).rowGroups
        var deleted = Bitmap(count: 3)
        deleted[1] = true
        groups[0].deleted = deleted
        snapshot.classes[0].rowGroups = try store.write(segment: SnapshotCoding.encode(rowGroups: groups))
        snapshot.declared.classes[0].properties.remove(at: 1)
        let written = try JSONValue.parse(try Document.write(snapshot, from: store))
        #expect(
            written["objects"] == [
                "P": [["id": 0, "name": "n0"], ["id": 20, "name": "n2"], ["id": 30, "name": "n3"]]
            ])
        let objects = ObjectJSON(snapshot, from: store)
        #expect(try objects.object(ObjectKey(1), ofClass: "P") == nil)
        #expect(try objects.object(primaryKey: .int(10), ofClass: "P") == nil)
        #expect(try objects.objects(ofClass: "P", limit: 9)?.map(\.key.value) == [0, 2, 3])
    }

    @Test func `chunks are about as long as they were asked for`() throws {
        let snapshot = try people(1000)
        var writer = RealmJSONWriter(snapshot, from: store, layout: .lines, options: .init(chunkBytes: 1000))
        var sizes: [Int] = []
        while let chunk = try writer.next() { sizes.append(chunk.count) }
        #expect(sizes.dropLast().allSatisfy { (1000..<1100).contains($0) })
        #expect(try writer.next() == nil)
    }
}
