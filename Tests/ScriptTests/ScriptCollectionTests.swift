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
