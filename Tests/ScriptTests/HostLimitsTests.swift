import Foundation
import RealmMigration
import Sandbox
import Testing

@testable import ScriptChild
@testable import ScriptParent

/// The bounds of a script, and what it is told of them; `HostileScriptTests` tries to get around them.
@Suite(.serialized) struct HostLimitsTests {
    static let realm = """
        {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"n": "int"}}], "objects": {"A": [{"n": 1}]}}
        """

    @Test func `says that a script ran out of time`() throws {
        let error = try TestRealm(Self.realm).error(
            "function migrate() { for (;;); }", TestRealm.Run(limits: ScriptLimits(timeoutSeconds: 0.5)))
        #expect(error.message == "The script ran longer than 0.5 seconds.")
    }

    /// Whether it is the engine that tells, as it surely does of a text that is too long for it, or the end of the host.
    @Test(arguments: ["const a = []; for (;;) a.push({ a: 1 })", "'x'.repeat(2 ** 31)"])
    func `says that a script ran out of memory`(body: String) throws {
        let error = try TestRealm(Self.realm).error(
            "function migrate() { \(body); }",
            TestRealm.Run(limits: ScriptLimits(timeoutSeconds: 60, memoryBytes: 64 << 20)))
        #expect(error.script == .memoryLimit)
        #expect(error.message == "The script took more than \(64 << 20) bytes of memory.")
    }

    @Test(arguments: [
        (
            "for (let i = 0; i < 6; i++) m.create('A', { n: i })", ScriptOutput(createdCount: 5),
            "created more than 10 objects (limits.createdCount)"
        ),
        (
            "m.create('A', { n: 1 })", ScriptOutput(writtenBytes: 4_999),
            "wrote more than 5000 bytes of columns (limits.writtenBytes)"
        ),
        (
            "console.log('x'.repeat(60))", ScriptOutput(logBytes: 40),
            "logged more than 100 bytes of lines (limits.logBytes)"
        ),
    ])
    func `leaves to a script of a job what those before it have left`(
        body: String, made: ScriptOutput, message: String
    ) throws {
        let realm = try TestRealm(Self.realm)
        let script = "function migrate(m) { \(body); }"
        var limits = ScriptLimits(
            timeoutSeconds: 20, output: OutputLimits(createdCount: 10, writtenBytes: 5_000, logBytes: 100))
        var output = try realm.migrate(script, TestRealm.Run(limits: limits)).output
        // It made too much of each for what is left, and of nothing else.
        output += made
        #expect(output.createdCount > 10 || output.writtenBytes > 5_000 || output.logBytes > 100)
        limits.made = made
        let error = try realm.error(script, TestRealm.Run(limits: limits))
        #expect(error.script == .outputLimit)
        #expect(error.message == "The script, with those before it, \(message).")
    }

    @Test func `counts what a script made`() throws {
        let script = """
            function migrate(m) {
              for (let i = 0; i < 3; i++) m.delete(m.create('A', { n: i }));
              console.log('ab');
              console.warn('é');
            }
            """
        let output = try TestRealm(Self.realm).migrate(script).output
        #expect(output.createdCount == 3 && output.logBytes == 6)
        #expect(try TestRealm(Self.realm).migrate("function migrate(m) {}").output.createdCount == 0)
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

    @Test(arguments: [
        ("/bin/false", MigrationError.ScriptFailure.crash, "The host process ended unexpectedly: exit code 1."),
        (
            "/nowhere/host", .unavailable,
            "Scripts can't be run here: The program /nowhere/host could not be started (errno 2)."
        ),
        (
            "#!/bin/sh\nexit 127", .unavailable,
            "Scripts can't be run here: the libraries that realmshift-script needs are missing."
        ),
    ])
    func `says what is wrong with a program that is no host`(
        program: String, kind: MigrationError.ScriptFailure, message: String
    ) throws {
        var path = program
        if program.hasPrefix("#!") {
            path = FileManager.default.temporaryDirectory.appendingPathComponent("host-\(UUID())").path
            try program.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        defer { if path != program { try? FileManager.default.removeItem(atPath: path) } }
        let realm = try TestRealm(Self.realm)
        let request = MigrationRequest(
            source: realm.snapshot, target: realm.snapshot.declared, targetVersion: 1,
            migration: DeclaredMigration(script: ScriptSource(.javaScript, "")))
        let error = #expect(throws: MigrationError.self) {
            try MigrationRunner(by: SandboxedScriptRunner(hosts: HostPool(executable: path)), of: nil).run(
                request, limits: ScriptLimits(), store: realm.store, observer: TestObserver())
        }
        #expect(error?.script == kind)
        #expect(error?.message == message)
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
              const GeneratorFunction = (function* () {}).constructor;
              console.log(attempt(() => eval("1")), attempt(() => new Function("return 1")()),
                          attempt(() => (() => {}).constructor("return 1")()), attempt(() => GeneratorFunction("")));
            }
            """)
        #expect(lines == ["EvalError EvalError EvalError EvalError"])
    }

    @Test func `bounds each line of the log, and hands over the last as well as the first`() throws {
        let lines = try TestRealm(Self.realm).log(
            "function migrate() { console.log('x'.repeat(100000)); for (let i = 0; i < 5000; i++) console.log(i); }")
        #expect(lines.count == 5001)
        #expect(lines.first.map { $0.utf8.count <= 8192 } == true)
        #expect(lines.last == "4999")
    }
}
