import RealmMigration
import Testing

@testable import ScriptChild

/// Lists, sets and dictionaries behave as the language's own.
@Suite struct ScriptCollectionTests {
    private let realm: TestRealm

    init() throws {
        realm = try TestRealm(
            #"""
            {"schemaVersion": 0,
             "schema": [{"name": "A", "properties": {"l": "int[]", "s": "string<>", "d": "int?{}", "m": "mixed", "a": "A[]"}}],
             "objects": {"A": [{"l": [3, 1, 2], "s": ["x", "y"], "d": {"k": 1, "": null}, "m": {"k": [1, 2]}, "a": [0]}]}}
            """#)
    }

    private func log(_ body: String) throws -> [String] {
        try realm.log("function migrate(m) { m.enumerateObjects('A', (o, n) => { \(body) }) }")
    }

    private func after(_ body: String) throws -> String {
        try realm.json("function migrate(m) { m.enumerateObjects('A', (o, n) => { \(body) }) }")
    }

    @Test(arguments: [
        ("l.length", "3"), ("l[0]", "3"), ("l[3]", "undefined"), ("l.at(-1)", "2"), ("[...l]", "[3,1,2]"),
        ("l.map(x => x * 2)", "[6,2,4]"), ("l.filter(x => x > 1)", "[3,2]"), ("l.indexOf(2)", "2"),
        ("l.includes(9)", "false"), ("l.join('-')", "3-1-2"), ("l.slice(1)", "[1,2]"), ("l.find(x => x < 3)", "1"),
        ("l.reduce((x, y) => x + y)", "6"), ("l", "[3,1,2]"), ("Array.isArray(l)", "true"),
        ("Object.keys(l)", #"["0","1","2"]"#),
        ("[0].concat(l)", "[0,3,1,2]"), ("1 in l", "true"), ("3 in l", "false"), ("String(l)", "3,1,2"),
        ("[...l.entries()]", "[[0,3],[1,1],[2,2]]"), ("l.some(x => x === 1)", "true"), ("l.nope", "undefined"),
        ("l.toSorted()", "[1,2,3]"), ("Math.max(...l)", "3"),
    ])
    func `reads a list`(expression: String, shown: String) throws {
        #expect(try log("for (const l of [o.l, n.l]) console.log(\(expression))") == [shown, shown])
    }

    @Test(arguments: [
        ("l.push(4, 5)", "[3,1,2,4,5]"), ("l.pop()", "[3,1]"), ("l.shift()", "[1,2]"),
        ("l.unshift(9, 8)", "[9,8,3,1,2]"),
        ("l.splice(1, 1)", "[3,2]"), ("l.splice(-1)", "[3,1]"), ("l.splice(1, 0, 7, 7)", "[3,7,7,1,2]"),
        ("l.splice()", "[3,1,2]"),
        ("l[0] = 9", "[9,1,2]"), ("l[3] = 9", "[3,1,2,9]"), ("l.length = 1", "[3]"), ("l.sort()", "[1,2,3]"),
        ("l.reverse()", "[2,1,3]"), ("n.l = []", "[]"), ("n.l = o.l", "[3,1,2]"), ("n.l = new Set([5])", "[5]"),
        ("n.l = l.map(x => -x)", "[-3,-1,-2]"), ("for (const x of l) l.push(x)", "[3,1,2,3,1,2]"),
        ("l.fill(0)", "[0,0,0]"),
        ("l.removeAll()", "[]"), ("l.swap(0, 2)", "[2,1,3]"),
    ])
    func `changes a list`(statement: String, stored: String) throws {
        let json = try after("const l = n.l; \(statement)")
        #expect(json.contains("\"l\":\(stored),"), "\(json)")
    }

    @Test(arguments: [
        ("n.s = [1, [1]]", "Lists"), ("n.s = new Set([{ a: 1 }])", "Dictionaries"), ("n.s.add([2])", "Lists"),
        ("n.s.add({ a: 1 })", "Dictionaries"), ("n.s = o.l", "Lists"), ("n.s = o.m", "Lists"),
        ("n.s.add(o.m)", "Lists"), ("m.create('A', { s: [[]] })", "Lists"),
    ])
    func `refuses a collection within a set`(statement: String, kind: String) throws {
        let realm = try TestRealm(
            #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"s": "mixed<>", "l": "mixed[]", "m": "mixed"}}],
             "objects": {"A": [{"s": [1], "l": [[1], [2]], "m": [[1], {"k": 1}]}]}}
            """#)
        let error = #expect(throws: MigrationError.self) {
            try realm.json("function migrate(m) { m.enumerateObjects('A', (o, n) => { \(statement) }) }")
        }
        #expect(error?.message == "\(kind) within a Set are not supported.")
    }

