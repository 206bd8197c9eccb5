import RealmMigration
import RealmModel
import ScriptWire
import Testing

@testable import Sandbox
@testable import ScriptChild
@testable import ScriptParent

/// Scripts that run for one realm after the other in a world, as if each run were alone.
@Suite(.serialized) final class SharedWorldTests {
    // MARK: Which scripts

    private static let plain = "function migrate(m) { m.enumerateObjects('A', (was, is) => { is.n = was.n + 1; }); }"

    /// Whether a script's text may share a world, by its code and by the names of this engine.
    private func isAdmitted(_ text: String) throws -> Bool {
        guard let words = ScriptTraits(text).sharingWords else { return false }
        do {
            _ = try JavaScriptWorld(in: try machine.get(), sharedBy: text, words)
            return true
        } catch is SharedScript.NotAdmitted { return false } catch is JavaScriptContext.Exception { return false }
    }

    private let machine = Result { try JavaScriptMachine(memoryBytes: 256 << 20) }

    @Test func `a script that comes by the language by some names alone may share worlds`() throws {
        for text in [
            Self.plain, "// A note about this\n\(Self.plain)", "const a = 1; let b = [a, 'one, two\\n']; \(Self.plain)",
            "var a = 1, b = { c: [a] }; for (var i = 0; i < 3; i++) b.c.push(Math.max(a, i));",
            "const kept = new Map(), get = 1; console.log(kept.get('a'), { get }); const o = { get(k) { return k; } };",
            "const o = { get a() { return 1; }, toJSON() { return 2; } }; console.log(o);",
            "const seen = new Map(); seen.set('é', `naïve ${ [1, 2].map(x => x * 2).join() } class`); JSON.stringify([...seen.keys()]);",
            "const { first, ...rest } = { first: 1, link: 2, count: 3 }; console.log(first, rest.link, typeof rest);",
            "function check(o) { if (o.n < 0) throw new TypeError('no'); } new UUID(); new Date(0).getTime();",
            "let [a, b] = [1, 2]; for (let [k, v] of new Map()) { let [c] = k; }",
        ] { #expect(try isAdmitted(text), "\(text)") }
    }

    @Test(arguments: [
        // Other ways to the language than its names.
        "this.x = 1", "globalThis.x = 1", "o.constructor", "Array.prototype.x = 1", "x.__proto__", "o[name] = 1",
        "Object.keys(o)", "Symbol('x')", "Reflect.x", "new Proxy({}, {})", "[].call", "f.bind(o)", "f.apply(o)",
        "valueOf()",
        "const { valueOf } = {};", "({ f() { return super.valueOf(); } })", "class A {}", "new (class extends f {})()",
        "function* f() {}; f().next", "[].values().take(1)", "Iterator.from(o)", "arguments", "f.caller", "new.target",
        "new . target",
        "String.raw", "Function('x')", "eval('x')", "Intl.x", "Atomics.x", "import('x')",
        // Later than the run.
        "Promise.resolve()", "async () => 1", "new WeakRef(o)", "new FinalizationRegistry(f)",
        // Its own place.
        "error.stack", "error.line", "error.column", "$script()", "Error.stackTraceLimit = 3",
        // Expressions, and text that is not read to its end.
        "RegExp.$1", "a / b", "s.match(t)", "a <!-- b", "var <!-- x\nMap = 1", "#!script", "--> a",
        // Escapes and names beyond ASCII.
        "({ 'm\\x61x': f } = Math)", "'\\u0061'", "'\\141'", "o['a\\\n']", "é = 1", "with (o) {}",
        // Blanks beyond ASCII.
        "this\u{a0}.x = 1", "Array.prototype\u{a0}.x = 1", "\u{feff}this.x", "this\u{2028}.x", "arguments\u{3000}.x",
        "const { ['ma' + 'p']\u{a0}: f } = []", "Object\u{a0}.freeze(Math)",
        "var let = []; const P = (let['__pro' + 'to__']);", "function at(let, k) { return (let[k]); }", "let => let[k]",
        "let = Math; 0, let[k] = 1",
        "for (var let of [Math]) for (; let[k]; ) {}", "for (let in o); (let[k])", "function let() {}",
        "const { let } = o; let[k]",
        "[let] = [Math]; (let[k])", "const { a: let } = o;",
        "f.displayName = 'x'", "console.log({ ['to' + 'JSON']() { f(); } })", "console.log({ get ['a']() { f(); } })",
        "try { f(); } catch (e) { n = e; }", "JSON.stringify(new Error('x'), names)",
        // Names of the language, declared.
        "var Math = Math || {};", "var console = console || {};", "var Set = Set || f;", "var NaN = 7;",
        "var undefined = 7;", "var Math;",
        "if (true) { function Map() {} }", "var names = [],\n    // old\n    Map = Map || null;",
        "{ function\n// the map\nMap() {} }",
        "\u{feff}var Math;", "var\u{2028}Map = 1", "var a, Realm;", "var { Date } = { Date: 5 };",
        "var { x: Date } = {};",
        "var [undefined] = [1];", "var { ...Math } = {};", "for (var Math of []) {}",
    ])
    func `a script that may come by more has worlds of its own`(text: String) throws {
        #expect(try !isAdmitted(text), "\(text)")
    }

    @Test func `variables and functions are told from what is only used`() throws {
        let words = ScriptWords(
            Array("var a = Math.max(b), c; function d(e) { return f + 'g'; } var [i, { j: k }] = l".utf8))
        #expect(
            words.names == [
                "var", "a", "Math", "max", "b", "c", "function", "d", "e", "return", "f", "g", "i", "j", "k", "l",
            ])
        #expect(words.declared.isSuperset(of: ["a", "c", "d", "i", "j", "k"]))
        #expect(words.declared.isDisjoint(with: ["Math", "max", "b", "f", "l"]))
        #expect(ScriptWords(Array("const a = 1, b = 2; f(a, Date)".utf8)).declared.isEmpty)
    }

