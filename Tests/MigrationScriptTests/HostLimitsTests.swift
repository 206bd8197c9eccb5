import RealmMigration
import Sandbox
import Testing

@testable import MigrationScript

/// A script that takes too long or too much ends its host, and says which.
@Suite(.serialized) struct HostLimitsTests {
    static let realm = """
        {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"n": "int"}}], "objects": {"A": [{"n": 1}]}}
        """

    @Test(arguments: [
        "while (true) {}",
        "(async () => { for (;;) await 0; })()",
        "for (;;) /^(a+)+$/.test('a'.repeat(50) + 'b')",
        "function f() { try { f() } finally { f() } } f()",
        "try { while (true) {} } finally { while (true) {} }",
        "migration.enumerateObjects('A', () => { for (;;); })",
    ])
    func `stops a script at its time limit`(body: String) throws {
        let realm = try TestRealm(Self.realm)
        let clock = ContinuousClock()
        var error: MigrationError?
        let elapsed = try clock.measure {
            error = try realm.error(
                "function migrate(migration) { \(body) }",
                TestRealm.Run(limits: ScriptLimits(timeoutSeconds: 0.5)))
        }
        #expect(error?.script == .timeLimit)
        #expect(error?.message == "The script ran longer than 0.5 seconds.")
        #expect(elapsed < .seconds(5))
    }

    @Test(arguments: [
        "const a = []; for (;;) a.push({ a: 1 })",
        "const a = []; for (;;) a.push(new Uint8Array(1 << 20))",
        "let s = 'x'; for (;;) s += s + 'y'",
        "const a = []; for (let i = 0;; i++) a.push('text ' + i)",
        "const m = new Map(); for (let i = 0;; i++) m.set(i, [i])",
        "new Array(1 << 28).fill(1.5)",
        "for (let a = [];;) a = [a, a.concat(a), () => a]",
    ])
    func `stops a script at its memory limit`(body: String) throws {
        let error = try TestRealm(Self.realm).error(
            "function migrate() { \(body) }",
            TestRealm.Run(limits: ScriptLimits(timeoutSeconds: 60, memoryBytes: 64 << 20)))
        #expect(error.script == .memoryLimit, "\(error)")
    }

    @Test(arguments: [
        "function f() { f() }", "const f = () => m.enumerateObjects('A', f)",
        "const o = {}; o.o = o; const f = () => m.create('A', o)",
        "const f = () => m.enumerateObjects('A', (o, n) => { n.n = { get x() { return f() } } })",
    ])
    func `lets a script catch its own recursion`(declaration: String) throws {
        let lines = try TestRealm(Self.realm).log(
            "function migrate(m) { \(declaration); try { f() } catch (e) { console.log(e.name) } }")
        #expect(lines == ["RangeError"])
    }

    @Test func `stops when the migration is cancelled`() throws {
        let observer = TestObserver()
        observer.questionsUntilCancelled = 2
        let error = try TestRealm(Self.realm).error(
            "function migrate() { for (;;); }", TestRealm.Run(observer: observer))
        #expect(error.script == .cancelled)
    }

    @Test func `says that a program without a host command crashed`() throws {
        let realm = try TestRealm(Self.realm)
        let request = MigrationRequest(source: realm.snapshot, target: realm.snapshot.declared, targetVersion: 1)
        let error = #expect(throws: MigrationError.self) {
            try SandboxedScriptHost(hosts: HostPool(executable: "/bin/false")).run(
                request, of: nil, script: ScriptSource(language: "javascript", source: ""), limits: ScriptLimits(),
                store: realm.store, observer: TestObserver())
        }
        #expect(error?.script == .crash)
        #expect(error?.message == "The script host ended unexpectedly: exit code 1.")
    }

    @Test func `offers nothing that reaches out of the language`() throws {
        let lines = try TestRealm(Self.realm).log(
            """
            function attempt(f) { try { return f(); } catch (error) { return error.name; } }
            function migrate() {
              for (const name of ["fetch", "XMLHttpRequest", "WebAssembly", "setTimeout", "require", "process", "load",
                                  "SharedArrayBuffer", "print", "native", "api"]) {
                if (typeof globalThis[name] !== "undefined") console.log(name);
              }
              const AsyncFunction = (async () => {}).constructor, GeneratorFunction = (function* () {}).constructor;
              console.log(attempt(() => eval("1")), attempt(() => new Function("return 1")()),
                          attempt(() => (() => {}).constructor("return 1")()), attempt(() => AsyncFunction("")),
                          attempt(() => GeneratorFunction("")));
              import("fs").then(() => console.log("imported"), () => console.log("rejected"));
            }
            """)
        #expect(lines == ["EvalError EvalError EvalError EvalError EvalError", "rejected"])
    }

    @Test func `bounds each line of the log, and hands over the last as well as the first`() throws {
        let lines = try TestRealm(Self.realm).log(
            "function migrate() { console.log('x'.repeat(100000)); for (let i = 0; i < 5000; i++) console.log(i); }")
        #expect(lines.count == 5001)
        #expect(lines.first.map { $0.utf8.count <= 8192 } == true)
        #expect(lines.last == "4999")
    }
}
