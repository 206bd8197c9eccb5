import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

/// The kind of job that gives the objects of a class their partners, while clients go on changing both sides.
///
/// It goes through the objects in the order of their keys, some at a time: each part is one more batch of changes, and the
/// place that it has come to is committed with it. What clients change meanwhile gets its partner by that change, and is passed
/// over.
struct PartnerBackfillJob: JobWork {
    let order: PartnerBackfillOrder

    /// Objects of a part: as many as a batch may have without keeping clients waiting for long.
    ///
    /// A part that clients overtake is tried again with a quarter of them.
    private static let largestPart = 16_384
    private static let smallestPart = 64

    func timeLimit(_ tools: JobTools) -> Duration { .seconds(min(tools.scriptLimits.timeoutSeconds, 1e8)) }

    func run(
        _ attempt: JobAttempt, with tools: JobTools, until deadline: ContinuousClock.Instant
    ) throws -> PartnerBackfillOutcome {
        guard let functions = tools.functions else {
            throw MigrationError(nil, "This worker runs no scripts.", script: .crash)
        }
        let run = PartnerBackfillRun(
            tools: PartnerTools(tools.store, functions: functions), attempt: attempt, app: attempt.lease.job.app,
            order: order)
        var size = Self.largestPart
        while true {
            guard !attempt.isCancelled else {
                throw MigrationError(nil, "The backfill was stopped.", script: .cancelled)
            }
            guard .now < deadline else {
                throw MigrationError(nil, "The backfill took longer than it may.", script: .timeLimit)
            }
            let partner = try tools.store.partners.find(order.partner, of: order.realm, in: run.app)
            // Somebody may have taken the partner back.
            guard partner.state == .preparing else { return PartnerBackfillOutcome() }
            if let isFilled = try run.fill(partner, atMost: size) {
                if isFilled { try tools.store.partners.filled(partner) }
                size = min(size * 2, Self.largestPart)
            } else {
                size = max(size / 4, Self.smallestPart)
            }
        }
    }

    func describe(_ job: Job, isWhole: Bool) -> [JSONMember] {
        [JSONMember("realm", .string(order.realm)), JSONMember("partner", .string("\(order.partner)"))]
    }
}

/// One attempt of a backfill.
struct PartnerBackfillRun {
    let tools: PartnerTools
    let attempt: JobAttempt
    let app: String
    let order: PartnerBackfillOrder

    /// Goes through the next objects.
    ///
    /// - Returns: whether those were the last; nil where clients were faster.
    /// - Throws: `PartnerRefusal.misfit`; `MigrationError`; what the store throws.
    func fill(_ partner: Partner, atMost count: Int) throws -> Bool? {
        let draft = try tools.store.snapshots.beginChanges(of: order.realm, in: app)
        defer { draft.cancel() }
        do {
            return try fill(partner, atMost: count, in: draft)
        } catch StoreError.realmChanged {
            return nil
        }
    }

    private func fill(_ partner: Partner, atMost count: Int, in draft: ChangeDraft) throws -> Bool {
        guard let current = draft.current else { throw StoreError.realmChanged }
        let plan = try tools.plan(of: partner, in: draft)
        var fill = partner.fill
        let keys = try self.keys(of: plan, after: fill.key, upTo: fill.end, atMost: count, in: current)
        let last = keys.count < count ? fill.end : keys.last ?? fill.end
        let early =
            fill.pass == .objects ? try tools.store.partners.written(of: partner, after: fill.key, upTo: last) : []
        let application = ChangeApplication(to: current.snapshot, in: draft.store)
        let writing = try PartnerWriter(tools).writing(
            plan, beside: application, in: draft, for: attempt.functionCaller(limits: tools.limits))
        let effects = try writing.writeRight(
            of: keys.filter { !early.contains($0) }, policy: .collects, areNew: fill.pass == .objects)
        fill.key = last
        fill.done += keys.count
        let isFilled = last == fill.end && (fill.pass == .links || !plan.hasLinks)
        if last == fill.end, !isFilled {
            // Objects that came meanwhile may link to some that had no partners then.
            fill = Partner.Fill(.links, of: current.snapshot[plan.left.name])
        }
        let (snapshot, delta) = try application.finish(with: [writing.derived])
        _ = try draft.commit(snapshot, delta: delta, books: [.fill(partner, effects, to: fill)])
        attempt.progressed(
            to: MigrationProgress(
                phase: fill.pass == .links ? "links" : "objects", className: plan.left.name, objectsDone: fill.done,
                objectsTotal: fill.total))
        return isFilled
    }

    /// The keys of the next objects, ascending.
    private func keys(
        of plan: PartnerPlan, after first: Int64, upTo end: Int64, atMost count: Int, in current: OpenSnapshot
    ) throws -> [Int64] {
        guard let stored = current.snapshot[plan.left.name], first < end else { return [] }
        let reader = try ClassReader(stored, store: current.store)
        var keys: [Int64] = []
        for (number, group) in reader.rowGroups.enumerated() where group.lastKey.value > first {
            guard group.firstKey.value <= end, keys.count < count else { break }
            for (row, key) in try reader.keys(inGroup: number).enumerated() where key > first && key <= end {
                guard group.deleted?[row] != true else { continue }
                keys.append(key)
                if keys.count == count { break }
            }
        }
        return keys
    }
}
