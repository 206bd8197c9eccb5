import Columns
import Foundation
import RealmMigration
import RealmModel
import Testing

@testable import MigrationScript

/// Hosts are used again where that is safe, and nothing of a task is left for the next.
@Suite(.serialized) struct HostPoolTests {
    private static let noSpares = HostPool.Policy.Spares(count: 0, memoryBytes: 0)
    private static let otherApp = RealmModel.UUID.uuid(2)
    private let realm: TestRealm

    init() throws {
        realm = try TestRealm(HostLimitsTests.realm)
    }

    private func pool(kept: Int = 4, idleSeconds: Double = 60, spares: Int = 0) throws -> HostPool {
        HostPool(
            executable: try TestProgram.path(),
            policy: HostPool.Policy(
                kept: kept, idleSeconds: idleSeconds,
                scripts: HostPool.Policy.Spares(count: spares, memoryBytes: ScriptLimits().memoryBytes),
                decoders: Self.noSpares))
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

    private func exists(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    /// Waits for what another thread or process does.
    private func eventually(_ condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition() {
            guard ContinuousClock.now < deadline else { return false }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return true
    }

    // MARK: Using hosts again

    @Test func `uses a host again for the same app`() throws {
        let pool = try pool()
        try run("", in: pool)
        let first = pool.waitingProcesses.kept
        for _ in 0..<5 { try run("migration.enumerateObjects('A', (o, n) => { n.n = o.n + 1 })", in: pool) }
        #expect(first.count == 1)
        #expect(pool.waitingProcesses.kept == first)
    }

    @Test func `uses no host for two apps`() throws {
        let pool = try pool()
        try run("", in: pool)
        let first = pool.waitingProcesses.kept
        try run("", in: pool, app: Self.otherApp)
        #expect(Set(pool.waitingProcesses.kept).count == 2)
        #expect(pool.waitingProcesses.kept.first == first.first)
    }

    @Test func `keeps no host of a task of nobody's`() throws {
        let pool = try pool(spares: 1)
        try run("", in: pool, app: nil)
        #expect(pool.waitingProcesses.kept.isEmpty)
    }

    @Test func `uses no host with another budget of memory`() throws {
        let pool = try pool()
        try run("", in: pool)
        try run("", in: pool, limits: ScriptLimits(timeoutSeconds: 20, memoryBytes: 64 << 20))
        #expect(Set(pool.waitingProcesses.kept).count == 2)
    }

    @Test func `keeps a host whose script threw`() throws {
        let pool = try pool()
        #expect(throws: MigrationError.self) { try run("throw new Error('no')", in: pool) }
        let kept = pool.waitingProcesses.kept
        #expect(kept.count == 1)
        #expect(try run("console.log('again')", in: pool) == ["again"])
        #expect(pool.waitingProcesses.kept == kept)
    }

    @Test func `keeps so many hosts and no more`() throws {
        let pool = try pool(kept: 2)
        for app in 1...4 { try run("", in: pool, app: .uuid(UInt64(app))) }
        #expect(pool.waitingProcesses.kept.count == 2)
    }

    @Test func `decodes one file after the other in a host`() throws {
        let pool = try pool()
        for count in 1...3 {
            let objects = (0..<count).map { "{\"n\": \($0)}" }.joined(separator: ",")
            let text = HostLimitsTests.realm.replacing("{\"n\": 1}", with: objects)
            let snapshot = try decode(text, in: pool)
            #expect(snapshot["A"]?.objectCount == count)
        }
        #expect(throws: InputError.self) { try decode("{", in: pool) }
        #expect(pool.waitingProcesses.kept.count == 1)
        #expect(throws: HostFailure.self) { try decode("", format: "trap", in: pool) }
        #expect(pool.waitingProcesses.kept.isEmpty)
    }

    @Test func `takes nothing of a refused file for the next one's`() throws {
        let pool = try pool()
        for _ in 0..<3 {
            #expect(throws: InputError.self) { try decode("", format: "refuse in the middle", in: pool) }
            #expect(try decode(HostLimitsTests.realm, in: pool)["A"]?.objectCount == 1)
        }
        #expect(pool.waitingProcesses.kept.count == 1)
    }

    private func decode(_ text: String, format: String = "json", in pool: HostPool) throws -> Snapshot {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        fwrite(text, 1, text.utf8.count, file)
        fflush(file)
        return try SandboxedDecoder(hosts: pool).decode(
            fileno(file), format: format, into: MemorySegmentStore(), of: TestRealm.app)
    }

    // MARK: Forgetting

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
        try run("Promise.resolve().then(async () => { for (let i = 0; i < 100; i++) await 0 })", in: pool)
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

    @Test func `limits the processor's time of each task`() throws {
        let profile = HostProfile(.migrations, memoryBytes: 64 << 20)
        let host = try HostProcess(executable: try TestProgram.path(), profile: profile)
        #expect(host.limitProcessorTime(seconds: 100))
        #expect(host.limitProcessorTime(seconds: 10))
        #expect(host.limitProcessorTime(seconds: 100))
        // Beyond the hard limit that the first task set.
        #expect(!host.limitProcessorTime(seconds: 1000))
    }

    // MARK: Letting go

    @Test(arguments: ["for (;;);", "const a = []; for (;;) a.push({ a: 1 })"])
    func `keeps no host that was stopped`(body: String) throws {
        let pool = try pool()
        let limits = ScriptLimits(timeoutSeconds: 1, memoryBytes: 32 << 20)
        try run("", in: pool, limits: limits)
        let processes = pool.waitingProcesses.kept
        #expect(throws: MigrationError.self) { try run(body, in: pool, limits: limits) }
        #expect(pool.waitingProcesses.kept.isEmpty)
        #expect(!processes.contains(where: exists))
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

    @Test func `replaces a host that was killed while it waited`() throws {
        let pool = try pool()
        try run("", in: pool)
        let process = try #require(pool.waitingProcesses.kept.first)
        kill(process, SIGKILL)
        // The signal is on its way until then; the process stays for the pool to ask how it ended.
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == 0)
        #expect(try run("console.log('again')", in: pool) == ["again"])
        #expect(pool.waitingProcesses.kept.count == 1)
        #expect(!pool.waitingProcesses.kept.contains(process))
    }

    @Test func `ends hosts that wait too long`() throws {
        let pool = try pool(idleSeconds: 0)
        pool.start()
        defer { pool.close() }
        try run("", in: pool)
        #expect(eventually { pool.waitingProcesses.kept.isEmpty })
    }

    @Test func `ends its hosts when it is closed`() throws {
        let pool = try pool(spares: 2)
        pool.start()
        try run("", in: pool)
        #expect(eventually { pool.waitingProcesses.spares.count == 2 })
        let processes = pool.waitingProcesses.spares + pool.waitingProcesses.kept
        #expect(processes.count == 3)
        pool.close()
        #expect(eventually { !processes.contains(where: exists) })
        try run("", in: pool)
        #expect(pool.waitingProcesses.kept.isEmpty)
    }

    // MARK: Spares

    @Test func `has spares for any app, and replaces them`() throws {
        let pool = try pool(spares: 2)
        #expect(pool.waitingProcesses.spares.isEmpty)
        pool.start()
        defer { pool.close() }
        #expect(eventually { pool.waitingProcesses.spares.count == 2 })
        let spares = pool.waitingProcesses.spares
        try run("", in: pool)
        try run("", in: pool, app: Self.otherApp)
        #expect(Set(pool.waitingProcesses.kept) == Set(spares))
        #expect(eventually { pool.waitingProcesses.spares.count == 2 })
        #expect(Set(pool.waitingProcesses.spares).isDisjoint(with: spares))
    }

    @Test func `replaces a spare that was killed`() throws {
        let pool = try pool(idleSeconds: 1, spares: 1)
        pool.start()
        defer { pool.close() }
        #expect(eventually { pool.waitingProcesses.spares.count == 1 })
        let spare = try #require(pool.waitingProcesses.spares.first)
        kill(spare, SIGKILL)
        #expect(eventually { pool.waitingProcesses.spares.first.map { $0 != spare } ?? false })
        #expect(try run("console.log('again')", in: pool) == ["again"])
    }
}

extension RealmModel.UUID {
    /// A UUID of a number.
    static func uuid(_ number: UInt64) -> RealmModel.UUID {
        RealmModel.UUID(bytes: (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) })
            ?? .zero
    }
}
