import Columns
import RealmMigration
import RealmModel
import Sandbox
import ScriptWire

extension HostRole {
    /// Run migrations with their scripts, each at a pace.
    public static let scripts = ScriptPace.allCases.map { pace in
        HostRole(pace.roleName) { memoryBytes, channel in
            try ScriptWork(memoryBytes: memoryBytes, pace: pace, channel: channel)
        }
    }
}

/// Runs migrations with their scripts inside a locked host.
final class ScriptWork: HostWork {
    private let channel: HostChannel
    private let machine: JavaScriptMachine
    private let watch = FunctionWatch()
    private let worlds: ScriptWorlds

    init(memoryBytes: Int, pace: ScriptPace, channel: HostChannel) throws {
        self.channel = channel
        machine = try JavaScriptMachine(memoryBytes: memoryBytes, pace: pace) { try? channel.flush() }
        worlds = try ScriptWorlds(in: machine, at: pace) { line, level in
            // Where the channel is gone, the script's next question ends the host.
            try? channel.report(ScriptReport.line(line, level).bytes)
        }
    }

    func perform(_ task: [UInt8], input: Int32?) throws -> HostAnswer {
        do {
            switch try ScriptTask(task) {
            case .migrate(let task): return .done(try migrate(task))
            case .check(let source):
                let script = try worlds.unused()
                try load(source, into: script)
                try script.checkDeclaration { [channel] in
                    try? channel.report(ScriptReport.place(line: $0).bytes)
                }
                return .done([])
            case .runChecks(let task): return .done(CheckResultCoding.encode(try check(task)))
            case .call(let task):
                let answers = try call(task)
                let back = try task.wayBack(from: answers).map { try call($0) }
                return .done(FunctionAnswersCoding.encode(answers, back, to: task))
            }
        } catch let error as MigrationError {
            return .refused(MigrationCoding.encode(error))
        }
    }

    func reset() throws { try worlds.prepare() }

    /// Has a migration's script see the time and chance of its source, and gives it its text.
    private func set(_ script: JavaScriptMigration, for request: MigrationRequest, _ source: ScriptSource) throws {
        if let origin = request.origin {
            try script.setOrigin(
                milliseconds: origin.milliseconds, seed: origin.seed(for: source, version: request.targetVersion))
        }
        try load(source, into: script)
    }

    private func load(_ source: ScriptSource, into script: JavaScriptMigration) throws {
        if source.language == .loweredSwift {
            try script.addSwift()
        } else {
            try Self.mustBeJavaScript(source)
        }
        try script.load(source.source)
    }

    private static func mustBeJavaScript(_ source: ScriptSource) throws {
        guard source.language == .javaScript else {
            throw MigrationError(nil, "Scripts in '\(source.language.rawValue)' are not supported.", script: .syntax)
        }
    }

    private func call(_ task: FunctionTask) throws -> FunctionAnswers {
        try Self.mustBeJavaScript(task.function.script)
        let script = try worlds.unused()
        watch.start(secondsPerObject: task.secondsPerObject) { [channel] row in
            // Where the channel is gone, the host ends by that.
            try? channel.report(ScriptReport.exceeded(row: row).bytes)
        }
        defer { watch.stop() }
        return try script.call(task, watchedBy: watch)
    }

    private func check(_ task: CheckTask) throws -> [RealmCheckResult] {
        let store = PipeSegmentStore(channel: channel)
        defer { try? store.finish() }
        var results: [RealmCheckResult] = []
        for program in task.programs { results += try check(program, of: task, in: store, after: results) }
        return results
    }

    /// - Parameter others: what the checks of the programs before came to.
    private func check(
        _ program: ScriptSource, of task: CheckTask, in store: any SegmentStore, after others: [RealmCheckResult]
    ) throws -> [RealmCheckResult] {
        let script = try worlds.unused()
        do {
            try load(program, into: script)
            let transaction = MigrationTransaction(
                comparing: task.old, with: task.new, in: store, limits: task.rowGroups)
            let results = try script.check(transaction) { [channel] name, results in
                let begun = others + results + [RealmCheckResult(name: name, passed: false)]
                try channel.report(ScriptReport.checking(CheckResultCoding.encode(begun)).bytes, canWait: true)
            }
            let none = "The program declares no function whose name begins with “check”."
            return results.isEmpty ? [RealmCheckResult(name: "check", passed: false, message: none)] : results
        } catch let error as MigrationError where error.script == .syntax || error.script == .exception {
            let line = error.details.lazy.compactMap(\.line).first
            return [RealmCheckResult(name: "check", passed: false, message: error.message, line: line)]
        }
    }

