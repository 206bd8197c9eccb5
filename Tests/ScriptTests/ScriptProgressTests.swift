import RealmMigration
import Testing

@testable import ScriptChild

/// Point 8: progress from inside a script's run.
@Suite struct ScriptProgressTests {
    private let realm: TestRealm

    init() throws {
        let objects = (0..<40).map { "{\"_key\": \($0), \"n\": \($0)}" }.joined(separator: ",")
        realm = try TestRealm(
            """
            {"schemaVersion": 1, "schema": [{"name": "A", "properties": {"n": "int"}}], "objects": {"A": [\(objects)]}}
            """)
    }

    private func progress(_ source: String) throws -> [MigrationProgress] {
        let run = TestRealm.Run()
        _ = try realm.migrate(source, run)
        return run.observer.progress.filter { $0.phase == "script" && $0.className != nil }
    }

    /// Takes a while by the clock, however fast the machine is.
    private static let work = "for (const end = Date.now() + 40; Date.now() < end;);"

    @Test(arguments: [
        "function migrate(m) { m.enumerateObjects('A', () => { \(work) }); }",
        "function onMigration(o, n) { for (const a of n.objects('A')) { \(work) } }",
        "function migrate(m) { m.enumerateObjects('A', () => { \(work) m.enumerateObjects('A', () => {}); }); }",
    ])
    func `tells class, done and total, and never goes back`(_ source: String) throws {
        let reports = try progress(source)
        #expect(reports.count > 2)
        #expect(
            reports.allSatisfy { $0.className == "A" && $0.objectsTotal == 40 && (0...40).contains($0.objectsDone) })
        #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.objectsDone < $1.objectsDone })
    }

    @Test func `is told some times a second at most`() throws {
        let reports = try progress(
            "function migrate(m) { for (let i = 0; i < 200; i++) m.enumerateObjects('A', () => {}); }")
        #expect(reports.count < 100)
    }
}
