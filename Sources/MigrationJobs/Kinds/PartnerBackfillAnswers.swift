import Columns
import JobStore
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms
import Threads

/// The answers of a partner's functions for a backfill: for the part that is being written, until it is, and for the next
/// one, which a thread of its own asks about meanwhile.
///
/// Answers are good until somebody changes their objects: a part that clients overtake is written anew without asking again.
final class PartnerBackfillAnswers: Sendable {
    private struct Part {
        var snapshot: RealmModel.UUID
        var pass: Partner.Fill.Pass
        var last: Int64
        var answered: PartnerWriting.Answered
    }

    private struct State {
        var parts: [Part] = []
        var isAsking = false
        var isStopped = false
    }

    private let tools: PartnerTools
    private let attempt: JobAttempt
    private let state = Monitor(State())
    private let thread = ThreadGroup()

    init(_ tools: PartnerTools, _ attempt: JobAttempt) {
        self.tools = tools
        self.attempt = attempt
    }

    /// The answers for some objects, which are asked about now where they were not before.
    ///
    /// - Parameters:
    ///   - keys: of objects of the snapshot that the draft changes; at least one.
    ///   - fill: how far the backfill is.
    /// - Throws: `StoreError.realmChanged` where the draft holds the realm, and the functions have to be asked: nobody waits for
    ///   them.
    func answers(
        for keys: [Int64], _ fill: Partner.Fill, by writing: PartnerWriting, in draft: ChangeDraft
    ) throws -> PartnerWriting.Answered {
        state.withLock { $0.parts.removeAll { $0.last <= fill.key || $0.pass != fill.pass } }
        if let known = try known(keys, by: writing, in: draft) { return known }
        guard !draft.isHeld else { throw StoreError.realmChanged }
        if state.wait({ state -> Bool? in state.isAsking ? nil : state.parts.count > 0 }),
            let known = try known(keys, by: writing, in: draft)
        {
            return known
        }
        let answered = try writing.ask(for: keys, policy: .collects, areNew: fill.pass == .objects)
        if let snapshot = draft.current?.info.id, let last = keys.last {
            let part = Part(snapshot: snapshot, pass: fill.pass, last: last, answered: answered)
            state.withLock { $0.parts = [part] }
        }
        return answered
    }

    private func known(
        _ keys: [Int64], by writing: PartnerWriting, in draft: ChangeDraft
    ) throws -> PartnerWriting.Answered? {
        for part in state.withLock({ $0.parts }) {
            guard let answered = try writing.answers(part.answered, for: keys) else { continue }
            guard part.snapshot != draft.current?.info.id else { return answered }
            let delta = try draft.delta(since: part.snapshot)
            let changed = delta[writing.plan.left.name]
            guard !delta.changesSchema, changed?.isWhole != true,
                Set(changed?.upserted ?? []).isDisjoint(with: keys)
            else { continue }
            return answered
        }
        return nil
    }

    /// Asks about the objects behind a place, unless that is done, or being done.
    func askAhead(
        _ plan: PartnerPlan, of partner: Partner, _ fill: Partner.Fill, atMost count: Int, in snapshot: RealmModel.UUID
    ) {
        let starts = state.withLock { state in
            guard !state.isAsking, !state.parts.contains(where: { $0.last > fill.key && $0.pass == fill.pass }) else {
                return false
            }
            state.isAsking = true
            return true
        }
        guard starts else { return }
        thread.start("backfill-ahead") { [self] in
            // A fault is met again, and reported, when the part's turn has come.
            let part = try? ask(plan, of: partner, fill, atMost: count, in: snapshot)
            state.change { state in
                if let part { state.parts.append(part) }
                state.isAsking = false
            }
        }
    }

    private func ask(
        _ plan: PartnerPlan, of partner: Partner, _ fill: Partner.Fill, atMost count: Int, in snapshot: RealmModel.UUID
    ) throws -> Part? {
        let opened = try tools.jobs.store.snapshots.open(snapshot, in: attempt.lease.job.appID)
        let keys = try PartnerBackfillPart(of: plan, fill, atMost: count, in: opened).keys
        guard let last = keys.last else { return nil }
        var caller = attempt.functionCaller(limits: tools.limits)
        caller.isCancelled = { [self] in attempt.isCancelled || state.withLock { $0.isStopped } }
        let application = ChangeApplication(to: opened.snapshot, in: opened.store)
        let writing = try PartnerWriter(tools).writing(
            plan, of: partner, beside: application, in: opened.store, for: caller)
        let answered = try writing.ask(for: keys, policy: .collects, areNew: fill.pass == .objects)
        return Part(snapshot: snapshot, pass: fill.pass, last: last, answered: answered)
    }

    /// Ends what is under way, and waits for that.
    func stop() {
        state.withLock { $0.isStopped = true }
        state.wait { $0.isAsking ? nil : () }
    }
}