    /// Runs the migrations of a task, and tells the result of each but the last as the next one begins.
    private func migrate(_ task: MigrationTask) throws -> [UInt8] {
        for part in task.parts.dropLast() {
            let report: ScriptReport
            do {
                report = .migrated(try migrate(part, of: task))
            } catch let error as MigrationError {
                report = .refused(MigrationCoding.encode(error))
            }
            try channel.report(report.bytes)
        }
        return try task.parts.last.map { try migrate($0, of: task) } ?? []
    }

    /// Runs a migration in a world where nothing is left of another.
    private func migrate(_ part: MigrationTask.Part, of task: MigrationTask) throws -> [UInt8] {
        let request = part.request
        let key = worlds.key(task.script, for: request)
        let script = try worlds.world(for: key)
        try set(script, for: request, task.script)
        return MigrationCoding.encode(
            try migrate(part, of: task, script) { [worlds] in worlds.keep(script.world, for: key) })
    }

    /// - Parameter succeeded: called where the script succeeded in the one run for which it was made ready.
    private func migrate(
        _ part: MigrationTask.Part, of task: MigrationTask, _ first: JavaScriptMigration, succeeded: () -> Void
    ) throws -> MigrationResult {
        // One of several is small: only where it takes long somebody wants to know how far it is.
        let canWait = task.parts.count > 1
        var script = first
        var hasRun = false
        var createdCount = 0
        let store = PipeSegmentStore(channel: channel, supplies: part.supplies)
        let migration = Migration(part.request, store: store, limits: task.rowGroups)
        var throttle = ProgressThrottle()
        // Where the migration failed, too: its own error is what counts then.
        defer { try? store.finish() }
        let report = { [channel] (progress: MigrationProgress) in
            guard throttle.admits(progress) else { return }
            try? channel.report(ScriptReport.progress(progress).bytes, canWait: canWait)
        }
        let run = { [channel, worlds] (transaction: MigrationTransaction) in
            // One that begins anew finds nothing of what it left behind.
            if hasRun {
                script = try worlds.unused()
                try self.set(script, for: part.request, task.script)
            }
            hasRun = true
            // Where the channel is gone, the script's next question ends the host.
            transaction.limitCreation(to: task.createdLimit) { try? channel.report(ScriptReport.created.bytes) }
            defer { createdCount = transaction.createdCount }
            try script.run(
                transaction, merging: part.request.migration.primaryKeyPolicies, usesColumns: task.usesColumns,
                progressed: report,
                enumerating: { className in
                    // Nobody asks where there is no other share.
                    guard part.request.share != nil else { return }
                    try? channel.report(ScriptReport.enumerating(className).bytes)
                }
            ) { try? channel.report(ScriptReport.place(line: $0).bytes, canWait: canWait) }
        }
        do {
            var result = try migration.run(script: run, progress: report)
            try store.finish()
            result.findings += script.findings.all
            result.operationCount = script.operationCount
            result.output.createdCount = createdCount
            if script === first { succeeded() }
            return result
        } catch var error as MigrationError {
            error.findings += script.findings.all
            throw error
        }
    }
}

/// Lets some reports of progress a second pass, every change of phase, and the first class of each.
private struct ProgressThrottle {
    private static let interval: UInt64 = 100_000_000
    private var last: MigrationProgress?
    private var nextTime: UInt64 = 0

    mutating func admits(_ progress: MigrationProgress) -> Bool {
        let now = MonotonicClock.now
        let isFirst = progress.phase != last?.phase || last?.className == nil && progress.className != nil
        guard now >= nextTime || isFirst else { return false }
        last = progress
        nextTime = now + Self.interval
        return true
    }
}
