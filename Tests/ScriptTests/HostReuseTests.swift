import Foundation
import RealmMigration
import RealmModel
import Testing

@testable import ScriptChild
@testable import Sandbox

/// A host runs one script after the other, and nothing of a script is left for the next.
@Suite(.serialized) struct HostReuseTests {
    private let realm: TestRealm

    init() throws {
        realm = try TestRealm(HostLimitsTests.realm)
    }

    private func pool() throws -> HostPool {
        HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 4))
    }

    /// Runs a script, and gives the lines of its console.
    @discardableResult
    private func run(
        _ body: String, in pool: HostPool, app: RealmModel.UUID? = TestRealm.app,
        limits: ScriptLimits = ScriptLimits(timeoutSeconds: 20)
    ) throws -> [String] {
        let run = TestRealm.Run(limits: limits, app: app, hosts: pool)
        _ = try realm.migrate("function migrate(migration) { \(body) }", to: nil, run)
        return run.observer.lines
    }

    @Test func `keeps a host whose script threw`() throws {
        let pool = try pool()
        #expect(throws: MigrationError.self) { try run("throw new Error('no')", in: pool) }
        let kept = pool.waitingProcesses.kept
        #expect(kept.count == 1)
        #expect(try run("console.log('again')", in: pool) == ["again"])
        #expect(pool.waitingProcesses.kept == kept)
    }

    @Test(arguments: [
        ("globalThis.left = 1; var left2 = 2; this.left3 = 3", "typeof globalThis.left"),
        ("Object.prototype.left = 1", "typeof ({}).left"),
        ("Array.prototype.map = () => 'left'", "typeof [1].map(x => x)"),
        ("String.prototype.left = 1", "typeof ''.left"),
        ("Object.defineProperty(Object.prototype, 'left', { get() { return 1 } })", "typeof ({}).left"),
        ("console.left = 1", "typeof console.left"),
        ("JSON.left = 1; Math.left = 1", "typeof JSON.left + typeof Math.left"),
        ("/(left)/.exec('left')", "typeof RegExp.$1 + RegExp.$1"),
        ("(function f() { f.left = 1; globalThis.f = f })()", "typeof globalThis.f"),
        ("migration.left = 1; migration.constructor.prototype.left = 1", "typeof migration.left"),
        ("migration.enumerateObjects('A', o => { Object.getPrototypeOf(o).left = 1 })", "typeof ({}).left"),
    ])
    func `forgets what a script changed`(change: String, question: String) throws {
        let pool = try pool()
        let before = try run("console.log(\(question))", in: pool)
        let processes = pool.waitingProcesses.kept
        // Some of what scripts try is refused them.
        try run("try { \(change) } catch (error) {}", in: pool)
        let after = try run("console.log(\(question))", in: pool)
        #expect(after == before)
        #expect(pool.waitingProcesses.kept == processes)
    }

    @Test func `runs nothing of a script after its end`() throws {
        let pool = try pool()
        try run(
            "let i = 0; const f = () => { if (i++ < 100) return globalThis['Promise'].resolve().then(f) }; f()",
            in: pool)
        #expect(try run("console.log('second')", in: pool) == ["second"])
    }

    @Test func `holds a second script to its limits`() throws {
        let pool = try pool()
        let limits = ScriptLimits(timeoutSeconds: 20, memoryBytes: 64 << 20)
        try run("", in: pool, limits: limits)
        let error = #expect(throws: MigrationError.self) {
            try run("const a = []; for (;;) a.push({ a: 1 })", in: pool, limits: limits)
        }
        #expect(error?.script == .memoryLimit)
        try run("", in: pool)
        let late = #expect(throws: MigrationError.self) {
            try run("for (;;);", in: pool, limits: ScriptLimits(timeoutSeconds: 0.3))
        }
        #expect(late?.script == .timeLimit)
    }

    @Test func `lets each script have all its memory`() throws {
        let pool = try pool()
        let limits = ScriptLimits(timeoutSeconds: 60, memoryBytes: 96 << 20)
        for _ in 0..<6 {
            try run(
                "const a = []; for (let i = 0; i < 48; i++) a.push(new Uint8Array(1 << 20).fill(1))",
                in: pool, limits: limits)
        }
    }

    @Test func `runs a script that lacked memory in a new host, and tells its lines once`() throws {
        // A program that notes each start.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hosts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (program, starts) = (folder.appendingPathComponent("program"), folder.appendingPathComponent("starts"))
        try Data("#!/bin/sh\necho start >> '\(starts.path)'\nexec '\(try TestProgram.path())' \"$@\"\n".utf8).write(
            to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let pool = HostPool(executable: program.path, policy: HostPool.Policy(kept: 4))
        let limits = ScriptLimits(timeoutSeconds: 20, memoryBytes: 64 << 20)
        try run("", in: pool, limits: limits)
        let observer = TestObserver()
        let body = "console.log('one'); console.log(Math.random()); const a = []; for (;;) a.push({ a: 1 })"
        let error = try realm.error(
            "function migrate() { \(body) }", to: nil,
            TestRealm.Run(limits: limits, observer: observer, app: TestRealm.app, hosts: pool))
        #expect(error.script == .memoryLimit)
        #expect(observer.lines.count == 2)
        #expect(try String(contentsOf: starts, encoding: .utf8).split(separator: "\n").count == 2)
    }

    @Test(arguments: ["for (;;);", "const a = []; for (;;) a.push({ a: 1 })"])
    func `keeps no host that was stopped`(body: String) throws {
        let pool = try pool()
        let limits = ScriptLimits(timeoutSeconds: 1, memoryBytes: 32 << 20)
        try run("", in: pool, limits: limits)
        #expect(throws: MigrationError.self) { try run(body, in: pool, limits: limits) }
        #expect(pool.waitingProcesses.kept.isEmpty)
        #expect(try run("console.log('again')", in: pool, limits: limits) == ["again"])
    }

    @Test func `keeps no host that was cancelled`() throws {
        let pool = try pool()
        let observer = TestObserver()
        observer.questionsUntilCancelled = 2
        let error = try realm.error(
            "function migrate() { for (;;); }", to: nil, TestRealm.Run(observer: observer, hosts: pool))
        #expect(error.script == .cancelled)
        #expect(pool.waitingProcesses.kept.isEmpty)
    }
}

extension RealmModel.UUID {
    /// A UUID of a number.
    static func uuid(_ number: UInt64) -> RealmModel.UUID {
        RealmModel.UUID(bytes: (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) })
            ?? .zero
    }
}
