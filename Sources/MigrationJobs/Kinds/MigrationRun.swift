import Columns
import JobStore
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
        let opened = try tools.store.snapshots.open(order.sourceSnapshot, in: attempt.lease.job.appID)
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
            try tools.jobs.keep(tried.report.json, of: attempt.lease)
            throw RehearsalFailure(tried.report.failures)
        case .success(let result):
            let isPreview = result != opened.snapshot && opened.info.realmKind == .local
            return .rehearsed(isPreview ? result : nil, report: tried.report.json)
        case .failure(let error):
            try tools.jobs.keep(tried.report.json, of: attempt.lease)
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
        // In a retry, the realm that the script sees as the old one is older than the source.
        let before = try order.request.retry.map {
            try tools.store.snapshots.open($0.source, in: attempt.lease.job.appID)
        }
        let source = before ?? opened
        let realm = steps.realm(
            opened.snapshot, origin: ScriptOrigin(source: opened.info.id, time: opened.info.createdAt),
            retry: try retry(from: before))
        let result = try run(realm, store) { result in
            try quarantined.add(result, of: source.snapshot, in: source.store) { attempt.logged($0, level: .warn) }
            for warning in result.warnings { attempt.logged(warning, level: .warn) }
            note(result)
        }
        let count = result.classes.reduce(0) { $0 + $1.objectCount }
        attempt.progressed(to: MigrationProgress(phase: "commit", objectsDone: count, objectsTotal: count))
        return result
    }

    /// Runs all steps of the realm; the time limit is the job's, and a lost host is its attempt's end.
    private func run(
        _ realm: MigrationMachine.Realm, _ store: AttemptStore, _ note: (MigrationResult) throws -> Void = { _ in }
    ) throws -> Snapshot {
        var machine = MigrationMachine([realm], limits: limits, hostLimit: 1)
        try tools.runner(of: attempt, isRehearsal: order.request.dryRun).run(
            &machine, secondsLeft: { (deadline - .now) / .seconds(1) }, in: { _ in (store, attempt) },
            told: { _, result, _ in if case .success(let result) = result { try note(result) } })
        return try machine.realms[0].end.get()
    }

    /// The objects of a retry, and what the script sees as the old realm; nil for a migration.
    private func retry(from before: OpenSnapshot?) throws -> MigrationRetry? {
        guard let retry = order.request.retry, let before else { return nil }
        return MigrationRetry(source: before.snapshot, keys: try tools.jobs.quarantinedKeys(of: retry.job))
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
        let grown = try run(steps.realm(source), store)
        return grown == source ? nil : grown
    }

    /// The steps as they are declared now, which the job says if it does not yet.
    private func steps(from source: OpenSnapshot) throws -> MigrationSteps {
        let steps = try MigrationSteps(
            order.request, app: attempt.lease.job.app, of: source.info.realmKind, from: source.snapshot.schemaVersion,
            store: tools.store)
        try steps.check(source: source.snapshot)
        let plan = steps.plan(limits: limits)
        if plan != order.plan { try tools.jobs.setPlan(plan, of: attempt.lease) }
        return steps
    }
}
