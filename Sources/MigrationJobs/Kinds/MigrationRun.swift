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
    /// The objects that were set aside.
    let quarantined = Quarantine()

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
        attempt.progressed(to: MigrationProgress(phase: "prepare"))
        guard order.isExclusive || order.request.dryRun else { return try additions() }
        let opened = try tools.store.snapshots.open(order.sourceSnapshot)
        guard opened.info.realmKind == .local else { return try additions() }
        let steps = try steps(from: opened)
        if steps.steps.contains(where: { $0.script != nil }) { try segments.preload(opened) }
        let carried = steps.carriedProperties(source: opened.snapshot)
        for property in carried { attempt.logged(property.warning, level: .warn) }
        let attemptStore = AttemptStore(segments, attempt)
        guard order.request.dryRun else {
            let current = try run(steps, from: opened, attemptStore)
            return current == opened.snapshot ? .unchanged : .migrated(current)
        }
        return try rehearse(steps, of: opened, carried: carried, attemptStore) { note in
            try run(steps, from: opened, attemptStore, note)
        }
    }

    /// Tries the migration; where it fails, the report is kept and says so.
    private func rehearse(
        _ steps: MigrationSteps, of opened: OpenSnapshot, carried: [CarriedProperty], _ store: AttemptStore,
        _ run: ((MigrationResult) -> Void) throws -> Snapshot
    ) throws -> MigrationOutcome.Change {
        let policy = try order.request.failOn.map { try FailurePolicy($0) }
        let rehearsal = MigrationRehearsal(
            toVersion: order.toVersion, checks: order.request.checks, policy: policy, limits: limits, tools: tools,
            attempt: attempt, store: store)
        let tried = try rehearsal.rehearse(steps, of: opened.snapshot, carried: carried, run)
        switch tried.end {
        case .success where policy != nil && !tried.report.hasPassed:
            try tools.store.jobs.keep(tried.report.json, of: attempt.lease)
            throw RehearsalFailure(tried.report.failures)
        case .success(let result):
            let isPreview = result != opened.snapshot && opened.info.realmKind == .local
            return .rehearsed(isPreview ? result : nil, report: tried.report.json)
        case .failure(let error):
            try tools.store.jobs.keep(tried.report.json, of: attempt.lease)
            throw error
        }
    }

    /// Runs the steps from a snapshot.
    ///
    /// - Parameter note: is told what each came to.
    private func run(
        _ steps: MigrationSteps, from opened: OpenSnapshot, _ store: AttemptStore,
        _ note: (MigrationResult) -> Void = { _ in }
    ) throws -> Snapshot {
        let origin = ScriptOrigin(source: opened.info.id, time: opened.info.createdAt)
        // In a retry, the realm that the script sees as the old one is older than the source.
        let before = try order.request.retry.map { try tools.store.snapshots.open($0.source) }
        let retry = try retry(from: before)
        var current = opened.snapshot
        var made = ScriptOutput()
        for step in steps.steps {
            var request = steps.migrationRequest(step, source: current, origin: origin)
            request.retry = retry
            if order.request.onError == .quarantine { request.quarantineLimit = Quarantine.limit }
            let result = try within(step, of: steps) { try run(request, step, store, after: made) }
            made += result.output
            let source = before ?? opened
            try quarantined.add(result, of: source.snapshot, in: source.store) { attempt.logged($0, level: .warn) }
            for warning in result.warnings { attempt.logged(warning, level: .warn) }
            note(result)
            if !result.isUnchanged { current = result.snapshot }
        }
        let count = current.classes.reduce(0) { $0 + $1.objectCount }
        attempt.progressed(to: MigrationProgress(phase: "commit", objectsDone: count, objectsTotal: count))
        return current
    }

    /// The objects of a retry, and what the script sees as the old realm; nil for a migration.
    private func retry(from before: OpenSnapshot?) throws -> MigrationRetry? {
        guard let retry = order.request.retry, let before else { return nil }
        return MigrationRetry(source: before.snapshot, keys: try tools.store.jobs.quarantinedKeys(of: retry.job))
    }

    /// The additions to the schema of a synced realm; tried on its current snapshot, so that a refusal comes early.
    private func additions() throws -> MigrationOutcome.Change {
        let (realm, opened) = try tools.store.snapshots.openRealm(order.realm, in: attempt.lease.job.app)
        let steps = try steps(from: opened)
        let store = AttemptStore(segments, attempt)
        let additions = RealmAdditions(
            appliesDefaults: steps.steps.contains { $0.migration?.applyDefaults == .existing }, tools: tools,
            attempt: attempt, segments: segments
        ) { try self.grown($0, by: steps, store) }
        guard order.request.dryRun else {
            _ = try additions.made(of: opened.snapshot, realm)
            attempt.progressed(to: MigrationProgress(phase: "commit"))
            return .additions { try additions.made(of: $1, $0) }
        }
        // A rehearsal tells what is refused as what it found.
        return try rehearse(steps, of: opened, carried: [], store) { _ in
            try additions.made(of: opened.snapshot, realm)?.snapshot ?? opened.snapshot
        }
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
        _ request: MigrationRequest, _ step: MigrationSteps.Step, _ store: AttemptStore,
        after made: ScriptOutput = ScriptOutput()
    ) throws -> MigrationResult {
        // The limits are the job's: what earlier steps took is not there for later ones.
        let seconds = (deadline - .now) / .seconds(1)
        guard seconds > 0 || step.script == nil else {
            throw MigrationError(nil, "No time was left for the step.", script: .timeLimit)
        }
        var limits = limits
        limits.timeoutSeconds = seconds
        limits.made = made
        return try tools.run(
            request, of: attempt.lease.job.appID, limits: limits, store: store, observer: attempt)
    }
}
