import Columns
import RealmMigration
import RealmModel
import Sandbox
import ScriptWire

extension SandboxedScriptRunner {
    /// Runs the same script in some migrations by one call of a host, and waits for their end.
    ///
    /// Where the host ends on the way, the migration that was at work has the failure, as if it had been alone; where that may be the
    /// doing of those before it, it has not begun.
    public func run(
        _ migrations: [ScriptedMigration], of app: UUID?, limits: ScriptLimits
    ) throws -> [Result<MigrationResult, MigrationError>] {
        guard let script = migrations.first?.request.migration.runnableScript else { return [] }
        let lowered: LoweredSwift
        do {
            lowered = try LoweredSwift(script, by: swift, of: app, timeoutSeconds: limits.timeoutSeconds)
        } catch let error as MigrationError {
            return [.failure(error)]
        }
        let results = try run(migrations, of: app, lowered: lowered.script, limits: limits)
        return results.map { $0.map { lowered.placed($0) }.mapError { lowered.placed($0) } }
    }

    /// - Parameter toldLines: the lines of the first migration that its observer has heard, from a run that did not count.
    private func run(
        _ migrations: [ScriptedMigration], of app: UUID?, lowered script: ScriptSource, limits: ScriptLimits,
        toldLines: Int = 0
    ) throws -> [Result<MigrationResult, MigrationError>] {
        let slice = SliceAtWork(migrations, limits: limits, toldLines: toldLines)
        var task = MigrationTask(
            rowGroups: rowGroups, script: script, createdLimit: limits.outputLeft.createdCount,
            usesColumns: usesColumns,
            parts: migrations.map { MigrationTask.Part(request: $0.request) })
        if suppliesSegments {
            for (index, served) in slice.served.enumerated() {
                task.parts[index].supplies = try SegmentSupplies(of: migrations[index].request.source, from: served)
            }
        }
        let most = migrations.map { SliceAtWork.objectCount(of: $0.request.source) }.max() ?? 0
        var order = Self.order(
            .migrate(task), of: app, limits: limits, parts: migrations.count, at: ScriptPace(objectCount: most),
            serving: slice.servedNow)
        order.served = { slice.servedNow }
        var isInNewHost = true
        order.begins = { isInNewHost = $0 == 0 }
        order.isCancelled = { migrations[0].observer.isCancelled }
        order.reported = slice.take
        order.beginsAnew = slice.takeBeginning
        let failure: any Error
        do {
            slots.take()
            defer { slots.giveBack() }
            try hosts.perform(order, read: slice.takeLast)
            return slice.results
        } catch {
            failure = error
        }
        if !isInNewHost, slice.results.isEmpty, Self.isOfMemory(failure) {
            // Tasks of before may have left something in the host, and each migration has all its memory.
            return try run(
                migrations, of: nil, lowered: script, limits: limits, toldLines: slice.toldLines)
        }
        return try slice.results(with: failure)
    }

    private static func isOfMemory(_ error: any Error) -> Bool {
        (error as? HostFailure) == .memoryLimit || (error as? MigrationError)?.script == .memoryLimit
    }
}

/// The parent's knowledge of the migrations that a host runs one after the other.
private final class SliceAtWork {
    let served: [ServedStore]
    private(set) var results: [Result<MigrationResult, MigrationError>] = []
    /// How far the one at work is.
    private(set) var progress: MigrationProgress?
    /// The line that the script was in when it told last.
    private(set) var line: Int?
    private let migrations: [ScriptedMigration]
    private let limits: ScriptLimits
    private var logBytes = 0
    private var hasBegun = false
    /// The lines of one that is not the first: where it does not count, it is run again, and its lines come again.
    private var heldLines: [(text: String, level: LogLevel)] = []
    /// The lines of the first migration that its observer has heard.
    private(set) var toldLines = 0
    /// Lines that it has heard before this run.
    private let heardLines: Int

    init(_ migrations: [ScriptedMigration], limits: ScriptLimits, toldLines: Int) {
        heardLines = toldLines
        self.migrations = migrations
        self.limits = limits
        served = migrations.map {
            ServedStore(
                $0.store, source: $0.request.source, and: $0.request.retry?.source,
                byteLimit: limits.outputLeft.writtenBytes)
        }
    }