    // MARK: Remains

    /// Runs a text some times in a world that it shares, and tells what is left behind each.
    private func remains(of text: String, times: Int = 1) throws -> [JavaScriptWorld.Remains] {
        let machine = try machine.get()
        // Those that the text alone would have refused, too.
        let words = ScriptTraits(text).sharingWords ?? ScriptWords(Array(text.utf8))
        let world = try JavaScriptWorld(in: machine, sharedBy: text, words)
        return try (0..<times).map { _ in
            let migration = try JavaScriptMigration(in: world, of: machine) { _, _ in }
            try migration.setOrigin(milliseconds: 1, seed: [1, 2, 3, 4])
            try migration.load(text)
            _ = try world.run(text)
            return world.remains()
        }
    }

    @Test(arguments: [
        "let a = 1; const b = [a]; a += 1; function migrate() {}",
        "var a = 1; var f = function () { return a; }; for (var i = 0; i < 3; i++) a += i;",
        "const seen = new Map(); seen.set('a', 1); const text = `${seen.size}`.padStart(9); JSON.parse('[1]');",
        "console.log(Math.max(1, 2), Math.random(), Date.now(), new Date(5).getTime(), parseInt('5'));",
        "const id = new UUID(); const d = new Decimal128('1.5'); const o = new ObjectId(); Realm.BSON.UUID;",
        "console = 5; Date = 6; UUID = 7; Math.random = () => 1;",
        "const max = Math.max, { floor } = Math; max(1, floor(2.5));",
        "[3, 1].map(x => x * 2).filter(x => x > 2).sort((a, b) => a - b).join('');",
    ])
    func `a script that keeps to itself leaves nothing`(text: String) throws {
        #expect(try remains(of: text, times: 3) == [.nothing, .nothing, .nothing])
    }

