import Columns
import RealmJSON
import RealmModel
import TestRandomness
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: [1, 2, 3, 16_384])
    func `random realms come out as they went in`(rows: Int) throws {
        let limits = RowGroupLimits(rows: rows, bytes: 8 << 20)
        for seed in 0..<UInt64(rows > 3 ? 60 : 20) {
            var generator = RandomDocument(seed: seed)
            let document = generator.make()
            let store = MemorySegmentStore()
            let snapshot = try Document.read(document.encoded(), into: store, limits: limits, chunk: 16)
            let text = try Document.write(snapshot, from: store, options: .init(chunkBytes: 100))
            let written = try Document.normalised(try JSONValue.parse(text))
            let expected = try Document.normalised(document)
            try #require(written.encoded() == expected.encoded(), "seed \(seed)")
        }
    }

    @Test func `both formats hold the same realm`() throws {
        for seed in 1000..<UInt64(1030) {
            var generator = RandomDocument(seed: seed)
            let first = MemorySegmentStore()
            let snapshot = try Document.read(generator.make().encoded(), into: first)
            let json = try Document.write(snapshot, from: first)
            let lines = try Document.write(snapshot, from: first, .lines)
            let second = MemorySegmentStore()
            let again = try Document.read(lines, .lines, into: second, chunk: 32)
            try #require(try Document.write(again, from: second) == json, "seed \(seed)")
            try #require(try Document.write(again, from: second, .lines) == lines, "seed \(seed)")
        }
    }

    @Test(arguments: [RealmJSONWriter.Layout.document, .lines])
    func `a property that is called as the object key keeps its stored name`(layout: RealmJSONWriter.Layout) throws {
        let schema = ObjectSchema(
            "A",
            properties: [
                Property("_key", .int), Property("_key_2", .int),
                Property("a", .object, objectType: "A", isOptional: true),
            ])
        let store = MemorySegmentStore()
        let writer = ClassWriter(schema: schema, store: store)
        for (column, value) in zip(writer.columns, [.int(7), .int(8), .link(ObjectKey(5))] as [Value]) {
            try column.append(value)
        }
        try writer.endRow(key: ObjectKey(5))
        let stored = try writer.finish(nextSequence: 6)
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: [stored])
        let text = try Document.write(snapshot, from: store, layout)
        #expect(String(decoding: text, as: UTF8.self).contains(#"{"_key":5,"_key_3":7,"_key_2":8,"a":5}"#))
        let again = MemorySegmentStore()
        let read = try Document.read(text, layout, into: again)
        #expect(read.classes.map { $0.schema.properties.map(\.name) } == [["_key", "_key_2", "a"]])
        #expect(try Document.write(read, from: again, layout) == text)
    }

    @Test func `a pretty document reads as the plain one`() throws {
        for seed in 2000..<UInt64(2010) {
            var generator = RandomDocument(seed: seed)
            let document = generator.make()
            let store = MemorySegmentStore()
            let snapshot = try Document.read(document.encoded(), into: store)
            let pretty = try Document.write(snapshot, from: store, options: .init(isPretty: true))
            let value = try JSONValue.parse(pretty)
            #expect(value.encoded() + [10] == (try Document.write(snapshot, from: store)))
            #expect(pretty == value.encoded(pretty: true) + [10])
        }
    }

    @Test func `members may come in any order`() throws {
        for seed in 3000..<UInt64(3010) {
            var generator = RandomDocument(seed: seed)
            let document = generator.make()
            let members = try #require(document.members)
            let expected = try Document.normalised(document)
            for order in [[2, 1, 0], [2, 0, 1], [1, 2, 0], [0, 2, 1]] {
                let shuffled = JSONValue.object(order.map { members[$0] })
                let store = MemorySegmentStore()
                let snapshot = try Document.read(shuffled.encoded(pretty: true), into: store, chunk: 20)
                let written = try JSONValue.parse(try Document.write(snapshot, from: store))
                try #require(try Document.normalised(written).encoded() == expected.encoded(), "seed \(seed)")
            }
        }
    }

    @Test(arguments: [RealmJSONWriter.Layout.document, .lines])
    func `a document cut anywhere is refused at its end`(layout: RealmJSONWriter.Layout) throws {
        let store = MemorySegmentStore()
        let document = #"""
            {"schemaVersion": 1, "schema": [
              {"name": "P", "primaryKey": "id", "properties": {"id": "int", "next": "P", "any": "mixed", "home": "E"}},
              {"name": "E", "embedded": true, "properties": {"names": "string{}", "d": "double?"}}],
             "objects": {"P": [{"id": 1, "next": 2, "any": [{"$ref": "P", "$id": 2}, -1.5e3, "\u00e9"]},
                               {"id": 2, "home": {"names": {"é": "\n"}, "d": {"$numberDouble": "NaN"}}}]}}
            """#
        let snapshot = try Document.read(Array(document.utf8), into: store)
        let text = try Document.write(snapshot, from: store, layout)
        for length in 0..<text.count - 1 {
            let cut = Array(text[..<length])
            // Lines that are all there are a smaller realm: only links can miss what was cut off.
            if layout == .lines, cut.last == 10 || text[length] == 10 { continue }
            let error = try #require(
                #expect(throws: InputError.self) {
                    try Document.read(cut, layout, into: MemorySegmentStore(), chunk: 64)
                })
            let offset = try #require(error.details.first?.offset, "\(error) at \(length)")
            #expect(offset <= length)
            #expect(error.code == .malformedJSON)
        }
    }

    @Test func `bytes that were changed never trap`() throws {
        var random = SeededGenerator(seed: 1)
        var generator = RandomDocument(seed: 11)
        let text = generator.make().encoded()
        for _ in 0..<500 {
            var changed = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                _ = try Document.read(changed, into: MemorySegmentStore(), chunk: 64)
            } catch {
                #expect(error is InputError, "\(error)")
            }
        }
    }
}
