import Columns
import RealmJSON
import RealmModel
import Testing

@Suite struct ReadingTests {
    private let store = MemorySegmentStore()

    /// Reads objects of classes with one line of schema each, and writes them again.
    private func objects(_ schema: String, _ objects: String) throws -> (text: String, snapshot: Snapshot) {
        let document = #"{"schemaVersion": 3, "schema": \#(schema), "objects": \#(objects)}"#
        let snapshot = try Document.read(
            Array(document.utf8), into: store, limits: RowGroupLimits(rows: 2, bytes: 1 << 20))
        let written = try JSONValue.parse(try Document.write(snapshot, from: store))
        return (String(decoding: try #require(written["objects"]).encoded(), as: UTF8.self), snapshot)
    }

    private static let dog = #"[{"name": "Dog", "properties": {"n": "int", "next": "Dog"}}]"#

    @Test(arguments: [
        ("given and ascending", #"{"_key": 3, "n": 0}, {"_key": 70000, "n": 1}"#, [3, 70000], 512),
        ("left out", #"{"n": 0}, {"n": 1}, {"n": 2}"#, [0, 1, 2], 3),
        ("in any order", #"{"_key": 9, "n": 0}, {"_key": 2, "n": 1}, {"_key": 5, "n": 2}"#, [2, 5, 9], 10),
        ("left out for some", #"{"n": 0}, {"_key": 0, "n": 1}, {"n": 2}, {"_key": 2, "n": 3}"#, [0, 1, 2, 3], 4),
        ("at the end of a block", #"{"_key": 255, "n": 0}"#, [255], 256),
        ("out of every block", #"{"_key": 300, "n": 0}"#, [300], 256),
    ])
    func `object keys`(what: String, objects: String, keys: [Int64], nextSequence: Int64) throws {
        let (_, snapshot) = try self.objects(Self.dog, #"{"Dog": [\#(objects)]}"#)
        let reader = try ClassReader(try #require(snapshot["Dog"]), store: store)
        #expect(try reader.rowGroups.indices.flatMap { try reader.keys(inGroup: $0) } == keys)
        #expect(reader.stored.nextSequence == nextSequence)
        #expect(ObjectKey.allocated(sequence: nextSequence, hasPrimaryKey: false).value > keys.max() ?? -1)
        #expect(reader.stored.objectCount == keys.count)
    }

    @Test func `rows and links follow their keys when these come in any order`() throws {
        let (text, _) = try objects(
            Self.dog,
            #"{"Dog": [{"_key": 9, "n": 0, "next": 2}, {"_key": 2, "n": 1, "next": 5}, {"_key": 5, "n": 2}, {"n": 3, "next": 9}]}"#
        )
        #expect(
            text
                == #"{"Dog":[{"_key":0,"n":3,"next":9},{"_key":2,"n":1,"next":5},{"_key":5,"n":2,"next":null},{"_key":9,"n":0,"next":2}]}"#
        )
    }

    @Test func `many rows in reverse order are sorted`() throws {
        let rows = (0..<300).reversed().map { #"{"_key": \#($0), "n": \#($0 * 2)}"# }.joined(separator: ",")
        let (text, _) = try objects(Self.dog, #"{"Dog": [\#(rows)]}"#)
        let sorted = (0..<300).map { #"{"_key":\#($0),"n":\#($0 * 2),"next":null}"# }.joined(separator: ",")
        #expect(text == #"{"Dog":[\#(sorted)]}"#)
    }

    @Test func `links lead forwards, backwards and to themselves`() throws {
        let schema = #"""
            [{"name": "P", "primaryKey": "id", "properties": {"id": "string?", "all": "P[]", "some": "P<>", "by": "P{}",
              "any": "mixed"}}]
            """#
        let (text, _) = try objects(
            schema,
            #"""
            {"P": [{"id": "a", "all": ["b", "a", {"$key": 2}, "b"], "some": ["b", {"$key": 7}, "b", "a"]},
                   {"id": "b", "by": {"z": null, "x": "a", "y": {"$key": 0}},
                    "any": [{"$id": {"$key": 5}, "$ref": "P"}, {"k": {"$ref": "P", "$id": "b"}}]},
                   {"id": null}]}
            """#)
        #expect(
            text == #"{"P":[{"id":"a","all":["b","a",{"$key":2},"b"],"some":["a","b",{"$key":2}],"by":{},"any":null},"#
                + #"{"id":"b","all":[],"some":[],"by":{"x":"a","y":{"$key":2},"z":null},"#
                + #""any":[{"$ref":"P","$id":{"$key":2}},{"k":{"$ref":"P","$id":"b"}}]},"#
                + #"{"id":null,"all":[],"some":[],"by":{},"any":null}]}"#)
    }

    @Test func `what is left out is null, empty or the default`() throws {
        let schema = #"""
            [{"name": "C", "properties": {"a": "int?", "b": {"type": "string", "default": "x"}, "c": "int[]", "d": "C",
              "e": {"type": "date", "default": {"$date": "2020-01-01T00:00:00Z"}}, "f": "mixed", "g": "data{}"}}]
            """#
        let (text, _) = try objects(schema, #"{"C": [{}]}"#)
        #expect(
            text == #"{"C":[{"_key":0,"a":null,"b":"x","c":[],"d":null,"e":{"$date":"2020-01-01T00:00:00Z"},"f":null,"#
                + #""g":{}}]}"#)
    }

    @Test func `embedded objects stand in line and have keys of their own`() throws {
        let schema = #"""
            [{"name": "P", "properties": {"home": "E", "more": "E[]", "by": "E{}"}},
             {"name": "E", "embedded": true, "properties": {"n": "int", "f": "F"}},
             {"name": "F", "embedded": true, "properties": {"s": "string[]"}}]
            """#
        let body =
            #"{"P":[{"_key":0,"home":{"n":1,"f":{"s":["a","b"]}},"more":[{"n":2,"f":null},{"n":3,"f":{"s":[]}}],"by":{}},"#
            + #"{"_key":1,"home":null,"more":[],"by":{"":null,"k":{"n":4,"f":{"s":["c"]}}}}]}"#
        let (text, snapshot) = try objects(schema, body)
        #expect(text == body)
        #expect(snapshot["E"]?.objectCount == 4)
        #expect(snapshot["E"]?.nextSequence == 4)
        #expect(snapshot["F"]?.objectCount == 3)
    }

    @Test func `numbers of floating point may be written as integers`() throws {
        let (text, _) = try objects(
            #"[{"name": "C", "properties": {"f": "float", "d": "double", "m": "mixed"}}]"#,
            #"{"C": [{"f": 1, "d": 100000000000000000000, "m": 1}, {"f": 0.1, "d": 9223372036854775808, "m": 1e0}]}"#)
        #expect(
            text == #"{"C":[{"_key":0,"f":1.0,"d":1e+20,"m":1},"#
                + #"{"_key":1,"f":0.10000000149011612,"d":9.223372036854776e+18,"m":1.0}]}"#)
    }

    @Test func `a set holds what is the same once`() throws {
        let (text, _) = try objects(
            #"[{"name": "C", "properties": {"d": "double<>", "m": "mixed<>", "s": "string<>"}}]"#,
            #"{"C": [{"d": [2.0, -0.0, 0.0, 1], "m": [1, 1.0, "a", null], "s": ["b", "a", "b"]}]}"#)
        #expect(text == #"{"C":[{"_key":0,"d":[-0.0,1.0,2.0],"m":[null,1,"a"],"s":["a","b"]}]}"#)
    }

    @Test func `programs' names stand in documents, stored names in columns`() throws {
        let schema = #"""
            [{"name": "C", "primaryKey": "number", "properties": {"number": {"type": "int", "mapTo": "_id"}, "on": "bool"}}]
            """#
        let body = #"{"C":[{"number":1,"on":true}]}"#
        let (text, snapshot) = try objects(schema, body)
        #expect(text == body)
        #expect(snapshot["C"]?.schema.primaryKey == "_id")
        #expect(snapshot["C"]?.schema.properties.map(\.name) == ["_id", "on"])
    }

    @Test func `a byte order mark and no objects are fine`() throws {
        let bytes = [0xef, 0xbb, 0xbf] + Array(#"{"schema": [], "schemaVersion": null}"#.utf8)
        for layout in RealmJSONWriter.Layout.allCases {
            let snapshot = try Document.read(bytes, layout, into: store, chunk: 16)
            #expect(snapshot == Snapshot(schemaVersion: nil, declared: Schema(), classes: []))
        }
    }
}