    @Test(arguments: ["l[9] = 1", "l.length = 9", "l.x = 1", "l.push('x')", "l.push(null)", "delete l[0]"])
    func `refuses what no list takes`(statement: String) throws {
        #expect(throws: MigrationError.self) { try after("'use strict'; const l = n.l; \(statement)") }
    }

    @Test func `finds objects in a list by their identity`() throws {
        #expect(
            try log("console.log(n.a.includes(n), n.a.indexOf(n), n.a[0].isSame(n), o.a.includes(n))") == [
                "true 0 true false"
            ])
    }

    @Test func `finds elements from a place on, as arrays do`() throws {
        let realm = try TestRealm(
            #"{"schemaVersion": 0, "schema": [{"name": "A", "properties": {"l": "int[]"}}], "objects": {"A": [{"l": [5, 6, 5, 7]}]}}"#
        )
        let script = """
            function migrate(m) { m.enumerateObjects('A', (o, n) => {
              const places = [undefined, 0, 1, 2, 3, 4, 9, -1, -2, -3, -4, -9, '1', NaN, 1.9, Infinity, -Infinity];
              const wrong = [];
              for (const list of [o.l, n.l, m.oldRealm.objects('A')[0].l]) {
                const array = [...list];
                for (const name of ['indexOf', 'lastIndexOf', 'includes']) {
                  for (const value of [5, 6, 8]) {
                    if (list[name](value) !== array[name](value)) wrong.push(name);
                    for (const from of places) if (list[name](value, from) !== array[name](value, from)) wrong.push(`${name} ${value} ${from}`);
                  }
                }
              }
              console.log(wrong.join());
            }) }
            """
        #expect(try realm.log(script) == [""])
    }

    @Test func `finds in new collections the objects that links to old ones would lead to`() throws {
        #expect(try log("console.log(n.a.includes(o), n.a.indexOf(o), n.a.lastIndexOf(o))") == ["true 0 0"])
        let realm = try TestRealm(
            #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"s": "A<>", "m": "mixed<>"}}],
             "objects": {"A": [{"_key": 0, "s": [0], "m": [{"$ref": "A", "$id": 0}]}, {"_key": 1}]}}
            """#)
        let script = """
            function migrate(m) { m.enumerateObjects('A', (o, n) => {
              if (o._key !== 0) return;
              const other = m.oldRealm.objects('A')[1];
              console.log(n.s.has(o), n.s.has(other), n.m.has(o), n.m.has(other), n.s.delete(o), n.s.has(o));
            }) }
            """
        #expect(try realm.log(script) == ["true false true false true false"])
    }

    /// As each of a realm's dates and bytes is made for the script that asks for it.
    @Test func `gives dates and bytes that a script may change, and no element changes with them`() throws {
        let realm = try TestRealm(
            #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {
               "ld": "date[]", "sd": "date<>", "dd": "date{}", "ly": "data[]", "dy": "data{}", "lm": "mixed[]", "dm": "mixed{}"}}],
             "objects": {"A": [{
               "ld": [{"$date": "2020-01-01T00:00:00Z"}], "sd": [{"$date": "2020-01-01T00:00:00Z"}],
               "dd": {"k": {"$date": "2020-01-01T00:00:00Z"}}, "ly": [{"$binary": {"base64": "AQI=", "subType": "00"}}], "dy": {"k": {"$binary": {"base64": "AQI=", "subType": "00"}}},
               "lm": [{"$date": "2020-01-01T00:00:00Z"}, [{"$date": "2020-01-01T00:00:00Z"}]],
               "dm": {"k": {"$date": "2020-01-01T00:00:00Z"}}}]}}
            """#)
        let ways = [
            "a.ld[0]", "a.ld.at(0)", "[...a.ld][0]", "a.ld.find(d => true)", "a.ld.slice()[0]", "[...a.sd][0]",
            "a.dd.k",
            "Object.values(a.dd)[0]", "a.ly[0]", "a.dy.k", "a.lm[0]", "a.lm[1][0]", "a.dm.k",
        ]
        let script = """
            function migrate(m) { m.enumerateObjects('A', (o, n) => {
              const change = v => { if (v instanceof Date) v.setTime(0); else v[0] = 9; };
              const show = v => v instanceof Date ? v.getTime() : v[0];
              for (const x of [o, n]) {
                const { ...lists } = x;
                for (const a of [x, lists]) {
                  for (const way of [\(ways.map { "a => \($0)" }.joined(separator: ", "))]) {
                    const before = show(way(a));
                    change(way(a));
                    if (show(way(a)) !== before) console.log(String(way));
                  }
                }
              }
              n.ld.push(n.ld[0]);
              n.ld[0].setTime(0);
              console.log(n.ld.length, n.ld.map(d => d.getUTCFullYear()).join());
            }) }
            """
        #expect(try realm.log(script) == ["2 2020,2020"])
    }

    /// As `add` and `delete` compare.
    @Test func `finds numbers by what a realm would make of them`() throws {
        let realm = try TestRealm(
            #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {
               "sd": "decimal128<>", "ld": "decimal128[]", "sm": "mixed<>", "lm": "mixed[]", "sf": "float<>", "lf": "float[]"}}],
             "objects": {"A": [{"sd": [{"$numberDecimal": "1.0"}, {"$numberDecimal": "0"}],
               "ld": [{"$numberDecimal": "1.0"}, {"$numberDecimal": "0"}], "sm": [1.5, 7], "lm": [1.5, {"$numberDecimal": "2.50"}], "sf": [0.1],
               "lf": [0.1]}]}}
            """#)
        let script = """
            function migrate(m) { m.enumerateObjects('A', (o, n) => {
              const decimal = text => new Decimal128(text);
              for (const a of [o, n]) {
                console.log(a.sd.has(decimal('1.00')), a.sd.has(1), a.sd.has(decimal('-0')), a.sd.has(decimal('1.01')), a.sd.has('1.0'));
                console.log(a.ld.indexOf(decimal('-0')), a.ld.includes(decimal('1')), a.ld.lastIndexOf(decimal('10E-1')), a.ld.indexOf(null));
                console.log(a.sm.has(decimal('1.5')), a.sm.has(decimal('7.0')), a.sm.has(7n), a.sm.has(decimal('NaN')), a.sm.has('7'));
                console.log(a.lm.indexOf(decimal('1.50')), a.lm.indexOf(2.5), a.lm.includes(true), a.lm.lastIndexOf(decimal('2.5')));
                console.log(a.sf.has(0.1), a.sf.has(0.2), a.lf.indexOf(0.1), a.lf.includes(Math.fround(0.1)), a.lf.lastIndexOf(0.1));
              }
            }) }
            """
        let lines = [
            "true true true false false", "1 true 0 -1", "true true true false false", "0 1 false 1",
            "true false 0 true 0",
        ]
        #expect(try realm.log(script) == lines + lines)
    }

    @Test(arguments: [
        ("s.size", "2"), ("s.has('x')", "true"), ("s.has('z')", "false"), ("[...s]", #"["x","y"]"#),
        ("[...s.entries()].length", "2"), ("Object.prototype.toString.call(s)", "[object Set]"), ("s", #"["x","y"]"#),
    ])
    func `reads a set`(expression: String, shown: String) throws {
        #expect(try log("for (const s of [o.s, n.s]) console.log(\(expression))") == [shown, shown])
    }

    @Test(arguments: [
        ("s.add('z')", #"["x","y","z"]"#), ("s.add('x')", #"["x","y"]"#), ("s.delete('x')", #"["y"]"#),
        ("s.clear()", "[]"), ("n.s = ['b', 'b', 'a']", #"["a","b"]"#), ("s.delete('nope')", #"["x","y"]"#),
    ])
    func `changes a set`(statement: String, stored: String) throws {
        let json = try after("const s = n.s; \(statement)")
        #expect(json.contains("\"s\":\(stored),"), "\(json)")
    }

    @Test(arguments: [
        ("d.k", "1"), ("d['']", "null"), ("d.nope", "undefined"), ("Object.keys(d)", #"["","k"]"#),
        ("'k' in d", "true"),
        ("'nope' in d", "false"), ("Object.entries(d).length", "2"), ("({ ...d }).k", "1"), ("d", #"{"":null,"k":1}"#),
        ("d.toString === undefined", "false"),
    ])
    func `reads a dictionary`(expression: String, shown: String) throws {
        #expect(try log("for (const d of [o.d, n.d]) console.log(\(expression))") == [shown, shown])
    }

    @Test(arguments: [
        ("d.k = 5", #"{"":null,"k":5}"#), ("d.z = null", #"{"":null,"k":1,"z":null}"#), ("delete d.k", #"{"":null}"#),
        ("delete d.nope", #"{"":null,"k":1}"#), ("n.d = { a: 1, b: 2 }", #"{"a":1,"b":2}"#),
        ("n.d = o.d", #"{"":null,"k":1}"#),
        ("n.d = new Map([['q', 3]])", #"{"q":3}"#), ("d.__proto__ = 3", #"{"":null,"__proto__":3,"k":1}"#),
        ("for (const k in d) d[k] = 7", #"{"":7,"k":7}"#),
    ])
    func `changes a dictionary`(statement: String, stored: String) throws {
        let json = try after("const d = n.d; \(statement)")
        #expect(json.contains("\"d\":\(stored),"), "\(json)")
    }

    @Test func `assigns collections in mixed values as wholes`() throws {
        #expect(try log("console.log(n.m.k[1], n.m)") == [#"2 {"k":[1,2]}"#])
        #expect(throws: MigrationError.self) { try after("n.m.k.push(3)") }
        #expect(try after("n.m = { ...n.m, x: 'y' }").contains(#""m":{"k":[1,2],"x":"y"}"#))
    }
}
