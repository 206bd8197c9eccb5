import Columns
import RealmMigration
import RealmModel
import Testing

@testable import ScriptChild
@testable import ScriptParent
@testable import Sandbox

/// The same script in several migrations by one call of a host: each is as if it had been alone.
@Suite(.serialized) struct SeveralMigrationsTests {
    private let realms: [TestRealm]
    private let observers: [TestObserver]
    private let pool: HostPool

    /// Realms whose only object has their number.
    init() throws {
        realms = try (0..<5).map { number in
            try TestRealm(
                """
                {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"n": "int"}}], "objects": {"A": [{"n": \(number)}]}}
                """)
        }
        observers = realms.map { _ in TestObserver() }
        pool = HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 4))
    }

    private func run(
        _ script: String, limits: ScriptLimits = ScriptLimits(timeoutSeconds: 20), from first: Int = 0,
        in pool: HostPool? = nil
    ) throws -> [Result<MigrationResult, MigrationError>] {
        let migrations = zip(realms, observers).map { realm, observer in
            ScriptedMigration(
                MigrationRequest(
                    source: realm.snapshot, target: realm.snapshot.declared, targetVersion: 1,
                    migration: DeclaredMigration(script: ScriptSource(.javaScript, script)),
                    origin: ScriptOrigin(source: .uuid(1), milliseconds: 1_000)),
                store: realm.store, observer: observer)
        }
        return try SandboxedScriptRunner(hosts: pool ?? self.pool).run(
            Array(migrations.dropFirst(first)), of: TestRealm.app, limits: limits)
    }

    /// A migration that does something to the realm with a number, and adds 10 to that of each.
    private func script(_ special: String) -> String {
        """
        globalThis.seen = (globalThis.seen || 0) + 1;
        function migrate(m) {
          m.enumerateObjects("A", (was, is) => {
            \(special)
            console.log(was.n, globalThis.seen, typeof Array.prototype.left, Math.random(), Date.now());
            Array.prototype.left = 1;
            is.n = was.n + 10;
          });
        }
        """
    }

    private func number(_ result: Result<MigrationResult, MigrationError>, _ place: Int) throws -> Value {
        let stored = try #require(try result.get().snapshot["A"])
        return try ClassReader(stored, store: realms[place].store).column(0, inGroup: 0)
            .value(at: 0, as: ColumnType(.int))
    }

    @Test func `have worlds, results and logs of their own`() throws {
        let results = try run(script(""))
        #expect(results.count == realms.count)
        for (place, result) in results.enumerated() {
            #expect(try number(result, place) == .int(Int64(place) + 10))
            // The same time and chance for each of the same origin, and nothing that another has left.
            let line = try #require(observers[place].lines.first)
            #expect(line.hasPrefix("\(place) 1 undefined "))
            #expect(line.dropFirst(2) == observers[0].lines[0].dropFirst(2))
        }
        #expect(pool.waitingProcesses.kept.count == 1)
    }

    /// The outcomes of the realms of one call: values, or errors with their places, and the lines of the console.
    private func outcomes(_ script: String, in pool: HostPool) throws -> [Outcome] {
        for observer in observers { observer.lines = [] }
        return try run(script, in: pool).enumerated().map { place, result in try outcome(result, place) }
    }

    private func outcome(_ result: Result<MigrationResult, MigrationError>, _ place: Int) throws -> Outcome {
        let lines = observers[place].lines
        return switch result {
        case .success: Outcome(number: try number(result, place), error: nil, lines: lines)
        case .failure(let error): Outcome(number: nil, error: error, lines: lines)
        }
    }

    private struct Outcome: Equatable {
        var number: Value?
        var error: MigrationError?
        var lines: [String]
    }

    /// Scripts with something that a run could find of the one before, and scripts that fail at places of all kinds.
    private static let retentive = [
        "let runs = 0; const seen = []; function migrate(m) { m.enumerateObjects('A', (was, is) => { runs += 1; seen.push(was.n); "
            + "console.log(runs, seen.join()); is.n = was.n + seen.length; }); }",
        "var runs = 0;\nfunction migrate(m) {\n  var n = 0; runs++;\n  m.enumerateObjects('A', function (was, is) { n += runs; is.n = was.n * 100 + n; }); }",
        "runs = typeof runs === 'undefined' ? 1 : runs + 1;\nfunction migrate(m) { m.enumerateObjects('A', (was, is) => { is.n = was.n * 100 + runs; console.log(runs); }); }",
        "function migrate(m) { m.enumerateObjects('A', (was, is) => { const f = [].map; f.calls = (f.calls ?? 0) + 1; is.n = was.n * 100 + f.calls; }); }",
        "function migrate(m) { m.enumerateObjects('A', (was, is) => { Math.calls = (Math.calls ?? 0) + 1; is.n = was.n * 100 + Math.calls; if (was.n > 2) Math.max = () => 7; console.log(Math.max(1, 2), Math.random(), Date.now()); }); }",
        "function migrate(m) { m.enumerateObjects('A', (was, is) => { console.log(typeof kept); if (was.n === 1) kept = 5; is.n = was.n + 1; }); }",
        "function migrate(m) { m.enumerateObjects('A', (was, is) => { if (was.n % 2) throw new Error('odd'); is.n = was.n + 1; }); }",
        "const limit = 2;\nfunction check(n) {\n  if (n >= limit) throw new TypeError('too large');\n}\n"
            + "function migrate(m) { m.enumerateObjects('A', (was, is) => { check(was.n); is.n = 1; }); }",
        "if (typeof migrate !== 'function') none; const d = Date.now(); function migrate(m) { m.enumerateObjects('A', (was, is) => { is.n = was.n; missing.x = d; }); }",
        "function migrate(m) { m.enumerateObjects('A', (was, is) => { console.log(is.n); is.n = was.n === 3 ? 'three' : 4; }); }",
        "const onMigration = (a, b) => { for (const o of b.objects('A')) { const was = o.n; o.n = was + 1; const { max } = Math; console.log(max(was, 2), new UUID('00000000-0000-4000-8000-000000000001')); } };",
        "function migrate(m) { m.enumerateObjects('B', () => {}); m.enumerateObjects('A', (was, is) => { is.m = 1; }); }",
        "let calls = 0; function again(n) { calls++; return n > 0 ? again(n - 1) : calls; } function migrate(m) { m.enumerateObjects('A', (was, is) => { is.n = again(was.n * 5); }); }",
        "const m = 1;\nthrow new Error('at once');",
        "class P { static made = 0; add() { return ++P.made; } } function migrate(m) { m.enumerateObjects('A', (was, is) => { is.n = new P().add(); }); }",
        "var Math = Math || {}; function migrate(m) { m.enumerateObjects('A', (was, is) => { is.n = Math.max ? Math.max(was.n, 100) : -1; }); }",
        "var console = console || { log: function () {} }; function migrate(m) { m.enumerateObjects('A', (was, is) => { console.log(was.n); is.n = 1; }); }",
        "var names = [],\n    // no Map\n    Map = Map || null;\nfunction migrate(m) { m.enumerateObjects('A', (was, is) => { is.n = Map === null ? 0 : was.n; }); }",
        "var total = 0; function add(x) { this\u{a0}.total += x; } function migrate(m) { m.enumerateObjects('A', (was, is) => { add(was.n); is.n = total; }); }",
        "function migrate(m) { m.enumerateObjects('A', (was, is) => { delete TypeError.length; TypeError.hidden = (TypeError.hidden || 0) + 1; is.n = TypeError.hidden; }); }",
        "function migrate(m) { m.enumerateObjects('A', (was, is) => { const f = [1].values().map(x => x).return; f.hidden = (f.hidden || 0) + 1; is.n = f.hidden; }); }",
        "var let = []; const P = (let['__pro' + 'to__']); function migrate(m) { m.enumerateObjects('A', (was, is) => { P.kept = (P.kept || 0) + 1; is.n = P.kept; }); }",
        "const fields = 'name,line,column,stack'.split(','); let seen = ''; try { JSON.parse('{'); } catch (e) { seen = JSON.stringify(e, fields); } function migrate(m) { m.enumerateObjects('A', (was, is) => { console.log(seen); }); }",
        "String = 5; function migrate(m) { m.enumerateObjects('A', (was, is) => { is.n = typeof String === 'number' ? was.n : 9; }); }",
    ]

    @Test(arguments: retentive)
    func `are as if each had been alone, whatever their script keeps`(script: String) throws {
        let alone = try realms.indices.map { place in
            let pool = HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 0))
            observers[place].lines = []
            let result = try #require(try run(script, from: place, in: pool).first)
            return try outcome(result, place)
        }
        for _ in 0..<2 { #expect(try outcomes(script, in: pool) == alone) }
    }

    @Test func `fail each for itself`() throws {
        let results = try run(script("if (was.n === 2) throw new Error('two')"))
        #expect(results.count == realms.count)
        for (place, result) in results.enumerated() where place != 2 {
            #expect(try number(result, place) == .int(Int64(place) + 10))
        }
        let error = #expect(throws: MigrationError.self) { _ = try results[2].get() }
        #expect(error?.message == "two")
        #expect(error?.details.first?.line == 4)
    }

    @Test func `leave the others for another call where one takes too long`() throws {
        let results = try run(
            script("if (was.n === 1) for (;;);"), limits: ScriptLimits(timeoutSeconds: 0.7))
        #expect(results.count == 2)
        #expect(try number(results[0], 0) == .int(10))
        #expect(throws: MigrationError.self) { _ = try results[1].get() }
        if case .failure(let error) = results[1] { #expect(error.script == .timeLimit) }
        let rest = try run(script(""), from: 2)
        #expect(rest.count == 3)
    }

    @Test func `blame nobody for the memory that those before have taken`() throws {
        let greedy = script("if (was.n === 3) { console.log('begin'); const a = []; for (;;) a.push({ a: 1 }) }")
        let limits = ScriptLimits(timeoutSeconds: 20, memoryBytes: 64 << 20)
        let results = try run(greedy, limits: limits)
        // It is to be tried again, by itself, and says then what it says.
        #expect(results.count == 3)
        #expect(observers.map(\.lines.count) == [1, 1, 1, 0, 0])
        let alone = try run(greedy, limits: limits, from: 3)
        #expect(alone.count == 1)
        #expect(observers[3].lines == ["begin"])
        if case .failure(let error) = alone[0] { #expect(error.script == .memoryLimit) }
    }

    @Test func `are cancelled together`() throws {
        observers[0].questionsUntilCancelled = 1
        let error = #expect(throws: MigrationError.self) { _ = try run(script("if (was.n === 1) for (;;);")) }
        #expect(error?.script == .cancelled)
    }
}
