import Columns
import Foundation
import RealmMigration
import RealmModel
import Testing

@testable import ScriptChild
@testable import Sandbox

/// A script that means harm, or might as well, and how it is to end.
struct HostileScript: CustomTestStringConvertible, Sendable {
    /// How a script ends.
    enum End: Equatable {
        case stopped(MigrationError.ScriptFailure)
        /// Stopped at the limit of what it makes, or by what it threw itself: the beginning of the message.
        case failed(MigrationError.ScriptFailure, String)
        case succeeded
    }

    var testDescription: String
    var body: String
    var end: End
    var limits: ScriptLimits

    init(_ description: String, _ body: String, _ end: End, _ limits: ScriptLimits) {
        testDescription = description
        self.body = body
        self.end = end
        self.limits = limits
    }

    private static let short = ScriptLimits(timeoutSeconds: 0.5)
    private static let small = ScriptLimits(timeoutSeconds: 60, memoryBytes: 64 << 20)
    private static let patient = ScriptLimits(timeoutSeconds: 60)

    private static func making(_ output: OutputLimits) -> ScriptLimits {
        ScriptLimits(timeoutSeconds: 60, output: output)
    }

    private static let thousand = making(OutputLimits(createdCount: 1000))
    private static let tooManyObjects = End.failed(
        .outputLimit, "The script created more than 1000 objects (limits.createdCount).")
    private static let tooManyLines = End.failed(
        .outputLimit, "The script logged more than 100000 bytes of lines (limits.logBytes).")

    /// Those that go on for ever, or might as well.
    private static let endless: [HostileScript] = [
        ("a loop", "while (true) {}"),
        ("microtasks that queue their next", "const f = () => globalThis['Promise'].resolve().then(f); f()"),
        ("a loop that goes on where it is left", "try { while (true) {} } finally { while (true) {} }"),
        ("a loop in an enumeration", "m.enumerateObjects('A', () => { for (;;); })"),
        ("a recursion that begins anew", "function f() { try { f() } finally { f() } } f()"),
        ("regular expressions that explode", "for (;;) try { /^(a+)+$/.test('a'.repeat(50) + 'b') } catch {}"),
        ("a comparison", "[3, 1, 2].sort(() => { for (;;); })"),
        ("a huge sort", "Array.from({ length: 1 << 21 }, (_, i) => i * 7919 % 2097143).sort()"),
        ("a getter that a conversion calls", "JSON.stringify({ get a() { for (;;); } })"),
        ("a value that the engine asks for", "m.create('A', { get n() { for (;;); } })"),
        ("a wait for a moment that is far away", "for (const end = Date.now() + 1e12; Date.now() < end;);"),
    ].map { HostileScript($0, $1, .stopped(.timeLimit), short) }

    /// Those that take all there is.
    private static let greedy: [HostileScript] = [
        ("objects", "const a = []; for (;;) a.push({ a: 1 })"),
        ("typed arrays", "const a = []; for (;;) a.push(new Uint8Array(1 << 20))"),
        ("a text that doubles", "let s = 'x'; for (;;) s += s + 'y'"),
        ("texts", "const a = []; for (let i = 0;; i++) a.push('text ' + i)"),
        ("a map", "const a = new Map(); for (let i = 0;; i++) a.set(i, [i])"),
        ("one array", "new Array(1 << 28).fill(1.5)"),
        ("closures", "for (let a = [];;) a = [a, a.concat(a), () => a]"),
        ("promises that wait", "const a = []; for (;;) a.push(new globalThis['Promise'](() => {}))"),
        (
            "microtasks that double",
            "const p = globalThis['Promise'].resolve(); function f() { p.then(f); p.then(f) } f()"
        ),
        ("what a generator gives", "[...(function* () { for (;;) yield {} })()]"),
    ].map { HostileScript($0, $1, .stopped(.memoryLimit), small) }

    /// Those that make more than anybody wants.
    private static let prolific: [HostileScript] = [
        HostileScript("endless create", "for (;;) m.create('A', { n: 1 })", tooManyObjects, thousand),
        HostileScript(
            "endless create by who catches everything", "for (;;) try { m.create('A', { n: 1 }) } catch {}",
            tooManyObjects, thousand),
        HostileScript(
            "endless create of what is deleted", "for (;;) m.delete(m.create('A', { n: 1 }))", tooManyObjects,
            thousand),
        HostileScript(
            "create that ends when it is refused", "try { for (;;) m.create('A', { n: 1 }) } catch {}",
            tooManyObjects, thousand),
        HostileScript(
            "columns without end",
            "for (let i = 0; i < 5000; i++) m.create('A', { n: Math.floor(Math.random() * 2 ** 53) })",
            .failed(.outputLimit, "The script wrote more than 5000 bytes of columns (limits.writtenBytes)."),
            making(OutputLimits(writtenBytes: 5000))),
        HostileScript(
            "endless log", "for (let i = 0;; i++) console.log(i)", tooManyLines,
            making(OutputLimits(logBytes: 100_000))),
        HostileScript(
            "endless log of nothing", "for (;;) console.log('')", tooManyLines,
            making(OutputLimits(logBytes: 100_000))),
        HostileScript(
            "a million lines", "for (let i = 0; i < 1000000; i++) console.log(i)", .succeeded, patient),
    ]