    @Test(arguments: [
        "counter = 1", "migrate = () => 1; seen = []", "function f() { cache = {}; } f();", "for (i = 0; i < 3; i++);",
        "Math.max = () => 1", "Math.more = 1", "delete Math.max", "Math = 5", "JSON.parse = () => null",
        "String = 5", "Array.isArray = () => true", "Array.from.cache = {}", "parseInt.cache = 1",
        "[].map.cache = {}", "const m = [].map; m.calls = 1;", "''.concat.x = 1", "(5).toFixed.x = 1",
        "NaN.toString.x = 1", "const { max } = Math; max.uses = 1;",
        "({ 'max': f } = Math); f.x = 1;", "isNaN = () => true", "for (Math.step of [1, 2]);",
        "[Math.a, Math.b] = [1, 2]",
        "({ a: Math.c } = { a: 1 })", "Math.max ||= 1; Math.more ??= 2", "new Map().get.x = 1",
        "Number.parseFloat.x = 1", "Number.EPSILON2 = 1", "delete TypeError.length; TypeError.hidden = 1",
        "[1].values().map(x => x).return.x = 1", "delete Math.max; Math.least = 1",
        // Those that a text reaches in a way that nobody has thought of.
        "const f = [].push; [][['con', 'structor'].join('')][['proto', 'type'].join('')].kept = 1",
        "const p = ''[['__pro', 'to__'].join('')]; p[['tr', 'im'].join('')] = () => 1",
        "[].values()[['__pro', 'to__'].join('')].kept = 1", "JSON[['pa', 'rse'].join('')] = 1",
    ])
    func `a script that leaves something is found out`(text: String) throws {
        #expect(try remains(of: text) == [.something], "\(text)")
    }

    // MARK: When

    @Test func `a script shares a world from its second run on, as long as it succeeds`() throws {
        let worlds = try ScriptWorlds(in: try machine.get(), at: .brief) { _, _ in }
        let key = try #require(worlds.key(ScriptSource(.javaScript, Self.plain), for: TestRealm.repeatable))
        let other = try #require(worlds.key(ScriptSource(.javaScript, Self.plain + " "), for: TestRealm.repeatable))
        /// Runs it, and tells in which world.
        func run(_ key: ScriptWorlds.Key?, succeeds: Bool = true) throws -> JavaScriptWorld {
            let migration = try worlds.world(for: key)
            try migration.load(Self.plain)
            _ = try migration.world.run(Self.plain)
            if succeeds { worlds.keep(migration.world, for: key) }
            return migration.world
        }
        let first = try run(key)
        let second = try run(key)
        #expect(first !== second)
        #expect(try run(key) === second)
        #expect(try run(key, succeeds: false) === second)
        // Once it has failed it has to succeed by itself first.
        let third = try run(key)
        let fourth = try run(key)
        #expect(third !== second && fourth !== second && third !== fourth)
        #expect(try run(key) === fourth)
        // Another script was between.
        #expect(try run(other) !== fourth)
        #expect(try run(key) !== fourth)
    }

    @Test func `worlds are shared where the work is brief and the script is known to allow it`() throws {
        let machine = try machine.get()
        let brief = try ScriptWorlds(in: machine, at: .brief) { _, _ in }
        let long = try ScriptWorlds(in: machine, at: .long) { _, _ in }
        #expect(brief.key(ScriptSource(.javaScript, Self.plain), for: TestRealm.repeatable) != nil)
        #expect(long.key(ScriptSource(.javaScript, Self.plain), for: TestRealm.repeatable) == nil)
        let changes: [(inout MigrationRequest) -> Void] = [
            { $0.origin = nil }, { $0.quarantineLimit = 10 },
            {
                $0.migration.primaryKeyPolicies = [
                    PrimaryKeyPolicy(className: "A", onDuplicate: .merge, merge: "(a, b) => ({})")
                ]
            },
        ]
        for change in changes {
            var request = TestRealm.repeatable
            change(&request)
            #expect(brief.key(ScriptSource(.javaScript, Self.plain), for: request) == nil)
        }
        #expect(brief.key(ScriptSource(.loweredSwift, Self.plain), for: TestRealm.repeatable) == nil)
        #expect(brief.key(ScriptSource(.javaScript, "this.a = 1; \(Self.plain)"), for: TestRealm.repeatable) == nil)
    }
}
