import Columns
import JobStore
import RealmEditing
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms

/// One attempt of a backfill of a partner.
///
/// While a part is written, the functions are asked about the next one: the host is another process, and would wait.
struct PartnerBackfillRun {
    let tools: PartnerTools
    let attempt: JobAttempt
    let app: String
    let order: PartnerBackfillOrder
    let answers: PartnerBackfillAnswers

    init(tools: PartnerTools, attempt: JobAttempt, app: String, order: PartnerBackfillOrder) {
        self.tools = tools
        self.attempt = attempt
        self.app = app
        self.order = order
        answers = PartnerBackfillAnswers(tools, attempt)
    }

    /// Goes through the next objects.
    ///
    /// - Parameters:
    ///   - next: how many of those behind them the functions are asked about meanwhile.
    ///   - isHolding: whether clients wait meanwhile: then only those answers are taken that are there.
    /// - Returns: whether those were the last; nil where clients were faster.
    /// - Throws: `PartnerRefusal.misfit`; `MigrationError`; what the store throws.
    func fill(
        _ partner: Partner, atMost count: Int, askingAhead next: Int, holdingRealm isHolding: Bool
    ) throws -> Bool? {
        do {
            let done: (isFilled: Bool, fill: Partner.Fill)
            if isHolding {
                done = try tools.jobs.store.snapshots.holding(order.realm, in: app) {
                    try fill(partner, atMost: count, askingAhead: next, in: $0)
                }
            } else {
                let draft = try tools.jobs.store.snapshots.beginChanges(of: order.realm, in: app)
                defer { draft.cancel() }
                done = try fill(partner, atMost: count, askingAhead: next, in: draft)
            }
            attempt.progressed(
                to: MigrationProgress(
                    phase: done.fill.pass == .links ? "links" : "objects", className: partner.definition.className,
                    objectsDone: done.fill.done, objectsTotal: done.fill.total))
            return done.isFilled
        } catch StoreError.realmChanged {
            return nil
        }
    }

    /// Refuses functions that fail for every object, so that none has a partner.
    ///
    /// - Throws: `MigrationError` with what the first of them says.
    func requireAnswers(_ partner: Partner) throws {
        let failing = try tools.jobs.partners.counts(of: partner).failing
        guard failing > 0 else { return }
        let name = partner.definition.className
        let current = try tools.jobs.store.snapshots.openCurrent(of: order.realm, in: app)
        let isClass = partner.definition.property == nil
        let made = isClass ? current.snapshot[partner.definition.partner.name]?.objectCount ?? 0 : 0
        guard made == 0, failing >= current.snapshot[name]?.objectCount ?? 0,
            let first = try tools.jobs.partners.findings(.violation, of: partner, PageRequest(limit: 1)).items.first
        else { return }
        let reason = first.finding.reason ?? ""
        throw MigrationError(
            nil, "The partner's functions fail for every object: \(reason)", script: .exception,
            details: [
                ProblemItem(
                    reason, className: name, key: ObjectKey(first.finding.key), primaryKey: first.finding.primaryKey)
            ])
    }

    /// Makes ready what the first changes that find every partner there look them up by.
    func finish(_ partner: Partner) throws {
        let current = try tools.jobs.store.snapshots.openCurrent(of: order.realm, in: app)
        guard let stored = current.snapshot[partner.definition.partner.name] else { return }
        try current.store.makeIndex(of: stored)
    }

    private func fill(
        _ partner: Partner, atMost count: Int, askingAhead next: Int, in draft: ChangeDraft
    ) throws -> (isFilled: Bool, fill: Partner.Fill) {
        guard let current = draft.current else { throw StoreError.realmChanged }
        let plan = try tools.plan(of: partner, in: draft)
        var fill = partner.fill
        let part = try PartnerBackfillPart(of: plan, fill, atMost: count, in: current)
        let early =
            fill.pass == .objects
            ? try tools.jobs.partners.written(of: partner, after: fill.key, upTo: part.last) : []
        let application = ChangeApplication(to: current.snapshot, in: draft.store)
        let writing = try PartnerWriter(tools).writing(
            plan, of: partner, beside: application, in: draft.store,
            for: attempt.functionCaller(limits: tools.limits))
        let missing = part.keys.filter { !early.contains($0) }
        let answered = try missing.isEmpty ? nil : answers.answers(for: missing, fill, by: writing, in: draft)
        fill.key = part.last
        fill.done += part.keys.count
        if fill.key < fill.end { answers.askAhead(plan, of: partner, fill, atMost: next, in: current.info.id) }
        let effects = try answered.map { answered in
            guard fill.pass == .links else { return try writing.writeRight(answered, policy: .collects) }
            let given = try tools.jobs.partners.given(of: partner, after: partner.fill.key, upTo: part.last)
            return try writing.writeLinks(answered, except: given)
        }
        let isFilled = fill.key == fill.end && (fill.pass == .links || !plan.hasLinks)
        if fill.key == fill.end, !isFilled {
            // Objects that came meanwhile may link to some that had no partners then.
            fill = Partner.Fill(.links, of: current.snapshot[plan.left.name])
        }
        let written = WrittenSides(writing.derived, .fill(partner, effects ?? PartnerEffects(), to: fill))
        _ = try written.commit(application, in: draft)
        return (isFilled, fill)
    }
}
