import Foundation
import RealmMigration
import Testing

@testable import ScriptChild

/// A script that changes what all arrays and objects have in common harms itself alone: what it does with objects of the realm
/// comes to the same as without, or fails.
@Suite struct PollutedWorldTests {
    private static let realm = #"""
        {"schemaVersion": 0,
         "schema": [
           {"name": "A", "properties": {
             "n": "int", "text": "string?", "x": "double", "flag": "bool", "when": "date?", "link": "B", "links": "B[]",
             "names": "string[]", "times": "date[]", "numbers": "int?[]", "bag": "int<>", "book": "string{}", "any": "mixed",
             "id": "uuid?", "part": "E", "parts": "E[]", "bytes": "data?"}},
           {"name": "B", "primaryKey": "id", "properties": {
             "id": "string", "n": "int", "of": {"type": "linkingObjects", "objectType": "A", "property": "links"}}},
           {"name": "E", "embedded": true, "properties": {"n": "int"}}],
         "objects": {
           "A": [
             {"_key": 0, "n": 1, "text": "one", "x": 1.5, "flag": true, "when": {"$date": "2020-01-01T00:00:00.000000007Z"}, "link": "a", "links": ["a", "b", "c"], "names": ["p", "q", "r"], "times": [{"$date": "1999-01-01T00:00:00Z"}], "numbers": [1, null, 9007199254740993], "bag": [1, 2, 3], "book": {"k": "v", "l": "w"}, "any": [1, "two", {"three": 4}], "id": {"$uuid": "00000000-0000-4000-8000-000000000001"}, "part": {"n": 1}, "parts": [{"n": 2}, {"n": 3}], "bytes": {"$binary": {"base64": "AQID", "subType": "00"}}},
             {"_key": 1, "n": 2, "text": null, "x": 2.5, "flag": false, "when": null, "link": null, "links": [], "names": [], "times": [], "numbers": [], "bag": [], "book": {}, "any": null, "id": null, "part": null, "parts": [], "bytes": null},
             {"_key": 2, "n": 3, "text": "three", "x": 0.0, "flag": true, "when": null, "link": "b", "links": ["b"], "names": ["s"], "times": [], "numbers": [7], "bag": [9], "book": {}, "any": "x", "id": null, "part": null, "parts": [{"n": 5}], "bytes": null},
             {"_key": 3, "n": 4, "text": "four", "x": 4.0, "flag": false, "when": null, "link": "c", "links": ["c", "c"], "names": [], "times": [], "numbers": [], "bag": [], "book": {}, "any": 4, "id": null, "part": {"n": 6}, "parts": [], "bytes": null}],
           "B": [{"id": "a", "n": 10}, {"id": "b", "n": 20}, {"id": "c", "n": 30}, {"id": "d", "n": 40}]}}
        """#

    /// The work that is done with the realm: by syntax and by the realm's own functions, which is all of the language that
    /// it uses.
    static let works: [(name: String, body: String)] = [
        (
            "values",
            """
            m.enumerateObjects('A', (o, n) => {
              log('' + o.n + o.text + o.x + o.flag + (o.when === null) + (o.id === null ? '' : o.id.toString()));
              n.n = o.n + 1;
              if (o.n !== 2) n.text = o.text + '!';
              if (o.n !== 3) n.x = o.x * 2;
              if (o.n === 1) n.when = o.when;
              if (o.n === 3) n.flag = !o.flag;
              log('' + n.n + n.text + n.x + n.flag + (n.when === null));
            });
            """
        ),
        (
            "links",
            """
            m.enumerateObjects('A', (o, n) => {
              const link = n.link;
              log(link === null ? 'null' : link.id + link.n);
              if (o.n === 2) n.link = m.newRealm.objectForPrimaryKey('B', 'd');
              if (o.n === 3) n.link = null;
              log(n.link === null ? 'null' : n.link.id);
            });
            const b = m.newRealm.objectForPrimaryKey('B', 'b');
            log('' + b.of.length + b.of[0].n);
            """
        ),
        (
            "lists",
            """
            m.enumerateObjects('A', (o, n) => {
              let text = '';
              for (let i = 0; i < o.names.length; i++) text += o.names[i];
              for (let i = 0; i < o.numbers.length; i++) text += o.numbers[i];
              for (let i = 0; i < n.links.length; i++) text += n.links[i].id;
              for (let i = 0; i < n.parts.length; i++) text += n.parts[i].n;
              for (let i = 0; i < n.times.length; i++) text += n.times[i] === null;
              log(text);
              n.names.push('x', 'y');
              n.names[0] = 'z';
              n.numbers.push(5);
              n.links.splice(0, 1, m.newRealm.objectForPrimaryKey('B', 'd'));
              n.links.push(m.newRealm.objectForPrimaryKey('B', 'a'));
              n.parts.push({ n: 8 });
              n.parts.pop();
              log('' + n.names.length + n.names[0] + n.names.includes('y') + n.names.indexOf('x') + n.links.length + n.numbers.length);
              log('' + n.links.includes(m.newRealm.objectForPrimaryKey('B', 'a')) + n.parts.length);
            });
            """
        ),
        (
            "sets, dictionaries and mixed values",
            """
            m.enumerateObjects('A', (o, n) => {
              n.bag.add(4);
              n.bag.delete(2);
              log('' + n.bag.size + n.bag.has(1) + n.bag.has(2));
              n.book.new = 'entry';
              log('' + (o.n === 1 ? n.book.k : '') + n.book.new);
              if (o.n === 1) log('' + o.any[0] + o.any[1] + o.any[2].three + o.any.length + o.bytes[2]);
              n.any = o.n === 2 ? ['p', ['q', { r: 's' }]] : { a: 1, b: 'c' };
            });
            """
        ),
        (
            "making and deleting",
            """
            const made = m.create('B', { id: 'e', n: 50 });
            log(made.id + made.n);
            const part = m.create('A', { n: 9, x: 1, flag: false, links: [made, made], names: ['m', 'n'], parts: [{ n: 1 }, { n: 2 }], part: { n: 3 },
              times: [], numbers: [1, null], bag: [5, 6], book: { k: 'w' }, any: [1, [2]], text: 'new' });
            log('' + part.links.length + part.names[1] + part.parts[1].n + part.part.n + part.bag.has(6) + part.book.k + part.any[1][0]);
            m.delete(m.newRealm.objectForPrimaryKey('B', 'c'));
            m.enumerateObjects('A', (o, n) => {
              log('' + n.links.length + (n.link === null));
              if (o.n === 2) m.delete(n);
            });
            log('' + m.newRealm.objects('A').length + m.newRealm.objects('B').length);
            m.delete(m.newRealm.objects('B').filtered('n >= 50'));
            """
        ),
        (
            "results and queries",
            """
            const all = m.newRealm.objects('A');
            let text = '' + all.length;
            for (let i = 0; i < all.length; i++) { all[i].n += 10; text += all[i].n; }
            const chosen = all.filtered('n > $0', 12);
            for (let i = 0; i < chosen.length; i++) text += chosen[i].text;
            const sorted = m.newRealm.objects('B').sorted('n', true);
            for (let i = 0; i < sorted.length; i++) text += sorted[i].id;
            const twice = all[0].links.sorted([['n', true], 'id']);
            for (let i = 0; i < twice.length; i++) text += twice[i].id;
            log(text);
            """
        ),
        (
            "values of the realm's own types",
            """
            m.enumerateObjects('A', (o, n) => {
              if (o.n === 1) { n.id = new UUID('00000000-0000-4000-8000-00000000000F'); log(n.id.toString() + n.id.equals(o.id)); }
              if (o.n === 2) { n.any = new ObjectId('0123456789abcdef01234567'); log(n.any.toString()); }
              if (o.n === 3) { n.any = new Decimal128('1.50'); log(n.any.toString()); }
              if (o.n === 4) { try { n.id = new UUID('nothing'); log('took it'); } catch { log('refused'); } }
            });
            """
        ),
        (
            "JSON of objects",
            """
            m.enumerateObjects('A', (o, n) => {
              const json = o.toJSON();
              log('' + json._key + json.n + json.text + json.links.length + (o.n === 1 ? json.names[2] + json.book.k : '') + json.parts.length);
              const entries = o.entries(), names = o.keys();
              log('' + entries[0][0] + entries[0][1] + names[1] + names.length);
              n.names = o.names;
              n.links = n.links;
            });
            """
        ),
        (
            "copies of objects",
            """
            m.enumerateObjects('A', (o, n) => {
              const copy = { ...o };
              const { n: number, ...rest } = o;
              log('' + copy.n + copy.text + copy.links.length + number + rest.text);
              if (o.n === 1) { const again = m.create('A', { ...o, n: 99, part: null, parts: [] }); log('' + again.n + again.names[2] + again.links.length); }
            });
            """
        ),
        (
            "an error",
            "m.enumerateObjects('A', (o, n) => { n.n = 7; if (o.n === 3) throw new TypeError('of the script'); });"
        ),
    ]

    /// The realm after a script, and the script's log.
    private struct Outcome: Equatable {
        var objects: String
        var log: [String]
    }

    /// The word of a script whose accessors were given something.
    private static let handed = "was given something"

    /// The outcome of each work in a clean world, with and without columns.
    private static let clean = Result {
        try works.map { work in try [false, true].map { try outcome("", work.body, usesColumns: $0) } }
    }

    /// Nil where the script fails.
    private static func outcome(_ change: String, _ body: String, usesColumns: Bool) throws -> Outcome? {
        var run = TestRealm.Run(origin: ScriptOrigin(source: .uuid(1), milliseconds: 1_600_000_000_000))
        run.usesColumns = usesColumns
        let text = """
            var kept;
            const define = Object.defineProperty;
            const log = console.log;
            \(change)
            function migrate(m) {
              if (typeof begin === 'function') begin(m);
              try { \(body) } finally { if (kept !== undefined) log('\(handed)'); }
            }
            """
        do {
            return Outcome(objects: try TestRealm(realm).json(text, run), log: run.observer.lines)
        } catch let error as MigrationError {
            // Any such script fails as scripts do.
            #expect(error.script != nil && error.script != .crash, "\(error)")
            #expect(!run.observer.lines.contains(handed), "\(error)")
            return nil
        }
    }

    @Test(arguments: WorldChange.all) func `comes to the same in a world that a script has changed, or fails`(
        change: WorldChange
    )
        throws
    {
        for (work, clean) in zip(Self.works, try Self.clean.get()) {
            for (usesColumns, expected) in zip([false, true], clean) {
                let changed = try Self.outcome(change.text, work.body, usesColumns: usesColumns)
                #expect(changed == nil || changed == expected, "\(work.name), by columns: \(usesColumns)")
            }
        }
    }

    /// The prelude's own arrays inherit nothing; those that scripts have are like all others.
    @Test(arguments: [
        "o.keys()", "o.entries()", "o.entries()[0]", "Object.keys(o)", "Object.values(o)", "Object.entries(o)",
        "Object.getOwnPropertyNames(o)", "Reflect.ownKeys(o)", "o.any", "o.toJSON().names", "o.names.slice()",
        "o.names.map(x => x)", "o.names.concat([])", "given(o.names)", "n.names.splice(0, 1)", "n.parts.splice(0, 1)",
        "m.newRealm.objects('A').toJSON()", "m.newRealm.objects('A').filtered('n > 0').map(x => x)",
        "[...o.bag.entries()][0]", "m.newSchema", "given(o.links)",
        "JSON.parse(JSON.stringify(o.names))",
    ])
    func `gives scripts arrays like all others`(expression: String) throws {
        let log = try TestRealm(Self.realm).log(
            """
            function given(list) { let all; list.forEach((one, index, array) => { all = array; }); return all ?? []; }
            function migrate(m) {
              m.enumerateObjects('A', (o, n) => {
                if (o.n !== 1) return;
                const array = \(expression);
                const prototype = array === undefined ? undefined : Object.getPrototypeOf(array);
                console.log(Array.isArray(array), prototype === Array.prototype);
              });
            }
            """)
        #expect(log == ["true true"])
    }

    /// The law above would hold of work that always fails.
    @Test func `fails for its own errors alone in a clean world`() throws {
        for (work, outcomes) in zip(Self.works, try Self.clean.get()) {
            for outcome in outcomes { #expect((outcome == nil) == (work.name == "an error"), "\(work.name)") }
        }
    }
}