    /// The segments of the migration at work.
    var servedNow: ServedStore { served[min(results.count, served.count - 1)] }

    /// Whether a migration behind another has begun since it was asked last.
    func takeBeginning() -> Bool {
        defer { hasBegun = false }
        return hasBegun
    }

    func take(_ report: [UInt8]) throws {
        let migration = migrations[results.count]
        switch try ScriptReport(report) {
        case .exceeded, .checking, .enumerating: throw Self.nonsense
        case .progress(let progress):
            self.progress = progress
            migration.observer.progressed(to: progress)
        case .place(let line): self.line = line
        case .line(let line, let level):
            logBytes += line.utf8.count + 1
            guard logBytes <= limits.outputLeft.logBytes else {
                throw MigrationError(exceeding: .logBytes, of: limits)
            }
            log(line, level)
        case .created: throw MigrationError(exceeding: .createdCount, of: limits)
        case .migrated(let bytes): try goOn(after: .done(bytes))
        case .refused(let bytes): try goOn(after: .refused(bytes))
        }
    }

    private func goOn(after answer: HostAnswer) throws {
        guard results.count + 1 < migrations.count else { throw Self.nonsense }
        append(try result(of: answer))
        (hasBegun, progress, line, logBytes) = (true, nil, nil, 0)
    }

    /// Takes the result of the last one, behind which a host has left none out.
    func takeLast(_ answer: HostAnswer) throws {
        guard results.count + 1 == migrations.count else { throw Self.nonsense }
        append(try result(of: answer))
    }

    /// The results where something has ended the run, with that of the one at work if it is to blame.
    ///
    /// - Throws: `MigrationError` where it is nobody's result; errors of the store.
    func results(with failure: any Error) throws -> [Result<MigrationResult, MigrationError>] {
        if let failure = failure as? HostFailure {
            switch failure {
            case .cancelled, .notStarted, .notLoaded: throw MigrationError(failure, limits: limits)
            // Remains of the migrations before it may have a part in these failures.
            case .crash, .memoryLimit, .outputLimit: guard results.isEmpty else { return results }
            case .timeLimit: break
            }
            append(.failure(MigrationError(failure, limits: limits, at: progress, line: line)))
        } else if let error = failure as? MigrationError {
            // An error of the one that is at work: it logged or created more than it may, or its memory ran out.
            guard error.script != .memoryLimit || results.isEmpty else { return results }
            append(.failure(error))
        } else {
            throw failure
        }
        return results
    }

    private func append(_ result: Result<MigrationResult, MigrationError>) {
        for line in heldLines { migrations[results.count].observer.logged(line.text, level: line.level) }
        heldLines = []
        results.append(result)
    }

    private func log(_ line: String, _ level: LogLevel) {
        guard results.isEmpty else { return heldLines.append((line, level)) }
        toldLines += 1
        if toldLines > heardLines { migrations[0].observer.logged(line, level: level) }
    }

    /// A result with what its script made.
    private func result(of answer: HostAnswer) throws -> Result<MigrationResult, MigrationError> {
        try answer.result { bytes in
            var result = try MigrationCoding.decodeResult(bytes)
            result.snapshot = try servedNow.named(result.snapshot)
            result.output = ScriptOutput(
                createdCount: try createdCount(result), writtenBytes: servedNow.writtenBytes, logBytes: logBytes)
            return result
        }
    }

    /// How many objects a script created.
    ///
    /// Believes no host that it counted them: as many at least are more now than were before.
    private func createdCount(_ result: MigrationResult) throws -> Int {
        let source = migrations[results.count].request.source
        let more = Self.objectCount(of: result.snapshot) - Self.objectCount(of: source)
        let created = max(more, result.output.createdCount)
        guard created <= limits.outputLeft.createdCount else {
            throw MigrationError(exceeding: .createdCount, of: limits)
        }
        return created
    }

    static func objectCount(of snapshot: Snapshot) -> Int { snapshot.classes.reduce(0) { $0 + $1.objectCount } }

    private static let nonsense = ColumnError.damaged(what: "a report of a migration", offset: 0)
}
