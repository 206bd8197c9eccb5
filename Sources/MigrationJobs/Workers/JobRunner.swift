import JobStore
import Problems
import RealmMigration
import StoreCore

/// Runs an attempt from the claimed job to its end in the database; what it does is the kind's.
struct JobRunner {
    let tools: JobTools
    let log: any WorkerLog
    let counter = AttemptCounter()

    private var jobs: JobStore { tools.jobs }

    /// Runs an attempt; whatever happens is written to its job, or left to the end of the lease where that fails.
    func run(_ attempt: JobAttempt) {
        let start = ContinuousClock.now
        let job = attempt.lease.job
        tell(AttemptEvent(job, .started(waited: attempt.lease.waited)))
        let end: End = end(attempt)
        tell(AttemptEvent(job, .ended(end.end, after: .now - start, problem: end.problem, retry: end.retry)))
    }

    /// How an attempt ended.
    private typealias End = (end: AttemptEvent.End, problem: String?, retry: Duration?)

    private func end(_ attempt: JobAttempt) -> End {
        do {
            let job = try run(attempt, attempt.lease.job.order.work)
            return (job.state == .cancelled ? .cancelled : .succeeded, nil, nil)
        } catch {
            return end(attempt, error)
        }
    }

    /// Tells the log of an event, and counts it.
    func tell(_ event: AttemptEvent) {
        counter.count(event)
        log.happened(event)
    }

    private func run(_ attempt: JobAttempt, _ work: some JobWork) throws -> Job {
        let (outcome, progress) = try self.work(attempt, work)
        defer { outcome.close() }
        return try insist(attempt) { try jobs.finish(attempt.lease, outcome, progress: progress) }
    }

    /// Does the work of an attempt and carries what it logged to the database; what it came to, and how far it is, are left to its end.
    private func work<Work: JobWork>(
        _ attempt: JobAttempt, _ work: Work
    ) throws -> (outcome: Work.Outcome, progress: JobProgress?) {
        let outcome = try work.run(attempt, with: tools, until: .now + work.timeLimit(tools))
        do {
            let progress = try attempt.carryReport { last in
                if let last, !last.lines.isEmpty { try insist(attempt) { try report(attempt, last) } }
                return last?.progress
            }
            guard attempt.stopCause == nil else { throw Stopped() }
            return (outcome, progress)
        } catch {
            outcome.close()
            throw error
        }
    }

    private struct Stopped: Error {}

    /// Carries what the attempt wrote down to the database, unless its end does.
    func report(_ attempt: JobAttempt) throws {
        try attempt.carryReportIfIdle { if let last = $0 { try report(attempt, last) } }
    }

    private func report(_ attempt: JobAttempt, _ report: JobAttempt.Report) throws {
        if try jobs.report(attempt.lease, progress: report.progress, lines: report.lines) {
            attempt.stop(.cancelled)
        }
    }

    /// Writes down why there is no result, and tells it.
    private func end(_ attempt: JobAttempt, _ error: any Error) -> End {
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
            try attempt.carryReport { if let last = $0 { try report(attempt, last) } }
        } catch {
            log.failed("the last log lines were not written", job: job.id, error)
        }
        do {
            let (job, pause) = try insist(attempt) { try jobs.release(attempt.lease, release) }
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

    private func release(_ job: Job, _ error: any Error) -> JobRelease {
        if let problem = ProblemDocument(ofTransient: error) { return .lost(problem, hostDied: false) }
        guard let error = error as? MigrationError else { return .failed(ProblemDocument(ending: error)) }
        switch error.script {
        case .unavailable: return .lost(ProblemDocument(error), hostDied: false)
        case .crash where job.hostLosses + 1 < MigrationMachine.hostLimit:
            return .lost(ProblemDocument(error), hostDied: true)
        case .crash:
            var last = error
            last.message = "In \(MigrationMachine.hostLimit) attempts the host of the script died. \(error.message)"
            return .failed(ProblemDocument(last))
        default: return .failed(ProblemDocument(error))
        }
    }

    /// Tries again where the database is away for a moment, for as long as the attempt has its lease.
    ///
    /// Its work should not be done again for want of a second. One that is told to stop hurries.
    private func insist<Result>(_ attempt: JobAttempt, _ body: () throws -> Result) throws -> Result {
        var pause = Duration.milliseconds(50)
        var hurriedTries = 0
        while true {
            do {
                return try body()
            } catch  where ProblemDocument(ofTransient: error) != nil {
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
