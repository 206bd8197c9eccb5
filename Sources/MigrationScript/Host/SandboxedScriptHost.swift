import Columns
import RealmMigration
import RealmModel

/// Runs migrations with a script in child processes that have no file system, no network and bounded memory.
public struct SandboxedScriptHost: ScriptHost, ScriptChecker {
    private let hosts: HostPool
    private let rowGroups: RowGroupLimits
    private let usesColumns: Bool
    private let suppliesSegments: Bool

    /// Runs scripts in a pool's hosts; by default each in a new one of this program itself.
    ///
    /// - Parameter rowGroups: the size of new row groups.
    public init(hosts: HostPool = HostPool(), rowGroups: RowGroupLimits = .standard) {
        self.init(hosts: hosts, rowGroups: rowGroups, usesColumns: true, suppliesSegments: true)
    }

    /// Runs scripts by longer ways, for comparison.
    ///
    /// - Parameters:
    ///   - usesColumns: false makes scripts read and write value by value.
    ///   - suppliesSegments: false makes hosts ask for the segments of small realms too.
    init(hosts: HostPool, rowGroups: RowGroupLimits = .standard, usesColumns: Bool, suppliesSegments: Bool) {
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
        let served = ServedStore(store, source: request.source)
        var task = MigrationTask(rowGroups: rowGroups, request: request, script: script, usesColumns: usesColumns)
        if suppliesSegments { task.supplies = try SegmentSupplies(of: request.source) { try served.answer($0) } }
        var supervision = HostSession.Supervision(limits, observer: observer)
        var last: MigrationProgress?
        supervision.progressed = {
            last = $0
            observer.progressed(to: $0)
        }
        let order = HostPool.Order(
            profile: HostProfile(.migrations, memoryBytes: limits.memoryBytes), app: app,
            processorSeconds: limits.processorSeconds, served: served, supervision: supervision)
        do {
            return try hosts.perform(.migrate(task), order) { try Self.result(of: $0, in: $1, served: served) }.get()
        } catch let failure as HostFailure {
            throw MigrationError(failure, limits: limits, at: last)
        }
    }

    /// Checks a script in a host and waits for the answer.
    public func check(_ script: ScriptSource, of app: UUID?, limits: ScriptLimits) throws {
        let order = HostPool.Order(
            profile: HostProfile(.migrations, memoryBytes: limits.memoryBytes), app: app,
            processorSeconds: limits.processorSeconds, served: ServedStore(MemorySegmentStore(), source: nil),
            supervision: HostSession.Supervision(timeoutSeconds: limits.timeoutSeconds, isCancelled: { false }))
        do {
            let failure: MigrationError? = try hosts.perform(.check(script), order) { frame, session in
                switch frame.kind {
                case .checked: nil
                case .migrationFailed: try session.believed { try MigrationCoding.decodeError(frame.payload) }
                default: throw try session.failure(toldBy: frame)
                }
            }
            if let failure { throw failure }
        } catch let failure as HostFailure {
            throw MigrationError(failure, limits: limits)
        }
    }

    /// A result, or the error of a script whose host has done its duty.
    private static func result(
        of frame: Frame, in session: HostSession, served: ServedStore
    ) throws -> Result<MigrationResult, MigrationError> {
        switch frame.kind {
        case .migrated:
            return try session.believed {
                var result = try MigrationCoding.decodeResult(frame.payload)
                result.snapshot = try served.named(result.snapshot)
                return .success(result)
            }
        case .migrationFailed:
            let error = try session.believed { try MigrationCoding.decodeError(frame.payload) }
            // A host whose memory ran out once is none to begin another task in.
            if error.script == .memoryLimit { throw error }
            return .failure(error)
        default: throw try session.failure(toldBy: frame)
        }
    }
}

extension HostSession.Supervision {
    init(_ limits: ScriptLimits, observer: any MigrationObserver) {
        self.init(
            timeoutSeconds: limits.timeoutSeconds, isCancelled: { observer.isCancelled },
            progressed: { observer.progressed(to: $0) }, logged: { observer.logged($0, level: $1) })
    }
}

extension ScriptLimits {
    /// Processor time in seconds: that of several threads.
    var processorSeconds: Int { Int(min(max(timeoutSeconds, 1), 1e8)) * 4 + 10 }
}
