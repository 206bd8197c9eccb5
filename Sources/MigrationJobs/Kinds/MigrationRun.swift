import Columns
import RealmComparison
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore

/// One run of a migration job's steps.
struct MigrationRun {
    private let order: MigrationOrder
    private let limits: ScriptLimits
    private let deadline: ContinuousClock.Instant
    private let tools: JobTools
    private let attempt: JobAttempt
    private let segments: PostgresSegmentStore

    init(
        _ order: MigrationOrder, limits: ScriptLimits, deadline: ContinuousClock.Instant, tools: JobTools,
        attempt: JobAttempt, segments: PostgresSegmentStore
    ) {
        self.order = order
        self.limits = limits
        self.deadline = deadline
        self.tools = tools
        self.attempt = attempt
        self.segments = segments
    }

    /// Runs the steps one after the other.
    ///
    /// - Returns: what is to become of the realm.
    func change() throws -> MigrationOutcome.Change {
        let began = ContinuousClock.now
        attempt.progressed(to: MigrationProgress(phase: "prepare"))
        guard order.isExclusive else { return try additions(since: began) }
        let opened = try tools.store.snapshots.open(order.sourceSnapshot)
        let steps = try steps(from: opened)
        if steps.steps.contains(where: { $0.script != nil }) { try segments.preload(opened) }
        var warnings = steps.warnings(source: opened.snapshot)
        for warning in warnings { attempt.logged(warning, level: .warn) }
        let origin = ScriptOrigin(source: opened.info.id, time: opened.info.createdAt)
        let attemptStore = AttemptStore(segments, attempt)
        var current = opened.snapshot
        for step in steps.steps {
            let request = steps.migrationRequest(step, source: current, origin: origin)
            let result = try within(step, of: steps) { try run(request, step, attemptStore) }
            for warning in result.warnings { attempt.logged(warning, level: .warn) }
            warnings += result.warnings
            if !result.isUnchanged { current = result.snapshot }
        }
        let count = current.classes.reduce(0) { $0 + $1.objectCount }
        attempt.progressed(to: MigrationProgress(phase: "commit", objectsDone: count, objectsTotal: count))
        if order.request.dryRun { return try rehearsed(opened.snapshot, current, attemptStore, since: began, warnings) }
        return current == opened.snapshot ? .unchanged : .migrated(current)
    }

    /// What adds to the schema of a synced realm; tried on what is current now, so that what is refused is refused early.
    private func additions(since began: ContinuousClock.Instant) throws -> MigrationOutcome.Change {
        let opened = try tools.store.snapshots.openCurrent(of: order.realm, in: attempt.lease.job.app)
        let steps = try steps(from: opened)
        let store = AttemptStore(segments, attempt)
        let grown = try grown(opened.snapshot, by: steps, store)
        attempt.progressed(to: MigrationProgress(phase: "commit"))
        guard order.request.dryRun else { return .additions { try self.grown($0, by: steps, store) } }
        return try rehearsed(opened.snapshot, grown ?? opened.snapshot, store, since: began, [])
    }

    /// What a rehearsal found, and what it leaves to be looked at.
    private func rehearsed(
        _ source: Snapshot, _ result: Snapshot, _ store: AttemptStore, since began: ContinuousClock.Instant,
        _ warnings: [String]
    ) throws -> MigrationOutcome.Change {
        let rehearsal = try Rehearsal(from: source, to: result, store: store)
        let report =
            rehearsal.json(from: source.declared, to: result.declared) + [
                JSONMember("warnings", .array(warnings.map { .string($0) })),
                JSONMember("durationSeconds", .double((ContinuousClock.now - began) / .seconds(1))),
            ]
        return .rehearsed(result == source || !order.isExclusive ? nil : result, report: .object(report))
    }

    /// A snapshot with the additions of all steps; nil where it has them.
    private func grown(_ source: Snapshot, by steps: MigrationSteps, _ store: AttemptStore) throws -> Snapshot? {
        try steps.check(source: source)
        var current = source
        for step in steps.steps {
            current = try within(step, of: steps) {
                try run(steps.migrationRequest(step, source: current), step, store).snapshot
            }
        }
        return current == source ? nil : current
    }

    /// The steps as they are declared now, which the job says if it does not yet.
    private func steps(from source: OpenSnapshot) throws -> MigrationSteps {
        let steps = try MigrationSteps(
            order.request, app: attempt.lease.job.app, of: source.info.realmKind, from: source.snapshot.schemaVersion,
            store: tools.store)
        try steps.check(source: source.snapshot)
        let plan = steps.plan(limits: limits)
        if plan != order.plan { try tools.store.jobs.setPlan(plan, of: attempt.lease) }
        return steps
    }

    /// Runs a step and has its errors say whose script or schema it was, and the limit that the job has.
    private func within<Result>(
        _ step: MigrationSteps.Step, of steps: MigrationSteps, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch var error as MigrationError {
            if error.script == .timeLimit {
                // The host knows what was left of the limit and no more.
                error.message = Self.timeout(limits.timeoutSeconds, steps.steps.count)
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
        _ request: MigrationRequest, _ step: MigrationSteps.Step, _ store: AttemptStore
    ) throws -> MigrationResult {
        guard let script = step.script else {
            return try Migration(request, store: store).run(script: nil) { attempt.progressed(to: $0) }
        }
        guard let host = tools.host else {
            throw MigrationError(
                nil, "The worker that took the job has no script host: it runs migrations without a script only.",
                script: .crash)
        }
        // The limit is the job's: what earlier steps took is not there for later ones.
        let seconds = (deadline - .now) / .seconds(1)
        guard seconds > 0 else {
            throw MigrationError(nil, "No time was left for the step.", script: .timeLimit)
        }
        var limits = limits
        limits.timeoutSeconds = seconds
        return try host.run(
            request, of: attempt.lease.job.appID, script: script, limits: limits, store: store, observer: attempt)
    }
}
