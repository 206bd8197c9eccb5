import Columns
import RealmMigration
import RealmModel
import Sandbox
import Threads

extension SandboxedScriptRunner: ShareRunner {
    /// Runs a migration's shares in as many hosts as there are free slots, one at least.
    public func run(
        shares count: Int, of migration: ScriptedMigration, of app: UUID?, limits: ScriptLimits
    ) throws -> (results: [MigrationResult], output: ScriptOutput) {
        guard let script = migration.request.migration.runnableScript else { return ([], ScriptOutput()) }
        let lowered = try LoweredSwift(script, by: swift, of: app, timeoutSeconds: limits.timeoutSeconds)
        let work = SharesAtWork(
            count, of: migration, script: lowered.script, app: app, limits: limits, runner: self)
        do {
            let (results, output) = try work.run()
            return (results.map { lowered.placed($0) }, output)
        } catch let error as MigrationError {
            throw lowered.placed(error)
        }
    }
}

/// The shares of one migration, and the thread that waits for them: it starts them, serves their hosts and tells the observer.
private final class SharesAtWork {
    private let count: Int
    private let migration: ScriptedMigration
    private let script: ScriptSource
    private let app: UUID?
    private let limits: ScriptLimits
    private let runner: SandboxedScriptRunner
    private let mailbox = ShareMailbox()
    private let began = MonotonicClock.now
    private var machine: ShareMachine
    private var running: Set<Int> = []

    init(
        _ count: Int, of migration: ScriptedMigration, script: ScriptSource, app: UUID?, limits: ScriptLimits,
        runner: SandboxedScriptRunner
    ) {
        self.count = count
        self.migration = migration
        self.script = script
        self.app = app
        self.limits = limits
        self.runner = runner
        machine = ShareMachine(count: count, limits: limits)
    }

    func run() throws -> (results: [MigrationResult], output: ScriptOutput) {
        while machine.end == nil || !running.isEmpty {
            startShares()
            for event in mailbox.take(timeout: .milliseconds(100)) { take(event) }
            tell()
            if migration.observer.isCancelled { machine.stop(MigrationError(HostFailure.cancelled, limits: limits)) }
            mailbox.end(running.filter(machine.isUseless))
        }
        guard let end = machine.end else { return ([], ScriptOutput()) }
        let results = try end.get()
        let written = results.reduce(0) { $0 + $1.output.writtenBytes }
        return (results, ScriptOutput(writtenBytes: written, logBytes: machine.logBytes))
    }

    /// Seconds that are left to all shares.
    private var secondsLeft: Double { limits.timeoutSeconds - Double(MonotonicClock.now - began) / 1e9 }

    /// Starts shares while there are slots; the first one runs in any case.
    private func startShares() {
        while machine.end == nil {
            let isFirst = running.isEmpty
            guard isFirst || runner.slots.takeFree() else { return }
            guard secondsLeft > 0, let index = machine.begin() else {
                if !isFirst { runner.slots.giveBack() }
                if secondsLeft <= 0 { fail(HostFailure.timeLimit, line: nil) }
                return
            }
            if isFirst { runner.slots.take() }
            running.insert(index)
            var limits = limits
            limits.timeoutSeconds = secondsLeft
            let task = ShareTask(
                share: MigrationShare(index, of: count), request: migration.request, script: script, app: app,
                limits: limits, runner: runner, mailbox: mailbox)
            // Decoding a result follows the nesting of values.
            PlainThread.start("share", stackBytes: 8 << 20) { task.run() }
        }
    }

    private func take(_ event: ShareMailbox.Event) {
        switch event {
        case .report(let index, let report): machine.take(report, of: index)
        case .question(let answer): answer(machine.end == nil ? migration.store : nil)
        case .ended(let index, let ended):
            running.remove(index)
            runner.slots.giveBack()
            guard !machine.isUseless(index) else { return }
            if case .failure(let failure as HostFailure) = ended.result {
                fail(failure, line: ended.line, of: index)
            } else {
                machine.ended(index, ended.result)
            }
        }
    }

    /// - Parameter index: the share whose host has failed; nil where none could begin.
    private func fail(_ failure: HostFailure, line: Int?, of index: Int? = nil) {
        let error = MigrationError(failure, limits: limits, at: machine.progress, line: line)
        if let index { machine.ended(index, .failure(error)) } else { machine.stop(error) }
    }

    private func tell() {
        for told in machine.takeTold() {
            switch told {
            case .progress(let progress): migration.observer.progressed(to: progress)
            case .line(let line, let level): migration.observer.logged(line, level: level)
            }
        }
    }
}