    /// Those that fall over themselves.
    private static let clumsy: [HostileScript] = [
        HostileScript(
            "recursion", "function f() { f() } f()",
            .failed(.exception, "Maximum call stack size exceeded."), patient),
        HostileScript(
            "recursion through the realm", "const f = () => m.enumerateObjects('A', f); f()",
            .failed(.exception, "Maximum call stack size exceeded."), patient),
        HostileScript(
            "a regular expression that explodes", "/^(?:(a+)+b|.*)$/.test('a'.repeat(40))",
            .failed(.exception, "The regular expression /^(?:(a+)+b|.*)$"), patient),
        HostileScript(
            "code from text", "eval('1')",
            .failed(.exception, "Code from strings is not permitted in migration scripts."), patient),
        HostileScript(
            "an error that can't be read", "throw { get message() { for (;;); }, toString() { throw this; } }",
            .failed(.exception, "The script threw a value that can't be shown."), patient),
    ]

    static let all = endless + greedy + prolific + clumsy
}

/// A hostile script ends as it should, and the next job on the same worker is well.
@Suite(.serialized) struct HostileScriptTests {
    private static let realm = """
        {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"n": "int"}}], "objects": {"A": [{"n": 1}]}}
        """
    /// The hosts of one worker, which keeps those that are well.
    private static let hosts = Result {
        HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 4))
    }

    private func run(_ limits: ScriptLimits, origin: ScriptOrigin? = nil) throws -> TestRealm.Run {
        TestRealm.Run(limits: limits, hosts: try Self.hosts.get(), origin: origin)
    }

    /// The next job: it counts, it has a world without traces, and its log is its own.
    private func checkNextJob() throws {
        let run = try run(ScriptLimits(timeoutSeconds: 20))
        let json = try TestRealm(Self.realm).json(
            """
            function migrate(m) {
              m.enumerateObjects('A', (o, n) => { n.n = o.n + 1; });
              for (const name in {}) console.log(name);
              console.log(Object.keys(globalThis).join());
            }
            """, run)
        #expect(json == #"{"A":[{"_key":0,"n":2}]}}"#)
        #expect(run.observer.lines == ["migrate"] || run.observer.lines == [""])
    }

    @Test(arguments: HostileScript.all)
    func `ends as it should, and the next job is well`(script: HostileScript) throws {
        let realm = try TestRealm(Self.realm)
        // As in the service, whose scripts have no other clock.
        let run = try run(script.limits, origin: ScriptOrigin(source: .uuid(1), milliseconds: 1_600_000_000_000))
        let text = "function migrate(m) { \(script.body); }"
        let start = ContinuousClock.now
        switch script.end {
        case .stopped(let failure):
            let error = try realm.error(text, run)
            #expect(error.script == failure, "\(error)")
        case .failed(let failure, let message):
            let error = try realm.error(text, run)
            #expect(error.script == failure, "\(error)")
            #expect(error.message.hasPrefix(message), "\(error)")
        case .succeeded: _ = try realm.migrate(text, run)
        }
        if script.end == .stopped(.timeLimit) { #expect(ContinuousClock.now - start < .seconds(30)) }
        try checkNextJob()
    }

    /// Megabytes are on their way to a host that asked for them, and whose script has other plans.
    @Test func `a script that never reads its input keeps nobody but itself`() throws {
        var random = SystemRandomNumberGenerator()
        let objects = (0..<4000).map { _ in
            let text = (0..<128).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
            return "{\"s\": \"\(text)\"}"
        }
        let realm = try TestRealm(
            #"{"schemaVersion": 0, "schema": [{"name": "A", "properties": {"s": "string"}}], "objects": {"A": ["#
                + objects.joined(separator: ",") + "]}}", limits: RowGroupLimits(rows: 100, bytes: 1 << 20))
        var run = try run(ScriptLimits(timeoutSeconds: 1))
        run.rowGroups = RowGroupLimits(rows: 100, bytes: 1 << 20)
        let start = ContinuousClock.now
        let error = try realm.error(
            "function migrate(m) { m.enumerateObjects('A', (o, n) => { n.s = o.s; for (;;); }); }", run)
        #expect(error.script == .timeLimit)
        #expect(ContinuousClock.now - start < .seconds(5))
        try checkNextJob()
    }

    /// Every string that a script can come by, through all that it can reach.
    private static let search = """
        function migrate(m) {
          const seen = new Set(), open = [globalThis, m];
          m.enumerateObjects('A', (o, n) => { open.push(o, n); });
          let found = 0;
          while (open.length > 0) {
            const value = open.pop();
            if (typeof value === 'string' && value.includes('secret' + '-of-another')) found += 1;
            if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
            seen.add(value);
            open.push(Object.getPrototypeOf(value));
            for (const key of Reflect.ownKeys(value)) {
              open.push(String(key));
              try { open.push(value[key]); } catch (error) { open.push(error.message, error.stack); }
            }
          }
          console.log(seen.size > 500, found);
        }
        """

    @Test func `another app's data is nowhere that a script can reach`() throws {
        let secret = """
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"s": "string"}}],
             "objects": {"A": [{"s": "secret-of-another"}]}}
            """
        var run = try run(ScriptLimits(timeoutSeconds: 20))
        _ = try TestRealm(secret).migrate(
            """
            function migrate(m) {
              m.enumerateObjects('A', o => { globalThis.kept = o; Object.prototype.kept = o.s; Array.kept = [o.s]; });
            }
            """, run)
        for app in [UInt64(1), 2] {
            run.app = .uuid(app)
            run.observer = TestObserver()
            _ = try TestRealm(Self.realm).migrate(Self.search, run)
            #expect(run.observer.lines == ["true 0"])
        }
        // The search finds what there is to be found.
        run.observer = TestObserver()
        _ = try TestRealm(secret).migrate(Self.search, run)
        #expect(run.observer.lines.first != "true 0")
    }
}
