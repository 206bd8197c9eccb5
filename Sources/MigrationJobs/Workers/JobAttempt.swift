import Columns
import JobStore
import RealmMigration
import RealmModel
import Synchronization
import Threads

/// One run of a job in this process: what it reports, and why it is to stop.
///
/// The thread that runs the migration only writes things down here; the pool's threads carry them to the database.
final class JobAttempt: MigrationObserver, Sendable {
    /// Why an attempt is to stop.
    enum StopCause {
        /// The job was asked to stop.
        case cancelled
        /// This process is shutting down.
        case shutdown
        /// Another attempt has the job, or could have it: the lease was not renewed in time.
        case leaseLost
    }

    private struct State {
        var stopCause: StopCause?
        var renewedAt = ContinuousClock.now
        var pace = ProgressPace()
        var progress: JobProgress?
        var lines = JobLogLines()
        /// The lines that functions have logged.
        var functionLog: FunctionLog?
    }

    let lease: JobLease
    private let duration: Duration
    private let state = Monitor(State())
    /// Held from when a report is taken until the database has it.
    private let carrying = Mutex(())

    /// - Parameter duration: how long the lease lasts without being renewed.
    init(_ lease: JobLease, duration: Duration) {
        self.lease = lease
        self.duration = duration
    }

    /// Why the attempt is to stop; nil while it may go on.
    ///
    /// An attempt whose heartbeat has failed for as long as the lease lasts stops by itself.
    var stopCause: StopCause? {
        state.withLock { state in
            if state.stopCause == nil, ContinuousClock.now - state.renewedAt > duration {
                state.stopCause = .leaseLost
            }
            return state.stopCause
        }
    }

    var isCancelled: Bool { stopCause != nil }

    /// Asks the attempt to stop; the first cause counts, but a lost lease beats all.
    func stop(_ cause: StopCause) {
        state.change { if $0.stopCause == nil || cause == .leaseLost { $0.stopCause = cause } }
    }

    /// Waits for some time, or until the attempt is to stop.
    func pause(_ time: Duration) {
        state.wait(timeout: time) { $0.stopCause != nil }
    }

    /// The lease was renewed by a heartbeat that began at `moment`.
    func renewed(at moment: ContinuousClock.Instant) {
        state.withLock { $0.renewedAt = moment }
    }

    func progressed(to progress: MigrationProgress) {
        state.withLock { $0.progress = $0.pace.progress(progress, at: .now) }
    }

    func logged(_ line: String, level: LogLevel) {
        state.withLock { $0.lines.append(line, level: level) }
    }

    /// Who calls functions in the attempt: their console is the job's log.
    func functionCaller(limits: FunctionLimits = FunctionLimits()) -> FunctionCaller {
        FunctionCaller(
            app: lease.job.appID, limits: limits, isCancelled: { self.isCancelled },
            logged: { try self.loggedByFunction($0, $1, limits) })
    }

    private func loggedByFunction(_ line: String, _ level: LogLevel, _ limits: FunctionLimits) throws {
        try state.withLock { state in
            var log = state.functionLog ?? FunctionLog(limit: limits.logBytes)
            defer { state.functionLog = log }
            try log.count(line)
            state.lines.append(line, level: level)
        }
    }

    /// The progress and lines since the last report.
    typealias Report = (progress: JobProgress?, lines: JobLogLines)

    /// Lends a body what is to be carried to the database, nil where there is nothing, after whoever else carries some has done so.
    ///
    /// The end of an attempt comes by here, too: lines that another thread has taken must be there before the lease is gone.
    func carryReport<Result>(_ body: (Report?) throws -> Result) rethrows -> Result {
        try carrying.withLock { _ in try body(takeReport()) }
    }

    /// Does the same unless somebody else carries a report.
    func carryReportIfIdle(_ body: (Report?) throws -> Void) rethrows {
        try carrying.withLockIfAvailable { _ in try body(takeReport()) }
    }

    private func takeReport() -> Report? {
        state.withLock { state in
            guard state.progress != nil || !state.lines.isEmpty else { return nil }
            defer {
                state.progress = nil
                state.lines = JobLogLines()
            }
            return (state.progress, state.lines)
        }
    }
}

/// Works out how fast a phase goes.
public struct ProgressPace: Sendable {
    private var start: (progress: MigrationProgress, moment: ContinuousClock.Instant)?

    /// Knows of no phase yet.
    public init() {}

    /// The progress with its speed since the phase and class began.
    public mutating func progress(_ progress: MigrationProgress, at moment: ContinuousClock.Instant) -> JobProgress {
        var report = JobProgress(
            phase: progress.phase, className: progress.className, objectsDone: progress.objectsDone,
            objectsTotal: progress.objectsTotal)
        guard let start, start.progress.phase == progress.phase, start.progress.className == progress.className,
            start.progress.objectsDone <= progress.objectsDone
        else {
            start = (progress, moment)
            return report
        }
        let seconds = (moment - start.moment) / .seconds(1)
        let done = progress.objectsDone - start.progress.objectsDone
        guard seconds >= 0.05, done > 0 else { return report }
        let speed = Double(done) / seconds
        report.objectsPerSecond = speed.rounded()
        report.etaSeconds = (Double(max(progress.objectsTotal - progress.objectsDone, 0)) / speed * 10).rounded() / 10
        return report
    }
}
