import Columns
import RealmMigration
import Sandbox
import Testing

@testable import ScriptChild
@testable import ScriptParent

/// A script is checked without a realm, in a host.
struct ScriptCheckTests {
    private func check(_ source: String, seconds: Double = 20) throws {
        let host = SandboxedScriptRunner(hosts: HostPool(executable: try TestProgram.path()))
        try host.check(
            ScriptSource(.javaScript, source), of: TestRealm.app,
            limits: ScriptLimits(timeoutSeconds: seconds))
    }

    @Test(arguments: [
        "function migrate(migration, oldSchemaVersion) { nothing.of.this.runs() }",
        "function onMigration(oldRealm, newRealm) {}",
        "const migrate = (migration) => {};",
        "console.log('outside'); const words = new Map([['a', 1]]); function migrate() {}",
    ])
    func `takes a program that declares a migration function`(source: String) throws {
        try check(source)
    }

    @Test(arguments: [
        ("function migrate() {\n  let a = ;\n}", "Unexpected token ';'", 2),
        ("", "The script declares no function migrate(migration, oldSchemaVersion)", nil),
        ("function migrat() {}", "The script declares no function migrate(migration, oldSchemaVersion)", 1),
        ("const migrate = 7;", "The script declares no function migrate(migration, oldSchemaVersion)", 1),
        ("function migrate() {}\n\nunknown.member;", "Can't find variable: unknown", 3),
        (
            "function migrate(m) {\n  Promise.resolve().then(() => m.deleteData('A'));\n}",
            "Migrations are synchronous", 2
        ),
    ])
    func `refuses any other, with its place`(source: String, message: String, line: Int?) throws {
        let error = #expect(throws: MigrationError.self) { try check(source) }
        #expect(error?.script != nil)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.details.first?.line == line)
    }

    @Test(arguments: [WorkBudget.Excess.abandoned, .time(seconds: 2)])
    func `ends with the budget of the request`(excess: WorkBudget.Excess) throws {
        WorkBudget.$current.withValue(WorkBudget { excess }) {
            #expect(throws: excess) { try check("while (true) {}", seconds: 60) }
        }
    }

    @Test func `stops what never ends`() throws {
        let error = #expect(throws: MigrationError.self) { try check("while (true) {}", seconds: 1) }
        #expect(error?.script == .timeLimit)
    }
}
