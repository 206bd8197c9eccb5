import Columns
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore
import Threads

/// Asks the functions of a partner about the part of a backfill that comes next, on a thread of its own.
///
/// What it has asked counts only where neither the class nor the schema changed meanwhile.
final class PartnerBackfillAhead: Sendable {
    /// Answers, and what they are answers for.
    private struct Part {
        var keys: [Int64]
        var schema: Schema
        var stored: StoredClass?
        var answered: PartnerWriting.Answered
    }

    private struct State {
        var part: Part?
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

    /// Asks about the objects behind a place.
    func start(_ plan: PartnerPlan, _ fill: Partner.Fill, atMost count: Int, in snapshot: RealmModel.UUID) {
        state.withLock { $0.isAsking = true }
        thread.start("backfill-ahead") { [self] in
            // Whatever is wrong is met again, and said, when the part's turn has come.
            let part = try? ask(plan, fill, atMost: count, in: snapshot)
            state.change { state in
                state.part = part
                state.isAsking = false
            }
        }
    }

    private func ask(
        _ plan: PartnerPlan, _ fill: Partner.Fill, atMost count: Int, in snapshot: RealmModel.UUID
    ) throws -> Part? {
        let opened = try tools.store.snapshots.open(snapshot)
        let keys = try PartnerBackfillPart(of: plan, fill, atMost: count, in: opened).keys
        guard !keys.isEmpty else { return nil }
        var caller = attempt.functionCaller(limits: tools.limits)
        caller.isCancelled = { [self] in attempt.isCancelled || state.withLock { $0.isStopped } }
        let application = ChangeApplication(to: opened.snapshot, in: opened.store)
        let answered = try PartnerWriter(tools).writing(plan, beside: application, in: opened.store, for: caller)
            .ask(for: keys, policy: .collects, areNew: fill.pass == .objects)
        return Part(
            keys: keys, schema: opened.snapshot.declared, stored: opened.snapshot[plan.left.name], answered: answered)
    }

    /// The answers for some objects; nil where they are not at hand, or not those of a snapshot any more.
    func take(_ keys: [Int64], of plan: PartnerPlan, in current: OpenSnapshot) throws -> PartnerWriting.Answered? {
        let part = state.wait { state -> Part?? in
            guard !state.isAsking else { return nil }
            defer { state.part = nil }
            return .some(state.part)
        }
        guard let part, part.keys == keys, part.schema == current.snapshot.declared,
            part.stored == current.snapshot[plan.left.name]
        else { return nil }
        return part.answered
    }

    /// Ends what is under way, and waits for that.
    func stop() {
        state.withLock { $0.isStopped = true }
        _ = state.wait { $0.isAsking ? nil : () }
    }
}
