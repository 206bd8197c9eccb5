import RealmMigration
import Testing

@testable import ScriptChild

/// Scripts that run over columns do what they do value by value.
@Suite struct ColumnPathTests {
    private static let json = #"""
        {"schemaVersion": 0,
         "schema": [
           {"name": "P", "primaryKey": "id", "properties": {
             "id": "int", "first": "string", "last": "string?", "n": "int", "x": "double?", "t": "date?", "b": "bool",
             "f": "float", "friend": "P", "friends": "P[]", "counts": "int[]"}},
           {"name": "Q", "properties": {"v": "string"}}],
         "objects": {"P": [
           {"id": 10, "first": "é", "last": "a", "n": 1, "x": 1.5, "t": {"$date": "2020-01-01T00:00:00.000000007Z"}, "b": true, "f": 0.5, "friend": 11, "friends": [10, 12], "counts": []},
           {"id": 11, "first": "two", "last": null, "n": 2, "x": null, "t": null, "b": false, "f": -1.0, "friend": null, "friends": [], "counts": []},
           {"id": 12, "first": "", "last": "", "n": -3, "x": -0.0, "t": null, "b": true, "f": 2.0, "friend": 10, "friends": [11], "counts": []},
           {"id": 13, "first": "😀x", "last": "d", "n": 9007199254740993, "x": 3.0, "t": {"$date": "1969-12-31T23:59:59.5Z"}, "b": false, "f": 0.1, "friend": 13, "friends": [13, 12, 11], "counts": []},
           {"id": 14, "first": "five", "last": "e", "n": 5, "x": 0.1, "t": null, "b": false, "f": 1.0, "friend": 11, "friends": [], "counts": []},
           {"id": 15, "first": "six", "last": null, "n": 6, "x": null, "t": null, "b": true, "f": 1.0, "friend": 14, "friends": [10], "counts": []},
           {"id": 16, "first": "seven", "last": "g", "n": 7, "x": 7.0, "t": null, "b": true, "f": 1.0, "friend": null, "friends": [], "counts": []}],
          "Q": [{"_key": 0, "v": "q"}, {"_key": 1, "v": "r"}]}}
        """#

    private static let walk = "const a = m.oldRealm.objects('P'), b = m.newRealm.objects('P');"

    @Test(arguments: [
        "m.enumerateObjects('P', (o, n) => { n.first = o.first + o.last })",
        // Some rows only, reading back what was written, and again in another enumeration.
        "m.enumerateObjects('P', (o, n) => { if (n.b) { n.first += '!'; n.last = n.first + n.last } })",
        "for (let i = 0; i < 3; i++) m.enumerateObjects('P', (o, n) => { n.n = n.n === 2 ? 9007199254740993n : 5; n.x = n.x === null ? 1 : null })",
        // By way of a link to a row of the same group, of another, and of one that was passed.
        "m.enumerateObjects('P', (o, n) => { if (n.friend) { n.friend.first += n.first; n.last = n.friend.first } })",
        "m.enumerateObjects('P', (o, n) => { for (const f of n.friends) f.n = f.n === null ? 0 : 7; log(n.n, n.friends.map(f => f.n)) })",
        // Kept objects, read and written after their groups.
        "const kept = []; m.enumerateObjects('P', (o, n) => { kept.push([o, n]); kept[0][1].first += n.first }); for (const [o, n] of kept) { n.last = o.first + n.first; log(o.n, n.x) }",
        // Nested enumerations of the same class.
        "m.enumerateObjects('P', (o, n) => { n.n = 1; m.enumerateObjects('P', (p, q) => { q.n = 2; if (q.isSame(n)) q.first = 'same' + q.n; }); n.n = n.n + 10; })",
        // Deleting: itself, one ahead, one behind, all.
        "m.enumerateObjects('P', (o, n) => { n.first = 'w'; if (n.id % 2) m.delete(n) })",
        "const seen = []; m.enumerateObjects('P', (o, n) => { seen.push(n); n.last = 'z'; if (n.friend && n.friend.isValid()) m.delete(n.friend) }); log(seen.map(n => n.isValid() && n.last))",
        "m.enumerateObjects('P', (o, n) => { n.n = 4; m.enumerateObjects('P', (p, q) => { if (q.id === 12) m.delete(q) }); log(n.isValid()) })",
        "m.enumerateObjects('P', (o, n) => { n.n = 4; if (o.id === 13) m.deleteData('P') })",
        // Creating meanwhile, from what waits.
        "m.enumerateObjects('P', (o, n) => { n.first = 'c' + o.id; m.create('P', { ...JSON.parse(JSON.stringify({ id: n.id + 100, first: n.first })), n: 1, b: true, f: 1 }) })",
        "m.enumerateObjects('Q', (o, n) => { n.v += 'x'; m.create('Q', n); m.create('Q', o) })",
        // Primary keys that wait are found.
        "m.enumerateObjects('P', (o, n) => { n.id = o.id + 1000; const p = m.newRealm.objectForPrimaryKey('P', o.id + 1000); log(p && p.isSame(n)) })",
        // Renames see what waits.
        "m.enumerateObjects('P', (o, n) => { n.first = 'r' }); m.renameProperty('P', 'n', 'n2')",
        // A failure that is caught leaves what was done.
        "try { m.enumerateObjects('P', (o, n) => { n.first = 'before'; if (o.id === 14) throw 1 }) } catch {}",
        "m.enumerateObjects('P', (o, n) => { n.first = 'a'; try { n.first = null } catch {} try { n.n = 'x' } catch {} n.last = null })",
        // Walking through all objects by their places, as Realm JS's own examples do.
        "const a = m.oldRealm.objects('P'), b = m.newRealm.objects('P'); for (let i = 0; i < a.length; i++) b[i].last = a[i].first + b[i].first",
        "\(walk) for (let i = 0; i < 60; i++) { b[i % 7].first += a[i % 7].n; b[i % 3].n += 1; log(b[(i * 5) % 7].first) }",
        "\(walk) for (let j = 0; j < 9; j++) for (let i = 0; i < b.length; i++) { b[i].first += '.'; if (j === 8 && i === 2) m.delete(b[4]) }",
        "\(walk) for (let j = 0; j < 40; j++) { b[j % 3].n = j; if (j % 5 === 0) m.create('P', { id: 100 + j, first: 'new', n: j, b: true, f: 1 }); log(b.length, b[b.length - 1].first, b[b.length]) }",
        "\(walk) for (let j = 0; j < 12; j++) b[0].first += j; for (let i = b.length - 1; i >= 0; i--) if (b[i].b) m.delete(b[i]); log(b.map(p => p.first))",
        "\(walk) for (let j = 0; j < 12; j++) b[0].first += j; while (b.length) { b[0].first += 'x'; m.delete(b[0]) } log(b.length)",
        "\(walk) for (const p of b) { p.first = 'w' + p.first; m.enumerateObjects('P', (o, n) => { n.n += 1 }) } b.forEach((p, i) => log(p.first, p.n, i))",
        "\(walk) for (const p of b) p.first = 'w'; m.deleteData('P'); m.create('P', { id: 1, first: 'again', n: 1, b: true, f: 1 }); for (let j = 0; j < 12; j++) b[0].first += j; log(b[0].first)",
        "\(walk) for (const p of b) p.first = 'w'; m.renameProperty('P', 'n', 'n2'); for (const p of b) p.last = p.first",
        // Every type.
        "m.enumerateObjects('P', (o, n) => { n.t = o.t === null ? new Date(o.id) : null; n.b = !o.b; n.f = o.f + 0.1; n.x = o.n > 3 ? Number(o.n) : o.x; log(n.t, n.b, n.f, n.x) })",
        "m.enumerateObjects('P', (o, n) => { n.t = o.t; n.n = o.n; n.x = o.x; n.f = o.f; n.first = o.first })",
        "m.enumerateObjects('P', (o, n) => { n.n = o.id % 2 ? 9223372036854775807n : 1 })",
        "m.enumerateObjects('P', (o, n) => { n.first = '\\ud83d'; n.last = '\\ude00' + o.last })",
        "m.enumerateObjects('P', (o, n) => { n.friends.push(n); n.friend = n; n.first = 'l' + n.friends.length })",
        // Lists, however they are changed.
        "m.enumerateObjects('P', (o, n) => { n.friends = o.friends; n.friends.reverse(); n.friends.sort((a, b) => a.id - b.id); const l = n.friends; for (let i = 0; i < l.length; i++) l[i] = n; n.friends.push(o); log(l.map(f => f.id), l.length) })",
        "m.enumerateObjects('P', (o, n) => { const l = n.friends; l.push(n); m.enumerateObjects('P', (p, q) => { if (q.id === 12) { q.friends = [n]; m.delete(q) } }); log(l.length, n.friend && n.friend.id); l.remove(-1) })",
        "m.enumerateObjects('P', (o, n) => { try { n.friends = [n, null] } catch (e) { log(e.message) } try { n.friends.push('x') } catch (e) { log(e.message) } n.friends.push({ id: o.id + 50, first: '', n: 1, b: true, f: 1 }); log(n.friends.map(f => f.id)) })",
    ])
    func `does the same by columns and value by value`(body: String) throws {
        let results = try [true, false].map { usesColumns in
            let realm = try TestRealm(Self.json)
            let run = TestRealm.Run(usesColumns: usesColumns)
            let source = "const log = (...v) => console.log(...v); function migrate(m) { \(body) }"
            do {
                return [try realm.json(source, run)] + run.observer.lines
            } catch let error as MigrationError {
                return ["\(error)", "\(error.details)"] + run.observer.lines
            }
        }
        #expect(results[0] == results[1])
    }

    @Test(arguments: [
        ("n.e = null", #"{"A":[{"_key":0,"e":null,"l":[1,2]}],"E":[{"_key":1,"x":2},{"_key":2,"x":3}]}"#),
        ("n.l.pop()", #"{"A":[{"_key":0,"e":0,"l":[1]}],"E":[{"_key":0,"x":1},{"_key":1,"x":2}]}"#),
        ("n.l = []", #"{"A":[{"_key":0,"e":0,"l":[]}],"E":[{"_key":0,"x":1}]}"#),
        (
            "n.e = n.l[0]",
            #"{"A":[{"_key":0,"e":3,"l":[1,2]}],"E":[{"_key":1,"x":2},{"_key":2,"x":3},{"_key":3,"x":2}]}"#
        ),
        (
            "n.e.x = 9; n.l.push(n.e)",
            #"{"A":[{"_key":0,"e":0,"l":[1,2,3]}],"E":[{"_key":0,"x":9},{"_key":1,"x":2},{"_key":2,"x":3},{"_key":3,"x":9}]}"#
        ),
        (
            "n.l[0].x = 9; n.e = n.l[0]; n.l[0].x = 8",
            #"{"A":[{"_key":0,"e":3,"l":[1,2]}],"E":[{"_key":1,"x":8},{"_key":2,"x":3},{"_key":3,"x":9}]}"#
        ),
        (
            "m.create('A', { e: { x: 7 } }, 'all')",
            #"{"A":[{"_key":0,"e":0,"l":[1,2]},{"_key":1,"e":3,"l":[]}],"E":[{"_key":0,"x":1},{"_key":1,"x":2},{"_key":2,"x":3},{"_key":3,"x":7}]}"#
        ),
    ])
    func `changes links to objects of a class that becomes top-level`(body: String, objects: String) throws {
        let realm = try TestRealm(
            #"""
            {"schemaVersion": 0, "schema": [
              {"name": "A", "properties": {"e": "E", "l": "E[]"}}, {"name": "E", "embedded": true, "properties": {"x": "int"}}],
             "objects": {"A": [{"e": {"x": 1}, "l": [{"x": 2}, {"x": 3}]}]}}
            """#)
        let target =
            #"[{"name": "A", "properties": {"e": "E", "l": "E[]"}}, {"name": "E", "properties": {"x": "int"}}]"#
        let script = "function migrate(m) { m.enumerateObjects('A', (o, n) => { \(body) }) }"
        #expect(try realm.json(script, to: target) == objects + "}")
    }

    @Test(arguments: [true, false])
    func `reads linked objects under the names that renaming gave their properties`(usesColumns: Bool) throws {
        let schema = #"""
            [{"name": "P", "primaryKey": "id", "properties": {
               "id": "int", "name": "string", "last": "string?", "n": "int", "friend": "P", "friends": "P[]",
               "counts": "int[]"}},
             {"name": "Q", "properties": {"v": "string"}}]
            """#
        let script = """
            function migrate(m) {
              const show = () => m.enumerateObjects('P', (o, n) => {
                console.log(n.friend && n.friend.name + n.friend.n, o.friend && o.friend.first);
              });
              show();
              m.enumerateObjects('P', (o, n) => { if (n.friend) n.friend.name = 'written ' + o.id; });
              m.renameProperty('P', 'first', 'name');
              show();
            }
            """
        let lines = try TestRealm(Self.json).log(script, to: schema, usesColumns: usesColumns)
        #expect(
            lines == [
                "2 two", "null null", "1 é", "9007199254740993 😀x", "2 two", "5 five", "null null", "two2 two",
                "null null", "é1 é", "😀x9007199254740993 😀x", "two2 two", "five5 five", "null null",
            ])
    }

    @Test func `hands over lists that grow beyond what may wait`() throws {
        let script = """
            function migrate(m) {
              m.enumerateObjects('P', (o, n) => {
                if (o.id > 11) return;
                for (let i = 0; i < 80000; i++) n.counts.push(i);
                n.counts[0] = o.id;
              });
              m.enumerateObjects('P', (o, n) => {
                const counts = n.counts;
                console.log(counts.length, counts[0], counts.reduce((sum, count) => sum + count, 0));
              });
            }
            """
        let sum = 79_999 * 40_000
        #expect(
            try TestRealm(Self.json).log(script)
                == ["80000 10 \(sum + 10)", "80000 11 \(sum + 11)"] + Array(repeating: "0 undefined 0", count: 5))
    }
}
