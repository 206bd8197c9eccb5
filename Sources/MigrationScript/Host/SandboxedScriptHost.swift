import Columns
import RealmMigration
import RealmModel

/// Runs migrations with a script in child processes that have no file system, no network and bounded memory.
public struct SandboxedScriptHost: ScriptHost {
    private let executable: String
    private let rowGroups: RowGroupLimits
    private let usesColumns: Bool

    /// Runs scripts by a program whose `host` command calls `HostMain.run`; this program itself unless said otherwise.
    ///
    /// - Parameters:
    ///   - executable: the program.
    ///   - rowGroups: the size of new row groups.
    public init(executable: String = "/proc/self/exe", rowGroups: RowGroupLimits = .standard) {
        self.init(executable: executable, rowGroups: rowGroups, usesColumns: true)
    }

    /// - Parameter usesColumns: false makes scripts read and write value by value, for comparison.
    init(executable: String, rowGroups: RowGroupLimits = .standard, usesColumns: Bool) {
        self.executable = executable
        self.rowGroups = rowGroups
        self.usesColumns = usesColumns
    }

    /// Runs a migration in a new host and waits for its end.
    public func run(
        _ request: MigrationRequest, script: ScriptSource, limits: ScriptLimits, store: any SegmentStore,
        observer: any MigrationObserver
    ) throws -> MigrationResult {
        let hostLimits = HostLimits(limits, rowGroups: rowGroups)
        let task = MigrationTask(limits: hostLimits, request: request, script: script, usesColumns: usesColumns)
        let served = ServedStore(store, source: request.source)
        do {
            let session = HostSession(
                try HostProcess(executable: executable), serving: served,
                supervision: HostSession.Supervision(limits, observer: observer))
            return try result(of: try session.run(.migrate(task)), in: session, served: served)
        } catch let failure as HostFailure {
            throw MigrationError(failure, limits: limits)
        }
    }

    private func result(
        of frame: Frame, in session: HostSession, served: ServedStore
    ) throws -> MigrationResult {
        switch frame.kind {
        case .migrated:
            return try session.believed {
                var result = try MigrationCoding.decodeResult(frame.payload)
                result.snapshot = try served.named(result.snapshot)
                return result
            }
        case .migrationFailed: throw try session.believed { try MigrationCoding.decodeError(frame.payload) }
        default: throw try session.failure(toldBy: frame)
        }
    }
}

extension HostSession.Supervision {
    init(_ limits: ScriptLimits, observer: any MigrationObserver) {
        self.init(
            timeoutSeconds: limits.timeoutSeconds, isCancelled: { observer.isCancelled },
            progressed: { observer.progressed(to: $0) }, logged: { observer.logged($0) })
    }
}

extension HostLimits {
    /// A script's limits, as the host sets them itself: the processor's time is that of several threads.
    init(_ limits: ScriptLimits, rowGroups: RowGroupLimits) {
        let seconds = min(max(limits.timeoutSeconds, 1), 1e8)
        self.init(
            processorSeconds: Int(seconds) * 4 + 10, memoryBytes: max(limits.memoryBytes, 16 << 20),
            rowGroups: rowGroups)
    }
}
