import Columns
import Foundation
import RealmMigration
import Testing

@testable import ScriptChild

/// Values cross between a realm and a script, and back, by columns and one by one.
@Suite struct ScriptValueTests {
    static let schema = """
        [{"name": "A", "properties": {"i": "int?", "d": "double?", "f": "float?", "b": "bool?", "s": "string?",
          "t": "date?", "x": "data?", "n": "decimal128?", "o": "objectId?", "u": "uuid?", "m": "mixed"}}]
        """
    static let none =
        #""i":null,"d":null,"f":null,"b":null,"s":null,"t":null,"x":null,"n":null,"o":null,"u":null,"m":null"#

    /// The value in an object after a script has set a property of it.
    private func stored(_ property: String, _ expression: String, usesColumns: Bool) throws -> String {
        let realm = try TestRealm(
            #"{"schemaVersion": 0, "schema": \#(Self.schema), "objects": {"A": [{\#(Self.none)}]}}"#)
        let json = try realm.json(
            "function migrate(m) { m.enumerateObjects('A', (o, n) => { n.\(property) = \(expression) }) }",
            TestRealm.Run(usesColumns: usesColumns))
        let start = try #require(json.range(of: "\"\(property)\":"))
        let names = ["i", "d", "f", "b", "s", "t", "x", "n", "o", "u", "m"]
        let next = names.drop { $0 != property }.dropFirst().first.map { ",\"\($0)\":" } ?? "}]}}"
        let end = try #require(json.range(of: next, options: .backwards))
        return String(json[start.upperBound..<end.lowerBound])
    }

    @Test(
        arguments: [
            ("i", "5", "5"), ("i", "-0", "0"), ("i", "9007199254740991", "9007199254740991"),
            ("i", "9223372036854775807n", "9223372036854775807"),
            ("i", "-9223372036854775808n", "-9223372036854775808"),
            ("i", "7n", "7"), ("d", "1.5", "1.5"), ("d", "3", "3.0"), ("d", "-0", "-0.0"),
            ("d", "NaN", #"{"$numberDouble":"NaN"}"#), ("d", "-Infinity", #"{"$numberDouble":"-Infinity"}"#),
            ("f", "0.5", "0.5"), ("b", "true", "true"), ("b", "false", "false"),
            ("s", "'text'", #""text""#), ("s", "'a\\u0000b'", #""a\u0000b""#), ("s", "'😀é'", "\"😀é\""),
            ("s", "'\\ud83d' + 'x'", "\"\u{fffd}x\""), ("s", "'\\ude00'", "\"\u{fffd}\""), ("s", "''", "\"\""),
            ("s", "null", "null"), ("t", "new Date(0)", #"{"$date":"1970-01-01T00:00:00Z"}"#),
            ("t", "new Date(-1500)", #"{"$date":"1969-12-31T23:59:58.5Z"}"#),
            (
                "t", "Object.assign(new Date(2000), { nanoseconds: 123456789 })",
                #"{"$date":"1970-01-01T00:00:02.123456789Z"}"#
            ),
            ("x", "new Uint8Array([1, 2, 255])", #"{"$binary":{"base64":"AQL/","subType":"00"}}"#),
            ("x", "new Uint8Array([9, 1, 2, 255, 9]).subarray(1, 4)", #"{"$binary":{"base64":"AQL/","subType":"00"}}"#),
            ("x", "new Uint8Array([1, 2, 255]).buffer", #"{"$binary":{"base64":"AQL/","subType":"00"}}"#),
            ("n", "new Decimal128('1.50')", #"{"$numberDecimal":"1.50"}"#),
            ("o", "new ObjectId('0123456789ABCDEF01234567')", #"{"$oid":"0123456789abcdef01234567"}"#),
            (
                "u", "new UUID('00112233-4455-6677-8899-aabbccddeeff')",
                #"{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}"#
            ),
            ("m", "'text'", #""text""#), ("m", "[1, 'a', null, { k: [true] }]", #"[1,"a",null,{"k":[true]}]"#),
            ("m", "n", #"{"$ref":"A","$id":0}"#),
        ], [true, false])
    func `stores what a script sets`(value: (property: String, expression: String, json: String), usesColumns: Bool)
        throws
    {
        #expect(try stored(value.property, value.expression, usesColumns: usesColumns) == value.json)
    }

    @Test(
        arguments: [
            ("i", "1.5"), ("i", "'1'"), ("i", "9223372036854775808n"), ("i", "true"), ("i", "NaN"), ("d", "'x'"),
            ("b", "1"), ("s", "1"), ("s", "() => 1"), ("s", "Symbol('x')"), ("t", "1"), ("t", "new Date(NaN)"),
            ("x", "'x'"), ("n", "'x'"), ("o", "'x'"), ("u", "5"), ("m", "Symbol('x')"),
        ], [true, false])
    func `refuses what a property does not take`(value: (property: String, expression: String), usesColumns: Bool)
        throws
    {
        #expect(throws: MigrationError.self) {
            try stored(value.property, value.expression, usesColumns: usesColumns)
        }
    }

    @Test(arguments: [true, false])
    func `gives back every value that it shows`(usesColumns: Bool) throws {
        let first = #"""
            {"i":9223372036854775807,"d":-0.0,"f":0.1,"b":true,"s":"a\u0000😀","t":{"$date":"1970-01-01T00:00:00.000000001Z"},
            "x":{"$binary":{"base64":"AAE=","subType":"00"}},"n":{"$numberDecimal":"1E+3"},
            "o":{"$oid":"0123456789abcdef01234567"},"u":{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"},
            "m":{"a":[{"$ref":"A","$id":1}]}}
            """#
        let second = #"""
            {"i":-7,"d":{"$numberDouble":"NaN"},"f":null,"b":false,"s":"","t":{"$date":"+275761-01-01T00:00:00.5Z"},
            "x":null,"n":{"$numberDecimal":"NaN"},"o":null,"u":null,"m":{"$date":"1969-12-31T23:59:59.000000001Z"}}
            """#
        let realm = try TestRealm(
            #"{"schemaVersion": 0, "schema": \#(Self.schema), "objects": {"A": [\#(first), \#(second)]}}"#)
        let unchanged = try realm.json("function migrate() {}")
        let copied = try realm.json(
            """
            function migrate(m) { m.enumerateObjects("A", (o, n) => {
              const values = {};
              for (const name in o) if (o.keys().includes(name)) { values[name] = o[name]; n[name] = null; }
              for (const name in values) n[name] = values[name];
            }) }
            """, TestRealm.Run(usesColumns: usesColumns))
        #expect(copied == unchanged)
    }

    @Test(arguments: [true, false])
    func `keeps nanoseconds when a date is moved`(usesColumns: Bool) throws {
        let realm = try TestRealm(
            #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"t": "date"}}],
             "objects": {"A": [{"t": {"$date": "2020-01-31T10:00:00.123456789Z"}}]}}
            """#)
        let json = try realm.json(
            """
            function migrate(m) { m.enumerateObjects("A", (o, n) => {
              const date = o.t;
              console.log(date.nanoseconds, date.toISOString(), date instanceof Date);
              date.setUTCMilliseconds(456);
              n.t = date;
            }) }
            """, TestRealm.Run(usesColumns: usesColumns))
        #expect(json == #"{"A":[{"_key":0,"t":{"$date":"2020-01-31T10:00:00.456456789Z"}}]}}"#)
    }

    /// A realm has UTF-8, in which half of a surrogate pair can't be: it is U+FFFD at once, and not only when its row group is at its end.
    @Test(arguments: [1, 2, 16_384], [true, false])
    func `reads half a surrogate pair as it is stored`(rows: Int, usesColumns: Bool) throws {
        let rowGroups = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let realm = try TestRealm(
            """
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {
                "s": "string", "t": "string?", "m": "mixed", "l": "string[]", "k": "string<>", "d": "string{}"}}],
             "objects": {"A": [{"s": "", "t": null, "m": null}, {"s": "", "t": null, "m": null}]}}
            """, limits: rowGroups)
        let run = TestRealm.Run(usesColumns: usesColumns, rowGroups: rowGroups)
        _ = try realm.json(
            """
            function migrate(m) {
              const show = text => [...text].map(c => c.codePointAt(0).toString(16)).join();
              m.enumerateObjects('A', (o, n) => {
                n.s = '\\ud83d' + 'x'; n.t = '\\ude00'; n.m = '\\ud83d\\ude00\\ud83d'; n.l = ['\\ude00'];
                n.l.push('\\ud83d'); n.l[0] = 'a\\ude00'; n.k = ['\\ud83d']; n.d = { '\\ud83d': '\\ude00' };
                console.log(show(n.s), show(n.t), show(n.m), ...n.l.map(show), ...[...n.k].map(show),
                  ...Object.entries(n.d).flat().map(show));
              });
            }
            """, run)
        let shown = "fffd,78 fffd 1f600,fffd 61,fffd fffd fffd fffd fffd"
        #expect(run.observer.lines == [shown, shown])
    }

    @Test func `takes no nanoseconds from what all objects have`() throws {
        let realm = try TestRealm(
            #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"t": "date", "u": "date"}}],
             "objects": {"A": [{"t": {"$date": "1970-01-01T00:00:00Z"}, "u": {"$date": "1970-01-01T00:00:00.000000001Z"}}]}}
            """#)
        let json = try realm.json(
            """
            Object.prototype.nanoseconds = Date.prototype.nanoseconds = 7;
            function migrate(m) {
              m.enumerateObjects('A', (o, n) => {
                n.t = new Date(5); n.u = o.u;
                m.create('A', { t: Object.assign(new Date(5), { nanoseconds: 9 }), u: new Date(o.u) });
              });
            }
            """)
        for date in ["00:00:00.005Z", "00:00:00.000000001Z", "00:00:00.000000009Z", "00:00:00Z"] {
            #expect(json.contains(date), "\(json)")
        }
        #expect(!json.contains("07Z"), "\(json)")
    }

    @Test func `has the values that JavaScript has not`() throws {
        let lines = try TestRealm(#"{"schemaVersion": 0, "schema": [], "objects": {}}"#).log(
            """
            function migrate() {
              console.log(new Decimal128("1.50"), String(new UUID()).length, String(new ObjectId()).length);
              console.log(new UUID("00112233445566778899AABBCCDDEEFF").equals("00112233-4455-6677-8899-aabbccddeeff"));
              console.log(new Realm.BSON.ObjectId("0123456789abcdef01234567").equals(new ObjectId("0123456789ABCDEF01234567")));
              console.log(JSON.stringify([new Decimal128("1"), new ObjectId("0123456789abcdef01234567")]));
              for (const make of [() => new Decimal128("x"), () => new ObjectId("x"), () => new UUID("x")]) {
                try { make() } catch (error) { console.log(error.message) }
              }
            }
            """)
        #expect(
            lines == [
                "1.50 36 24", "true", "true", #"[{"$numberDecimal":"1"},"0123456789abcdef01234567"]"#,
                "The value is no Decimal128.", "The value is no ObjectId.", "The value is no UUID.",
            ])
    }

    @Test func `is JSON with large numbers in mixed dictionaries and lists, too`() throws {
        let realm = try TestRealm(
            """
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"m": "mixed"}}],
             "objects": {"A": [{"m": {"a": 1152921504606846976, "b": [9007199254740993, {"c": 1}]}}]}}
            """)
        let lines = try realm.log(
            "function migrate(m) { m.enumerateObjects('A', (o, n) => console.log(JSON.stringify(o))) }")
        #expect(lines == [#"{"_key":0,"m":{"a":"1152921504606846976","b":["9007199254740993",{"c":1}]}}"#])
    }
}
