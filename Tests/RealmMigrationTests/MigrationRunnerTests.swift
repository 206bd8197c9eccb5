import Columns
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `The runner of migrations` {
    /// A host that logs a line in each try, and dies in the first ones.
    private final class DyingHost: ScriptRunner {
        private let losses: Int

        init(losses: Int) { self.losses = losses }

        func run(
            _ migrations: [ScriptedMigration], of app: UUID?, limits: ScriptLimits
        ) throws -> [Result<MigrationResult, MigrationError>] {
            let observer = migrations[0].observer
            observer.logged("hello", level: .log)
            let tries = (observer as? Lines)?.told.filter { $0 == "log hello" }.count ?? 0
            guard tries > losses else { return [.failure(MigrationError(nil, "It died.", script: .crash))] }
            return [.success(MigrationResult(snapshot: migrations[0].request.source, scriptRan: true))]
        }
    }

    private final class Lines: MigrationObserver {
        private(set) var told: [String] = []
        let isCancelled = false

        func progressed(to progress: MigrationProgress) {}
        func logged(_ line: String, level: LogLevel) { told.append("\(level) \(line)") }
    }

    @Test(arguments: 0...3)
    func `says before a step is run again that its lines come again`(losses: Int) throws {
        let source = Snapshot(schemaVersion: 0, declared: Schema(), classes: [])
        let step = MigrationRequest(
            source: source, target: Schema(), targetVersion: 1,
            migration: DeclaredMigration(script: ScriptSource(.javaScript, "")))
        var machine = MigrationMachine([MigrationMachine.Realm(source, steps: [step])], limits: ScriptLimits())
        let (store, lines) = (MemorySegmentStore(), Lines())
        try MigrationRunner(by: DyingHost(losses: losses), of: nil)
            .run(&machine, in: { _ in (store, lines) }, told: { _, _, _ in })
        let repeated = "warn The host of the script died. The step is run again, and logs its lines again."
        let tries = min(losses, MigrationMachine.hostLimit - 1)
        #expect(lines.told == Array(repeating: ["log hello", repeated], count: tries).flatMap { $0 } + ["log hello"])
        #expect((machine.realms[0].failure == nil) == (losses < MigrationMachine.hostLimit))
    }
}
