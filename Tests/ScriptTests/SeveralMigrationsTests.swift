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
        _ script: String, limits: ScriptLimits = ScriptLimits(timeoutSeconds: 20), from first: Int = 0
    ) throws -> [Result<MigrationResult, MigrationError>] {
        let migrations = zip(realms, observers).map { realm, observer in
            ScriptedMigration(
                MigrationRequest(
                    source: realm.snapshot, target: realm.snapshot.declared, targetVersion: 1,
                    migration: DeclaredMigration(script: ScriptSource(.javaScript, script)),
                    origin: ScriptOrigin(source: .uuid(1), milliseconds: 1_000)),
                store: realm.store, observer: observer)
        }
        return try SandboxedScriptRunner(hosts: pool).run(
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
        let results = try run(
            script("if (was.n === 3) { const a = []; for (;;) a.push({ a: 1 }) }"),
            limits: ScriptLimits(timeoutSeconds: 20, memoryBytes: 64 << 20))
        // It is to be tried again, by itself.
        #expect(results.count == 3)
        let alone = try run(
            script("if (was.n === 3) { const a = []; for (;;) a.push({ a: 1 }) }"),
            limits: ScriptLimits(timeoutSeconds: 20, memoryBytes: 64 << 20), from: 3)
        #expect(alone.count == 1)
        if case .failure(let error) = alone[0] { #expect(error.script == .memoryLimit) }
    }

    @Test func `are cancelled together`() throws {
        observers[0].questionsUntilCancelled = 1
        let error = #expect(throws: MigrationError.self) { _ = try run(script("if (was.n === 1) for (;;);")) }
        #expect(error?.script == .cancelled)
    }
}
