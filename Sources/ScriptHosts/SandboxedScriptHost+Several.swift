import Columns
import RealmMigration
import RealmModel
import Sandbox

extension SandboxedScriptHost {
    /// Runs the same script in several small migrations by one call of a host.
    ///
    /// Where the host ends on the way, the migration that was at work has the failure, as if it had been alone; where that may be the
    /// doing of those before it, it has not begun.
    public func run(
        _ migrations: [ScriptedMigration], of app: UUID?, script: ScriptSource, limits: ScriptLimits
    ) throws -> [Result<MigrationResult, MigrationError>] {
        guard migrations.count > 1 else { return try runFirst(of: migrations, of: app, script: script, limits: limits) }
        let lowered: LoweredSwift
        do { lowered = try LoweredSwift(script, by: swift, of: app, timeoutSeconds: limits.timeoutSeconds) } catch let
            error as MigrationError
        {
            return [.failure(error)]
        }
        let results = try run(all: migrations, of: app, lowered: lowered.script, limits: limits)
        return results.map { $0.map { lowered.placed($0) }.mapError { lowered.placed($0) } }
    }

    private func run(
        all migrations: [ScriptedMigration], of app: UUID?, lowered script: ScriptSource, limits: ScriptLimits
    ) throws -> [Result<MigrationResult, MigrationError>] {
        let several = SeveralMigrations(migrations, limits: limits)
        let tasks = try migrations.indices.map { index in
            MigrationTask(
                rowGroups: rowGroups, request: migrations[index].request, script: script,
                createdLimit: limits.outputLeft.createdCount, usesColumns: usesColumns,
                supplies: try SegmentSupplies(of: migrations[index].request.source, from: several.served[index]))
        }
        var order = Self.order(
            .migrateAll(tasks), of: app, limits: limits, parts: tasks.count, serving: several.servedNow)
        order.served = { several.servedNow }
        order.isCancelled = { migrations[0].observer.isCancelled }
        order.reported = several.take
        order.beginsAnew = several.takeBeginning
        do {
            try hosts.perform(order) { _ in try several.requireAll() }
            return several.results
        } catch let failure as HostFailure {
            let isAlone = several.results.isEmpty
            switch failure {
            case .cancelled, .notStarted, .notLoaded: throw MigrationError(failure, limits: limits)
            // Remains of the migrations before it may have a part in these failures.
            case .crash, .memoryLimit, .outputLimit:
                if !isAlone { return several.results }
            case .timeLimit: break
            }
            return several.results + [.failure(MigrationError(failure, limits: limits, at: several.progress))]
        } catch let error as MigrationError {
            // An error of the one that is at work: it logged or created more than it may, or its memory ran out.
            if error.script == .memoryLimit, !several.results.isEmpty { return several.results }
            return several.results + [.failure(error)]
        }
    }

    private func runFirst(
        of migrations: [ScriptedMigration], of app: UUID?, script: ScriptSource, limits: ScriptLimits
    ) throws -> [Result<MigrationResult, MigrationError>] {
        guard let only = migrations.first else { return [] }
        do {
            let result = try run(
                only.request, of: app, script: script, limits: limits, store: only.store, observer: only.observer)
            return [.success(result)]
        } catch let error as MigrationError {
            return [.failure(error)]
        }
    }
}

/// The parent's knowledge of several migrations that a host runs one after the other.
private final class SeveralMigrations {
    let served: [ServedStore]
    private(set) var results: [Result<MigrationResult, MigrationError>] = []
    /// How far the one at work is.
    private(set) var progress: MigrationProgress?
    private let migrations: [ScriptedMigration]
    private let limits: ScriptLimits
    private var logBytes = 0
    private var isAtWork = false
    private var hasBegun = false

    init(_ migrations: [ScriptedMigration], limits: ScriptLimits) {
        self.migrations = migrations
        self.limits = limits
        served = migrations.map {
            ServedStore($0.store, source: $0.request.source, byteLimit: limits.outputLeft.writtenBytes)
        }
    }

    /// The segments of the migration at work.
    var servedNow: ServedStore { served[min(results.count, served.count - 1)] }

    /// Whether a migration has begun since it was asked last.
    func takeBeginning() -> Bool {
        defer { hasBegun = false }
        return hasBegun
    }

    func take(_ report: [UInt8]) throws {
        let report = try ScriptReport(report)
        if case .began = report {
            guard !isAtWork, results.count < migrations.count else { throw Self.nonsense }
            (isAtWork, hasBegun, progress, logBytes) = (true, true, nil, 0)
            return
        }
        guard isAtWork else { throw Self.nonsense }
        let migration = migrations[results.count]
        switch report {
        case .began, .exceeded, .checking: throw Self.nonsense
        case .progress(let progress):
            self.progress = progress
            migration.observer.progressed(to: progress)
        case .line(let line, let level):
            logBytes += line.utf8.count + 1
            guard logBytes <= limits.outputLeft.logBytes else {
                throw MigrationError(exceeding: .logBytes, of: limits)
            }
            migration.observer.logged(line, level: level)
        case .created: throw MigrationError(exceeding: .createdCount, of: limits)
        case .migrated(let bytes): try end(.done(bytes), migration.request)
        case .refused(let bytes): try end(.refused(bytes), migration.request)
        }
    }

    private func end(_ answer: HostAnswer, _ request: MigrationRequest) throws {
        let result = try SandboxedScriptHost.counted(
            SandboxedScriptHost.result(of: answer, served: servedNow), request, servedNow, logBytes, limits)
        isAtWork = false
        results.append(result)
    }

    /// Refuses the end of a host that has left some out.
    func requireAll() throws {
        guard results.count == migrations.count else { throw Self.nonsense }
    }

    private static let nonsense = ColumnError.damaged(what: "a report of a migration", offset: 0)
}
