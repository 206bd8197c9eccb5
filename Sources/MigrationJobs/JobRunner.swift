import Columns
import Foundation
import Problems
import RealmMigration
import RealmModel
import SnapshotStore

/// Runs an attempt from the claimed job to its end in the database.
struct JobRunner {
    let store: SnapshotStore
    let host: (any ScriptHost)?
    let configuration: WorkerConfiguration
    let log: any WorkerLog

    /// Runs an attempt; whatever happens is written to the job, or left to the end of the lease where that fails.
    func run(_ attempt: JobAttempt) {
        let lease = attempt.lease
        do {
            let segments = store.segments(for: lease)
            defer { segments.close() }
            let outcome = try outcome(of: attempt, segments)
            let last = attempt.takeReport()
            if let lines = last?.lines, !lines.isEmpty { try report(attempt, (last?.progress, lines)) }
            guard attempt.stopCause == nil else { throw Stopped() }
            try insist { _ = try store.finish(lease, outcome, store: segments, progress: last?.progress) }
        } catch {
            end(attempt, error)
        }
    }

    private struct Stopped: Error {}

    /// Carries what the attempt wrote down to the database.
    func report(_ attempt: JobAttempt) throws {
        if let report = attempt.takeReport() { try self.report(attempt, report) }
    }

    private func report(_ attempt: JobAttempt, _ report: (progress: JobProgress?, lines: JobLogLines)) throws {
        if try store.report(attempt.lease, progress: report.progress, lines: report.lines) { attempt.stop(.cancelled) }
    }

    private func outcome(of attempt: JobAttempt, _ segments: PostgresSegmentStore) throws -> JobOutcome {
        let job = attempt.lease.job
        attempt.progressed(to: MigrationProgress(phase: "prepare"))
        let opened = try store.open(job.sourceSnapshot)
        let source = opened.snapshot
        let steps = try JobSteps(job.request, app: job.app, from: source.schemaVersion, store: store)
        try store.setPlan(steps.plan(limits: configuration.scriptLimits), of: attempt.lease)
        let deadline = ContinuousClock.now + .seconds(timeout(of: job))
        let attemptStore = AttemptStore(segments, attempt)
        if steps.steps.contains(where: { $0.script != nil }) { try segments.preload(opened) }
        for warning in steps.warnings(source: source) { attempt.logged(warning, level: .warn) }
        var current = source
        for step in steps.steps {
            let request = steps.migrationRequest(step, source: current)
            let result = try within(step, of: steps, job) {
                try run(request, step, until: deadline, attemptStore, attempt)
            }
            for warning in result.warnings { attempt.logged(warning, level: .warn) }
            if !result.isUnchanged { current = result.snapshot }
        }
        let count = current.classes.reduce(0) { $0 + $1.objectCount }
        attempt.progressed(to: MigrationProgress(phase: "commit", objectsDone: count, objectsTotal: count))
        if job.request.dryRun { return .dryRun }
        return current == source ? .unchanged : .migrated(current)
    }

    /// Runs a step and has its errors say whose script or schema it was, and the limit that the job has.
    private func within<Result>(_ step: JobSteps.Step, of steps: JobSteps, _ job: Job, _ body: () throws -> Result)
        throws
        -> Result
    {
        do {
            return try body()
        } catch var error as MigrationError {
            if error.script == .timeLimit {
                // The host knows what was left of the limit and no more.
                error.message = Self.timeout(timeout(of: job), steps.steps.count)
                for index in error.details.indices { error.details[index].message = error.message }
            }
            if error.details.isEmpty, steps.steps.count > 1 { error.details = [ProblemItem(error.message)] }
            for index in error.details.indices where error.details[index].step == nil {
                error.details[index].step = step.version
            }
            throw error
        }
    }

    private static func timeout(_ seconds: Double, _ steps: Int) -> String {
        let limit = seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds))" : "\(seconds)"
        return (steps == 1 ? "The script" : "The scripts of the \(steps) steps together")
            + " ran longer than the limit of \(limit) s."
    }

    private func run(
        _ request: MigrationRequest, _ step: JobSteps.Step, until deadline: ContinuousClock.Instant,
        _ segments: AttemptStore, _ attempt: JobAttempt
    ) throws -> MigrationResult {
        guard let script = step.script else {
            return try Migration(request, store: segments).run(script: nil) { attempt.progressed(to: $0) }
        }
        guard let host else {
            throw MigrationError(
                nil, "The worker that took the job has no script host: it runs migrations without a script only.",
                script: .crash)
        }
        // The limit is the job's: what earlier steps took is not there for later ones.
        let seconds = (deadline - .now) / .seconds(1)
        guard seconds > 0 else {
            throw MigrationError(nil, "No time was left for the step.", script: .timeLimit)
        }
        let memory = attempt.lease.job.request.memoryBytes ?? configuration.scriptLimits.memoryBytes
        return try host.run(
            request, of: attempt.lease.job.appID, script: script,
            limits: ScriptLimits(timeoutSeconds: seconds, memoryBytes: memory), store: segments, observer: attempt)
    }

    private func timeout(of job: Job) -> Double {
        job.request.timeoutSeconds ?? configuration.scriptLimits.timeoutSeconds
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
            try insist { _ = try store.release(attempt.lease, release) }
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

    /// Tries again for a while where the database is away for a moment.
    private func insist(_ body: () throws -> Void) throws {
        for pause in [0.05, 0.2, 1.0] {
            do {
                return try body()
            } catch  where isTransient(error) {
                Thread.sleep(forTimeInterval: pause)
            }
        }
        try body()
    }
}
