import RealmMigration
import RealmModel
import ScriptWire
import Testing

@testable import Sandbox
@testable import ScriptChild
@testable import ScriptParent

/// Scripts that run for one realm after the other in a world, as if each run were alone.
@Suite(.serialized) struct SharedWorldTests {
    // MARK: Which scripts

    private static let plain = "function migrate(m) { m.enumerateObjects('A', (was, is) => { is.n = was.n + 1; }); }"

    @Test func `a script that comes by the language by names alone may share worlds`() {
        for text in [Self.plain, "// A note\n\(Self.plain)", "const a = 1; let b = [a, 'two\\n']; \(Self.plain)"] {
            #expect(ScriptTraits(text).mayShareWorlds, "\(text)")
        }
        let refused = [
            "this.x = 1", "globalThis.x = 1", "o.constructor", "Array.prototype.x = 1", "x.__proto__", "o[name] = 1",
            "Object.keys(o)", "Symbol('x')", "Promise.resolve()", "async () => 1", "new WeakRef(o)",
            "new FinalizationRegistry(f)", "Intl.x", "RegExp.$1", "a / b", "s.match(t)", "arguments", "f.caller",
            "error.stack", "error.line", "error.column", "with (o) {}", "$script()", "({ 'm\\x61x': f } = Math)",
            "'\\u0061'", "'\\141'", "o['a\\\n']",
        ]
        for text in refused { #expect(!ScriptTraits(text).mayShareWorlds, "\(text)") }
    }

    @Test func `variables and functions are told from what is only used`() {
        let words = ScriptWords("var a = Math.max(b), c; function d(e) { return f + 'g h'; } var [i, { j: k }] = l")
        #expect(
            words.names == [
                "var", "a", "Math", "max", "b", "c", "function", "d", "e", "return", "f", "g", "h", "i", "j", "k", "l",
            ])
        #expect(words.declared.isSuperset(of: ["a", "c", "d", "i", "j", "k"]))
        #expect(words.declared.isDisjoint(with: ["Math", "max", "b", "f", "l"]))
        #expect(ScriptWords("const a = 1, b = 2; f(a, Date)").declared.isEmpty)
    }

    // MARK: Remains

    /// Runs a text twice in a world that it shares, and tells what is left behind each.
    private func remains(of text: String, times: Int = 2) throws -> [JavaScriptWorld.Remains] {
        let machine = try JavaScriptMachine(memoryBytes: 256 << 20)
        let world = try JavaScriptWorld(in: machine, sharedBy: text)
        return try (0..<times).map { _ in
            let migration = try JavaScriptMigration(in: world, of: machine) { _, _ in }
            try migration.setOrigin(milliseconds: 1, seed: [1, 2, 3, 4])
            try migration.load(text)
            _ = try world.run(text)
            return world.remains()
        }
    }

    @Test(arguments: [
        "let a = 1; const b = [a]; a += 1; function migrate() {} class C {}",
        "var a = 1; var f = function () { return a; }; for (var i = 0; i < 3; i++) a += i;",
        "const seen = new Map(); seen.set('a', 1); const text = `${seen.size}`.padStart(9); JSON.parse('[1]');",
        "console.log(Math.max(1, 2), Math.random(), Date.now(), new Date(5).getTime(), parseInt('5'));",
        "const id = new UUID(); const d = new Decimal128('1.5'); const o = new ObjectId(); Realm.BSON.UUID;",
        "console = 5; Date = 6; UUID = 7; Math.random = () => 1;",
        "function f() { throw new TypeError('no'); } try { f(); } catch (e) { e.message; }",
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
        "Error.stackTraceLimit = 3", "NaN.toString.x = 1", "const { max } = Math; max.uses = 1;",
        "({ 'max': f } = Math); f.x = 1;", "Function.x = 1", "(() => 1).call.x = 1", "isNaN = () => true",
        "for (Math.step of [1, 2]);", "[Math.a, Math.b] = [1, 2]", "({ a: Math.c } = { a: 1 })",
        "Math.max ||= 1; Math.more ??= 2", "new Map().get.x = 1", "(function* () {})().next.x = 1",
        "`a`.at.x = 1", "Number.parseFloat.x = 1", "Number.EPSILON2 = 1", "BigInt.asIntN.x = 1", "decodeURI.x = 1",
    ])
    func `a script that leaves something is found out`(text: String) throws {
        #expect(try remains(of: text, times: 1) == [.something], "\(text)")
    }

    @Test func `a variable of a name that the language has is not taken for the script's own`() throws {
        for text in [
            "var console; function migrate() {}", "var a, Realm;", "var { Date } = { Date: 5 };", "var NaN;",
            "if (typeof Math === 'undefined') { var Math = {}; }", "{ function String() {} }", "var [undefined] = [1];",
        ] { #expect(try remains(of: text, times: 1) == [.something], "\(text)") }
    }

    @Test func `a text that is no function's body can't share a world`() throws {
        let machine = try JavaScriptMachine(memoryBytes: 256 << 20)
        for text in ["#!script", "--> a comment"] {
            #expect(throws: JavaScriptContext.Exception.self, "\(text)") {
                try JavaScriptWorld(in: machine, sharedBy: text)
            }
        }
    }

    // MARK: When

    @Test func `a script shares a world from its second run on, as long as it succeeds`() throws {
        let machine = try JavaScriptMachine(memoryBytes: 256 << 20)
        let worlds = try ScriptWorlds(in: machine, at: .brief) { _, _ in }
        let script = ScriptSource(.javaScript, Self.plain)
        let key = try #require(worlds.key(script, hasOrigin: false))
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
        let third = try run(key)
        #expect(third !== second)
        #expect(try run(key) === third)
        // With another origin it is set up in another way.
        #expect(try run(worlds.key(script, hasOrigin: true)) !== third)
        #expect(try run(key) !== third)
    }

    @Test func `worlds are shared where the work is brief and the script is known to allow it`() throws {
        let machine = try JavaScriptMachine(memoryBytes: 256 << 20)
        let brief = try ScriptWorlds(in: machine, at: .brief) { _, _ in }
        let long = try ScriptWorlds(in: machine, at: .long) { _, _ in }
        #expect(brief.key(ScriptSource(.javaScript, Self.plain), hasOrigin: true) != nil)
        #expect(long.key(ScriptSource(.javaScript, Self.plain), hasOrigin: true) == nil)
        #expect(brief.key(ScriptSource(.loweredSwift, Self.plain), hasOrigin: true) == nil)
        #expect(brief.key(ScriptSource(.javaScript, "this.a = 1; \(Self.plain)"), hasOrigin: true) == nil)
    }
}
