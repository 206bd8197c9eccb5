import Columns
import Foundation
import RealmMigration
import RealmModel
import Testing

@testable import ScriptChild

/// A script takes time and chance from its source, so that a run can be repeated.
@Suite struct ScriptOriginTests {
    private static let realm = """
        {"schemaVersion": 0, "schema": [{"name": "A", "properties": {
           "id": "int", "u": "uuid?", "o": "objectId?", "d": "double?", "t": "date?", "s": "string?"}}],
         "objects": {"A": [{"id": 1, "u": null, "o": null, "d": null, "t": null, "s": null},
                           {"id": 2, "u": null, "o": null, "d": null, "t": null, "s": null}]}}
        """
    private static let script = """
        const started = new Date();
        function migrate(m) {
          m.enumerateObjects('A', (o, n) => {
            n.u = new UUID(); n.o = new ObjectId(); n.d = Math.random(); n.t = started;
            n.s = Date() + Date.now() + new Intl.DateTimeFormat('en').format();
          });
        }
        """
    private static let time = Timestamp(seconds: 1_600_000_000, nanoseconds: 123_000_000)
    private static let origin = ScriptOrigin(source: .uuid(7), time: time)

    private func outcome(
        _ script: String = Self.script, of origin: ScriptOrigin? = Self.origin, usesColumns: Bool = true,
        version: UInt64 = 1
    ) throws -> String {
        try TestRealm(Self.realm).json(
            script, TestRealm.Run(usesColumns: usesColumns, origin: origin, targetVersion: version))
    }

    @Test(arguments: [true, false])
    func `the same source and script make the same values`(usesColumns: Bool) throws {
        #expect(try outcome(usesColumns: usesColumns) == outcome())
    }

