import Columns
import JobStore
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore
import SyncedRealms

/// The kind of job that migrates a realm: reads a snapshot, makes the next one.
struct MigrationJob: JobWork {
    let order: MigrationOrder

    // MARK: Check

    /// Makes the order of a migration of a realm's current snapshot, after the checks that need no objects.
    ///
    /// No lock is held meanwhile: the order says which snapshot it was checked against, and is only inserted where that is
    /// the current one still.
    ///
    /// - Throws: `StoreError.notFound` (app, realm, schemaVersion; snapshot where the realm has none yet);
    ///   `SyncedRealmError`; `MigrationError` for a schema, a version or a difference that Realm refuses.
    static func check(
        _ request: MigrationOrder.Request, realm: String, app: String, store: SnapshotStore, scriptLimits: ScriptLimits
    ) throws -> JobOrder {
        let opened = try store.snapshots.openCurrent(of: realm, in: app)
        let steps = try MigrationSteps(
            request, app: app, of: opened.info.realmKind, from: opened.snapshot.schemaVersion, store: store)
        try steps.check(source: opened.snapshot)
        if let first = steps.steps.first {
            try Migration(steps.migrationRequest(first, source: opened.snapshot), store: opened.store).check()
        }
        return .migration(MigrationOrder(request, plan: steps.plan(limits: scriptLimits), of: opened.info))
    }

    // MARK: Run

    /// No more than three years, which a `Duration` holds whatever it is added to.
    func timeLimit(_ tools: JobTools) -> Duration { .seconds(min(limits(tools).timeoutSeconds, 1e8)) }

    func run(
        _ attempt: JobAttempt, with tools: JobTools, until deadline: ContinuousClock.Instant
    ) throws -> MigrationOutcome {
        let segments = tools.jobs.segments(for: attempt.lease, of: order)
        do {
            let run = MigrationRun(
                order, limits: limits(tools), deadline: deadline, tools: tools, attempt: attempt, segments: segments)
            let change = try run.change()
            return MigrationOutcome(change, quarantined: run.quarantined.objects, of: order, segments: segments)
        } catch {
            segments.close()
            throw error
        }
    }

    private func limits(_ tools: JobTools) -> ScriptLimits {
        tools.scriptLimits.lowered(by: order.request.limits)
    }

    // MARK: Describe

    func describe(_ job: Job, isWhole: Bool) -> [JSONMember] {
        var members = [
            JSONMember("realm", .string(order.realm)),
            JSONMember("sourceSnapshot", .string("\(order.sourceSnapshot)")),
            JSONMember("resultSnapshot", order.resultSnapshot.map { .string("\($0)") } ?? .null),
            JSONMember("fromVersion", order.fromVersion.map { JSONValue($0) } ?? .null),
            JSONMember("toVersion", JSONValue(order.toVersion)),
            JSONMember("dryRun", .bool(order.request.dryRun)),
            JSONMember("failOn", order.request.failOn.map { .array($0.map { .string($0) }) } ?? .null),
            JSONMember("onError", .string(order.request.onError.rawValue)),
            JSONMember("quarantinedCount", .int(Int64(job.quarantinedCount))),
            JSONMember("retryOf", order.request.retry.map { .string("\($0.job)") } ?? .null),
            JSONMember("mode", .string(order.request.mode)),
            JSONMember("resolveEmbeddedConstraints", .bool(order.request.resolveEmbeddedConstraints)),
            // Without the service's own where an older program enqueued the job, before an attempt has begun.
            JSONMember("limits", .object((order.plan?.limits ?? order.request.limits).members)),
        ]
        if isWhole {
            let steps = order.plan.map { plan in JSONValue.array(plan.steps.map { describe($0, app: job.app) }) }
            members.append(JSONMember("steps", steps ?? .null))
        }
        return members
    }

    /// A step: what was declared by reference, what came with the request in full.
    private func describe(_ step: MigrationOrder.Plan.Step, app: String) -> JSONValue {
        func reference(_ revision: Int) -> JSONValue {
            ["app": .string(app), "version": .int(Int64(clamping: step.version)), "revision": .int(Int64(revision))]
        }
        let isLast = step.version == order.toVersion
        let schema = isLast ? order.request.schema.map { SchemaJSON.encode($0) } : nil
        let migration = isLast ? order.request.migration?.json : nil
        return [
            "version": .int(Int64(clamping: step.version)),
            "schema": step.schemaRevision.map(reference) ?? schema ?? .null,
            "migration": step.migrationRevision.map(reference) ?? migration ?? .null,
        ]
    }
}

extension JobQueue {
    /// The schema version of a synced realm's current snapshot, 0 where it has none; nil where the realm is local.
    ///
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where a synced realm has none yet).
    public func schemaVersion(ofSynced realm: String, in app: String) throws -> UInt64? {
        guard try store.realms.find(realm, in: app).kind == .synced else { return nil }
        return try store.snapshots.openCurrent(of: realm, in: app).snapshot.schemaVersion ?? 0
    }

    /// Queues a migration of a realm's current snapshot, after the checks that need no objects.
    ///
    /// - Throws: `StoreError.notFound` (app, realm, schemaVersion; snapshot where the realm has none yet),
    ///   `migrationActive`; `SyncedRealmError`; `MigrationError` for a schema, a version or a difference that Realm
    ///   refuses; what the condition throws.
    public func enqueue(
        _ request: MigrationOrder.Request, realm: String, app: String, schedule: JobSchedule = JobSchedule(),
        where condition: RealmCondition? = nil
    ) throws -> Job {
        try enqueue(in: app, schedule) {
            // The realm that is found here is required again where the job is inserted: its current snapshot is the source.
            let found = try condition.map { condition in
                let found = try store.realms.find(realm, in: app)
                try condition(found)
                return found
            }
            let order = try MigrationJob.check(
                request, realm: realm, app: app, store: store, scriptLimits: scriptLimits)
            if let found, case .migration(let migration) = order, found.currentSnapshot != migration.sourceSnapshot {
                throw StoreError.realmChanged
            }
            return order
        }
    }
}
