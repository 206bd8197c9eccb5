import Columns
import RealmJSON
import RealmModel
import Testing

@testable import RealmExport

/// Values that PostgreSQL has not: each is counted as a loss, and none takes the place of another.
struct SQLWriterTests {
    private func script(_ document: String, limits: RowGroupLimits = .standard) throws -> String {
        let store = MemorySegmentStore()
        let snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store, limits: limits).read()
        }
        var script = SQLScript(snapshot, from: store)
        var bytes: [UInt8] = []
        while let chunk = try script.next() { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func document(_ type: String, _ objects: String) -> String {
        #"{"schema":[{"name":"P","primaryKey":"id","properties":{"id":"string","p":"\#(type)"}}],"objects":{"P":[\#(objects)]}}"#
    }

    @Test(arguments: [
        ("int{}", #"{"a\u0000":1,"a\ufffd":2}"#), ("mixed", #"{"a\u0000":1,"a\ufffd":2}"#),
        ("mixed", #"[{"b":{"\u0000\ufffd":1,"\ufffd\u0000":2}}]"#), ("mixed[]", #"[1,2,{"\u0000":1,"\ufffd":2}]"#),
        ("mixed{}", #"{"x":1,"y":{"\u0000":1,"\ufffd":2}}"#),
    ])
    func `refuses keys of a dictionary that U+FFFD would make one`(type: String, value: String) throws {
        let empty = type.hasSuffix("[]") ? "[1]" : type.hasSuffix("{}") ? "{}" : "null"
        let document = Self.document(type, #"{"id":"x","p":\#(empty)},{"id":"y","p":\#(value)}"#)
        let error = try #require(throws: InputError.self) { try script(document) }
        #expect(error.code == .notInFormat)
        let place = try #require(error.details.first)
        #expect(place.className == "P" && place.property == "p" && place.key == ObjectKey(1))
        #expect(place.hint != nil && error.message.contains("'P.p', object with the key 1"), "\(error.message)")
    }

    @Test(arguments: [1, 16_384]) func `refuses primary keys that U+FFFD would make one`(rows: Int) throws {
        let objects = [#"a\u0000"#, "b", #"a\ufffd"#].map { #"{"id":"\#($0)","p":0}"# }.joined(separator: ",")
        let error = try #require(throws: InputError.self) {
            try script(Self.document("int", objects), limits: RowGroupLimits(rows: rows, bytes: 1 << 20))
        }
        let place = try #require(error.details.first)
        #expect(place.className == "P" && place.property == "id" && place.key == ObjectKey(2))
    }

    @Test func `gives classes whose names U+FFFD would make one names of their own`() throws {
        let classes = [#"A\u0000"#, #"A\ufffd"#].map { #"{"name":"\#($0)","properties":{}}"# }
        let script = try script(#"{"schema":[\#(classes.joined(separator: ","))],"objects":{}}"#)
        #expect(script.contains("\nA\u{fffd}\tA\u{fffd}\t0\t"))
        #expect(script.contains("\nA\u{fffd}_2\tA\u{fffd}_2\t0\t"))
    }

    @Test func `counts keys of dictionaries with U+0000, and has those that stay different`() throws {
        let objects = #"{"id":"a\u0000","p":{"a\u0000":1,"a":2,"b\ufffd":3}},{"id":"a","p":{"\u0000":4}}"#
        let script = try script(Self.document("int{}", objects))
        #expect(script.contains("a\u{fffd}\ta\u{fffd}\t1\n"))
        for property in ["id", "p"] {
            let count = property == "p" ? 2 : 1
            #expect(script.contains(#"{"property":"\#(property)","reason":"nul_in_text","count":\#(count)}"#))
        }
    }

    @Test func `counts mixed values with a minus zero that jsonb has not`() throws {
        let zeros = ["-0.0", #"{"$float":-0.0}"#, #"[1,{"a":-0.0,"b":-0.0}]"#]
        let others = [#"{"$numberDecimal":"-0"}"#, "0.0", "0", "null", #"{"$numberDouble":"NaN"}"#, #""-0.0""#]
        let objects = (zeros + others).enumerated().map { #"{"id":"\#($0)","p":\#($1)}"# }
        let script = try script(Self.document("mixed", objects.joined(separator: ",")))
        #expect(script.contains(#"[{"property":"p","reason":"sign_of_zero","count":3}]"#))
    }
}
