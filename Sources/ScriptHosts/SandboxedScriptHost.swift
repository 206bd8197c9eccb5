import Columns
import RealmMigration
import RealmModel
import Sandbox
import SwiftScripts

/// Runs migrations with a script in child processes that have no file system, no network and bounded memory.
public struct SandboxedScriptHost: ScriptHost, ScriptChecker {
    let hosts: HostPool
    let rowGroups: RowGroupLimits
    let usesColumns: Bool
    private let suppliesSegments: Bool
    /// Makes of Swift what hosts run.
    let swift: SwiftFrontEnd

    /// Runs scripts in a pool's hosts; by default each in a new one.
    ///
    /// - Parameters:
    ///   - hosts: run the scripts.
    ///   - rowGroups: the size of new row groups.
    ///   - swift: reads Swift scripts.
    public init(
        hosts: HostPool = HostPool(runningScripts: .none), rowGroups: RowGroupLimits = .standard,
        swift: SwiftFrontEnd = SwiftFrontEnd()
    ) {
        self.init(hosts: hosts, rowGroups: rowGroups, usesColumns: true, suppliesSegments: true, swift: swift)
    }

    /// Runs scripts by longer ways, for comparison.
    ///
    /// - Parameters:
    ///   - usesColumns: false makes scripts read and write value by value.
    ///   - suppliesSegments: false makes hosts ask for the segments of small realms too.
    init(
        hosts: HostPool, rowGroups: RowGroupLimits = .standard, usesColumns: Bool, suppliesSegments: Bool,
        swift: SwiftFrontEnd = SwiftFrontEnd()
    ) {
        self.swift = swift
        self.hosts = hosts
        self.rowGroups = rowGroups
        self.usesColumns = usesColumns
        self.suppliesSegments = suppliesSegments
    }

    /// Runs a migration in a host and waits for its end.
    public func run(
        _ request: MigrationRequest, of app: UUID?, script: ScriptSource, limits: ScriptLimits,
        store: any SegmentStore, observer: any MigrationObserver
    ) throws -> MigrationResult {
        let lowered = try LoweredSwift(script, by: swift, of: app, timeoutSeconds: limits.timeoutSeconds)
        do {
            return lowered.placed(
                try run(request, of: app, lowered: lowered.script, limits: limits, store: store, observer: observer))
        } catch let error as MigrationError {
            throw lowered.placed(error)
        }
    }

    private func run(
        _ request: MigrationRequest, of app: UUID?, lowered script: ScriptSource, limits: ScriptLimits,
        store: any SegmentStore, observer: any MigrationObserver
    ) throws -> MigrationResult {
        let left = limits.outputLeft
        let served = ServedStore(
            store, source: request.source, and: request.retry?.source, byteLimit: left.writtenBytes)
        var task = MigrationTask(
            rowGroups: rowGroups, request: request, script: script, createdLimit: left.createdCount,
            usesColumns: usesColumns)
        if suppliesSegments { task.supplies = try SegmentSupplies(of: request.source, from: served) }
        var last: MigrationProgress?
        var logBytes = 0
        var order = Self.order(.migrate(task), of: app, limits: limits, serving: served)
        order.isCancelled = { observer.isCancelled }
        order.reported = { report in
            switch try ScriptReport(report) {
            case .progress(let progress):
                last = progress
                observer.progressed(to: progress)
            case .line(let line, let level):
                logBytes += line.utf8.count + 1
                guard logBytes <= left.logBytes else { throw MigrationError(exceeding: .logBytes, of: limits) }
                observer.logged(line, level: level)
            case .created: throw MigrationError(exceeding: .createdCount, of: limits)
            case .exceeded, .began, .migrated, .refused, .checking:
                throw ColumnError.damaged(what: "a report of a migration", offset: 0)
            }
        }
        do {
            return try hosts.perform(order) { answer in
                try Self.counted(try Self.result(of: answer, served: served), request, served, logBytes, limits)
            }.get()
        } catch let failure as HostFailure {
            throw MigrationError(failure, limits: limits, at: last)
        }
    }

    /// Checks a script in a host and waits for the answer.
    public func check(_ script: ScriptSource, of app: UUID?, limits: ScriptLimits) throws {
        let lowered = try LoweredSwift(script, by: swift, of: app, timeoutSeconds: limits.timeoutSeconds)
        let served = ServedStore(MemorySegmentStore(), source: nil)
        var order = Self.order(.check(lowered.script), of: app, limits: limits, serving: served)
        try order.waitForTurn(of: .current)
        let excess = order.end(with: .current)
        do {
            let failure: MigrationError? = try hosts.perform(order) { answer in
                switch answer {
                case .done: nil
                case .refused(let bytes): try MigrationCoding.decodeError(bytes)
                }
            }
            if let failure { throw lowered.placed(failure) }
        } catch let failure as HostFailure {
            if let excess = excess() { throw excess }
            throw MigrationError(failure, limits: limits)
        }
    }

    static func order(
        _ task: ScriptTask, of app: UUID?, limits: ScriptLimits, parts: Int = 1,
        serving served: ServedStore
    ) -> HostOrder {
        HostOrder(
            ScriptTask.roleName, task.bytes,
            limits: HostLimits(
                timeoutSeconds: limits.timeoutSeconds, memoryBytes: limits.memoryBytes, parts: parts), of: app,
            serving: served)
    }

    /// A result with what its script made.
    ///
    /// Believes no host that it counted what its script created: as many at least are more now than were before.
    static func counted(
        _ result: Result<MigrationResult, MigrationError>, _ request: MigrationRequest, _ served: ServedStore,
        _ logBytes: Int, _ limits: ScriptLimits
    ) throws -> Result<MigrationResult, MigrationError> {
        guard case .success(var migrated) = result else { return result }
        func count(_ snapshot: Snapshot) -> Int { snapshot.classes.reduce(0) { $0 + $1.objectCount } }
        let created = max(count(migrated.snapshot) - count(request.source), migrated.output.createdCount)
        guard created <= limits.outputLeft.createdCount else {
            throw MigrationError(exceeding: .createdCount, of: limits)
        }
        migrated.output = ScriptOutput(
            createdCount: created, writtenBytes: served.writtenBytes, logBytes: logBytes)
        return .success(migrated)
    }

    /// A result, or the error of a script whose host has done its duty.
    static func result(
        of answer: HostAnswer, served: ServedStore
    ) throws -> Result<MigrationResult, MigrationError> {
        switch answer {
        case .done(let bytes):
            var result = try MigrationCoding.decodeResult(bytes)
            result.snapshot = try served.named(result.snapshot)
            return .success(result)
        case .refused(let bytes):
            let error = try MigrationCoding.decodeError(bytes)
            // A host whose memory ran out once is none to begin another task in.
            if error.script == .memoryLimit { throw error }
            return .failure(error)
        }
    }
}
