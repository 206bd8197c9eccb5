import Problems
import RealmMigration
import SnapshotStore

/// Runs an attempt from the claimed job to its end in the database; what it does is the kind's.
struct JobRunner {
    let tools: JobTools
    let log: any WorkerLog
    let counter = AttemptCounter()

    private var store: SnapshotStore { tools.store }

    /// Runs an attempt; whatever happens is written to the job, or left to the end of the lease where that fails.
    func run(_ attempt: JobAttempt) {
        let start = ContinuousClock.now
        tell(AttemptEvent(attempt.lease.job, .started(waited: attempt.lease.waited)))
        let (end, problem, retry): (AttemptEvent.End, String?, Duration?)
        do {
            let job = try run(attempt, attempt.lease.job.order.work)
            (end, problem, retry) = (job.state == .cancelled ? .cancelled : .succeeded, nil, nil)
        } catch {
            (end, problem, retry) = self.end(attempt, error)
        }
        tell(
            AttemptEvent(
                attempt.lease.job, .ended(end, after: .now - start, problem: problem, retry: retry)))
    }

    /// Tells the log of an event, and counts it.
    func tell(_ event: AttemptEvent) {
        counter.count(event)
        log.happened(event)
    }

    private func run(_ attempt: JobAttempt, _ work: some JobWork) throws -> Job {
        let outcome = try work.run(attempt, with: tools, until: .now + work.timeLimit(tools))
        defer { outcome.close() }
        let last = attempt.takeReport()
        if let lines = last?.lines, !lines.isEmpty {
            try insist(attempt) { try report(attempt, (last?.progress, lines)) }
        }
        guard attempt.stopCause == nil else { throw Stopped() }
        return try insist(attempt) { try store.jobs.finish(attempt.lease, outcome, progress: last?.progress) }
    }

    private struct Stopped: Error {}

    /// Carries what the attempt wrote down to the database.
    func report(_ attempt: JobAttempt) throws {
        if let report = attempt.takeReport() { try self.report(attempt, report) }
    }

    private func report(_ attempt: JobAttempt, _ report: (progress: JobProgress?, lines: JobLogLines)) throws {
        if try store.jobs.report(attempt.lease, progress: report.progress, lines: report.lines) {
            attempt.stop(.cancelled)
        }
    }

    /// Writes down why there is no result, and tells it.
    private func end(
        _ attempt: JobAttempt, _ error: any Error
    ) -> (AttemptEvent.End, problem: String?, retry: Duration?) {
        let job = attempt.lease.job
        if case .leaseLost? = error as? StoreError {
            log.failed("the attempt counts no more", job: job.id, error)
            return (.leaseLost, nil, nil)
        }
        let release: JobRelease
        switch attempt.stopCause {
        case .leaseLost:
            log.failed("the lease was lost", job: job.id, error)
            return (.leaseLost, nil, nil)
        case .cancelled: release = .cancelled
        case .shutdown: release = .handBack
        case nil:
            release = self.release(job, error)
            log.failed(Self.ending(release), job: job.id, error)
        }
        do {
            try report(attempt)
        } catch {
            log.failed("the last log lines were not written", job: job.id, error)
        }
        do {
            let (job, pause) = try insist(attempt) { try store.jobs.release(attempt.lease, release) }
            return (release.end(of: job), release.problem?.code, job.state == .queued ? pause : nil)
        } catch {
            // The lease runs out and the job is claimed again.
            log.failed("the end of the attempt was not written", job: job.id, error)
            return (.leaseLost, release.problem?.code, nil)
        }
    }

    private static func ending(_ release: JobRelease) -> String {
        if case .lost = release { "the attempt was lost and the job is tried again" } else { "the job failed" }
    }

    /// Hosts that one script may lose: whose fault the first was nobody knows, and the third is the script's.
    private static let hostLimit = 3

    private func release(_ job: Job, _ error: any Error) -> JobRelease {
        if let problem = store.problem(ofLoss: error) { return .lost(problem, hostDied: false) }
        guard let error = error as? MigrationError else { return .failed(ProblemDocument(ending: error)) }
        switch error.script {
        case .unavailable: return .lost(ProblemDocument(error), hostDied: false)
        case .crash where job.hostLosses + 1 < Self.hostLimit: return .lost(ProblemDocument(error), hostDied: true)
        case .crash:
            var last = error
            last.message = "In \(Self.hostLimit) attempts the host of the script died. \(error.message)"
            return .failed(ProblemDocument(last))
        default: return .failed(ProblemDocument(error))
        }
    }

    /// Tries again where the database is away for a moment, for as long as the attempt has its lease.
    ///
    /// What it has done is not to be done again for want of a second. One that is told to stop hurries.
    private func insist<Result>(_ attempt: JobAttempt, _ body: () throws -> Result) throws -> Result {
        var pause = Duration.milliseconds(50)
        var hurriedTries = 0
        while true {
            do {
                return try body()
            } catch  where store.problem(ofLoss: error) != nil {
                hurriedTries += attempt.stopCause == nil ? 0 : 1
                guard attempt.stopCause != .leaseLost, hurriedTries < 3 else { throw error }
                attempt.pause(pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
    }
}

extension JobRelease {
    fileprivate var problem: ProblemDocument? {
        switch self {
        case .failed(let problem), .lost(let problem, _): problem
        case .cancelled, .handBack: nil
        }
    }

    /// How the attempt ended that was released with it.
    fileprivate func end(of job: Job) -> AttemptEvent.End {
        switch self {
        case .failed: .failed
        case .cancelled: .cancelled
        case .lost: job.state == .queued ? .lost : .cancelled
        case .handBack: job.state == .queued ? .handedBack : .cancelled
        }
    }
}
