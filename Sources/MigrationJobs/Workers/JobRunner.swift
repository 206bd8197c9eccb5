import Problems
import SnapshotStore

/// Runs an attempt from the claimed job to its end in the database; what it does is the kind's.
struct JobRunner {
    let tools: JobTools
    let configuration: WorkerConfiguration
    let log: any WorkerLog

    private var store: SnapshotStore { tools.store }

    /// Runs an attempt; whatever happens is written to the job, or left to the end of the lease where that fails.
    func run(_ attempt: JobAttempt) {
        do {
            try run(attempt, attempt.lease.job.order.work)
        } catch {
            end(attempt, error)
        }
    }

    private func run(_ attempt: JobAttempt, _ work: some JobWork) throws {
        let outcome = try work.run(attempt, with: tools, until: .now + work.timeLimit(tools))
        defer { outcome.close() }
        let last = attempt.takeReport()
        if let lines = last?.lines, !lines.isEmpty { try report(attempt, (last?.progress, lines)) }
        guard attempt.stopCause == nil else { throw Stopped() }
        try insist(attempt) { _ = try store.jobs.finish(attempt.lease, outcome, progress: last?.progress) }
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

    /// Writes down why there is no result.
    private func end(_ attempt: JobAttempt, _ error: any Error) {
        let job = attempt.lease.job
        if case .leaseLost? = error as? StoreError {
            return log.failed("the attempt counts no more", job: job.id, error)
        }
        let release: JobRelease
        switch attempt.stopCause {
        case .leaseLost: return log.failed("the lease was lost", job: job.id, error)
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
            try insist(attempt) { _ = try store.jobs.release(attempt.lease, release) }
        } catch {
            // The lease runs out and the job is claimed again.
            log.failed("the end of the attempt was not written", job: job.id, error)
        }
    }

    private static func ending(_ release: JobRelease) -> String {
        if case .retry = release { "the attempt failed and the job is tried again" } else { "the job failed" }
    }

    private func release(_ job: Job, _ error: any Error) -> JobRelease {
        guard isTransient(error) else { return .failed(ProblemDocument(ending: error)) }
        guard job.attempt < job.attemptLimit else {
            return .failed(
                ProblemDocument(503, "database_unavailable", "The database failed in each of the job's attempts."))
        }
        return .retry(after: configuration.backoff(afterAttempt: job.attempt))
    }

    private func isTransient(_ error: any Error) -> Bool { store.isTransient(error) }

    /// Tries again for a while where the database is away for a moment; an attempt that is told to stop hurries.
    private func insist(_ attempt: JobAttempt, _ body: () throws -> Void) throws {
        for pause in [Duration.milliseconds(50), .milliseconds(200), .seconds(1)] {
            do {
                return try body()
            } catch  where isTransient(error) {
                attempt.pause(pause)
            }
        }
        try body()
    }
}