    @Test(arguments: [
        "new (n.t['construc' + 'tor'])().getTime()", "new globalThis['Da' + 'te']().getTime()", "Math.random()",
        "globalThis['Ma' + 'th'].random()", "this['Ma' + 'th'].random()", "new UUID().toString()",
        "new (n.t.constructor)().getTime()", "\\u0044ate.now()", "n.t[['to', 'JSON'].join('')]()",
    ])
    func `whatever way leads to time and chance, they are those of the source`(expression: String) throws {
        let script = """
            function migrate(m) {
              m.enumerateObjects('A', function (o, n) { n.t = m.oldRealm.objects('A')[0].t ?? n.t; n.s = '' + \(expression); });
            }
            """
        let realm = Self.realm.replacingOccurrences(of: #""t": null"#, with: #""t": {"$date": "2020-01-01T00:00:00Z"}"#)
        let run = TestRealm.Run(origin: Self.origin)
        let first = try TestRealm(realm).json(script, run)
        usleep(2_000)
        #expect(try TestRealm(realm).json(script, run) == first)
    }

    /// A script that makes objects, deletes some, and writes values of all kinds, over some row groups.
    private static let everything = """
        function migrate(m) {
          m.enumerateObjects('A', (o, n) => {
            n.u = new UUID(); n.o = new ObjectId(); n.d = Math.random(); n.t = new Date(); n.s = `${n.d} ${n.u}`;
            n.m = o.id % 2 ? new UUID() : Math.random();
            for (let i = 0; i < o.id % 4; i++) { n.l.push(Math.random()); n.g['k' + Math.floor(Math.random() * 1e9)] = i; }
            if (Math.random() < 0.3) m.delete(n);
            if (Math.random() < 0.3) m.create('A', { id: 1000 + o.id, s: String(Math.random()) });
          });
          console.log(m.newRealm?.objects('A').length ?? '');
        }
        """

    /// The bytes of all columns of a realm, by class and property.
    private func columns(of snapshot: Snapshot, in store: MemorySegmentStore) throws -> [String: [[UInt8]]] {
        var columns: [String: [[UInt8]]] = [:]
        func add(_ column: Column, _ name: String) throws {
            switch column {
            case .constant(let value): columns[name] = [Array("\(value)".utf8)]
            case .segments(let id):
                columns[name] = try store.read(column: id).map { segment in
                    switch segment.content {
                    case .constant(let value): Array("\(segment.rowCount) \(value)".utf8)
                    case .stored(let id, _): try store.read(segment: id)
                    }
                }
            }
        }
        for stored in snapshot.classes {
            try add(stored.keys, stored.schema.name)
            for (property, column) in zip(stored.schema.properties, stored.columns) {
                try add(column, "\(stored.schema.name).\(property.name)")
            }
        }
        return columns
    }

    @Test(arguments: [1, 2, 3, 5, 8])
    func `the same source and script make byte-equal columns, and another realm has other ids`(seed: UInt64) throws {
        let properties = #"""
            {"id": "int", "u": "uuid?", "o": "objectId?", "d": "double?", "t": "date?", "s": "string?", "m": "mixed",
             "l": "double[]", "g": "int{}"}
            """#
        let objects = (0..<40).map {
            #"{"id": \#($0), "u": null, "o": null, "d": null, "t": null, "s": null, "m": null, "l": [], "g": {}}"#
        }
        let json = #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": \#(properties)}],
             "objects": {"A": [\#(objects.joined(separator: ", "))]}}
            """#
        func run(_ source: UInt64) throws -> [String: [[UInt8]]] {
            let realm = try TestRealm(json)
            let origin = ScriptOrigin(source: .uuid(source), time: Self.time)
            return try columns(
                of: realm.migrate(Self.everything, TestRealm.Run(origin: origin)).snapshot, in: realm.store)
        }
        let first = try run(seed)
        #expect(first["A.u"]?.isEmpty == false && first.count == 10)
        for _ in 0..<3 { #expect(try run(seed) == first) }
        #expect(try run(seed + 100)["A.u"] != first["A.u"])
    }

    @Test func `another source, script or version makes other values, and so does a run without a source`() throws {
        let outcomes = [
            try outcome(),
            try outcome(of: ScriptOrigin(source: .uuid(8), time: Self.time)),
            try outcome(Self.script + "\n"),
            try outcome(version: 2),
            try outcome(of: nil),
        ]
        #expect(Set(outcomes).count == outcomes.count)
    }

    /// The value of an expression in a script that has an origin.
    private func value(of expression: String) throws -> String {
        let run = TestRealm.Run(origin: Self.origin)
        _ = try TestRealm(Self.realm).migrate("function migrate(m) { console.log(String(\(expression))); }", run)
        return run.observer.lines.joined()
    }

    @Test(
        arguments: [
            ("Date.now()", "1600000000123"), ("new Date().getTime()", "1600000000123"),
            ("new Date() - new Date()", "0"), ("Date() === String(new Date(1600000000123))", "true"),
            (
                "(() => { for (let i = 1; i < 1000; i++) Date.now(); return [Date.now(), Date.now()]; })()",
                "1600000000123,1600000000124"
            ),
            ("(() => { let i = 0; for (const end = Date.now() + 40; Date.now() < end;) i++; return i; })()", "39999"),
            ("Date(0) === Date()", "true"),
            ("new ObjectId().getTimestamp().toISOString()", "2020-09-13T12:26:40.000Z"),
            ("new Intl.DateTimeFormat('en-GB').format()", "13/09/2020"),
            ("new Intl.DateTimeFormat('en-GB').format(new Date(0))", "01/01/1970"),
            ("new Intl.DateTimeFormat('en-GB').formatToParts()[4].value", "2020"),
            ("Reflect.construct(Date, [], Array) instanceof Array", "true"),
        ])
    func `time begins at the source's, and goes on by a microsecond a look`(expression: String, value: String) throws {
        #expect(try self.value(of: expression) == value)
    }

    @Test(
        arguments: [
            ("new Date(5).getTime()", "5"), ("new Date(2020, 0, 31).toISOString()", "2020-01-31T00:00:00.000Z"),
            ("new Date('2020-01-31').getTime()", "1580428800000"), ("new Date(undefined).getTime()", "NaN"),
            ("Date.UTC(1970, 0, 2)", "86400000"), ("Date.parse('1970-01-02')", "86400000"),
            ("Date.length + Date.name", "7Date"), ("new Date().constructor === Date", "true"),
            ("new Date() instanceof Date", "true"), ("Object.prototype.toString.call(new Date())", "[object Date]"),
            ("new (class extends Date { day() { return this.getUTCDate(); } })(0).day()", "1"),
            ("Object.keys(Date).length", "0"), ("new Date(new Date(7)).getTime()", "7"),
            ("Object.keys(globalThis).includes('Date')", "false"),
        ])
    func `dates are what they are without`(expression: String, value: String) throws {
        #expect(try self.value(of: expression) == value)
    }

    @Test(arguments: [
        (-1, "1969-12-31T23:59:59.000Z", "ffffffff"), (1 << 32, "2106-02-07T06:28:16.000Z", "00000000"),
        (Int64.max, "+275760-09-12T00:00:00.000Z", nil), (Int64.min, "-271821-04-21T00:00:00.000Z", nil),
    ])
    func `a time of any second is one that a script can have`(seconds: Int64, date: String, id: String?) throws {
        let run = TestRealm.Run(
            origin: ScriptOrigin(source: .uuid(7), time: Timestamp(seconds: seconds, nanoseconds: 0)))
        _ = try TestRealm(Self.realm).migrate(
            "function migrate(m) { console.log(new Date().toISOString()); console.log(String(new ObjectId())); }", run)
        #expect(run.observer.lines.first == date)
        #expect(run.observer.lines.last?.count == 24)
        if let id { #expect(run.observer.lines.last?.hasPrefix(id) == true) }
    }

    @Test func `dates of objects have the same constructor`() throws {
        let realm = try TestRealm(
            #"{"schemaVersion": 0, "schema": [{"name": "A", "properties": {"t": "date"}}], "#
                + #""objects": {"A": [{"t": {"$date": "2020-01-31T00:00:00Z"}}]}}"#)
        let run = TestRealm.Run(origin: Self.origin)
        _ = try realm.migrate(
            "function migrate(m) { m.enumerateObjects('A', o => console.log(o.t.constructor === Date, o.t instanceof Date)) }",
            run)
        #expect(run.observer.lines == ["true true"])
    }

    /// The chance of 100,000 numbers to be further from their means than this is less than one in 10⁹.
    @Test func `chance is even`() throws {
        let numbers = try value(
            of: """
                (() => {
                  let sum = 0, least = 1, most = 0, low = 0;
                  const seen = new Set();
                  for (let i = 0; i < 100000; i++) {
                    const x = Math.random();
                    sum += x; least = Math.min(least, x); most = Math.max(most, x); seen.add(x);
                    if (Math.floor(x * 2 ** 53) % 2 === 0) low += 1;
                  }
                  return [Math.abs(sum / 100000 - 0.5) < 0.006, least >= 0 && least < 0.001, most < 1 && most > 0.999,
                    seen.size, Math.abs(low - 50000) < 1000];
                })()
                """)
        #expect(numbers == "true,true,true,100000,true")
    }

    /// Eight thousand sources that differ in a bit or two, and no two seeds are the same.
    @Test func `seeds of other sources are others`() {
        let script = ScriptSource(.javaScript, "function migrate() {}")
        var seeds: Set<[UInt32]> = []
        var count = 0
        for first in 0..<128 {
            for second in first..<128 {
                var bytes = [UInt8](repeating: 0x5A, count: 16)
                bytes[first / 8] ^= 1 << (first % 8)
                if second != first { bytes[second / 8] ^= 1 << (second % 8) }
                guard let source = RealmModel.UUID(bytes: bytes) else { continue }
                seeds.insert(ScriptOrigin(source: source, milliseconds: 0).seed(for: script, version: 1))
                count += 1
            }
        }
        #expect(seeds.count == count && count == 8256)
    }
}
