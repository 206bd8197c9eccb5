import Columns
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

/// Writes the other side of a realm's partners beside the changes of clients, and says what has to be written down of that.
public struct PartnerWriter: Sendable {
    private let tools: PartnerTools

    /// A writer of a store's partners.
    public init(_ tools: PartnerTools) { self.tools = tools }

    /// What writing the other sides came to.
    package struct Written {
        /// The applications to finish with.
        package var applications: [ChangeApplication] = []
        /// What goes into the commit.
        package var books: [PartnerBook] = []
    }

    /// Applies a batch of changes, and writes the other sides of what it changes.
    ///
    /// - Parameters:
    ///   - schema: what the batch was read with.
    ///   - application: has made no changes yet.
    ///   - draft: what the application changes.
    /// - Returns: how many objects the batch made, changed or deleted, and what came of that.
    /// - Throws: `MigrationError` of a function that fails or takes too long, with the object's key; `ChangeError`;
    ///   `StoreError.realmChanged` where a partner was made meanwhile; `PartnerRefusal.misfit`.
    package func apply(
        _ batch: ChangeBatch, readWith schema: Schema, to application: ChangeApplication, in draft: ChangeDraft
    ) throws -> (count: Int, written: Written) {
        guard draft.hasPartners, let current = draft.current else { return (try application.apply(batch), Written()) }
        // What functions log has no job to be kept with.
        let caller = FunctionCaller(app: current.info.appID, limits: tools.limits)
        let partners = try tools.store.partners.writingBoth(of: draft.realm).map { partner in
            (partner: partner, plan: try tools.plan(of: partner, in: draft))
        }
        let named = Set(batch.upserts.map(\.classIndex)).map { schema.classes[$0].name }
        let prepared = try partners.map { partner, plan -> PartnerWriting? in
            guard partner.state == .preparing, named.contains(where: { $0.hasSameBytes(as: plan.right.name) }) else {
                return nil
            }
            let writing = try writing(plan, beside: application, in: draft.store, for: caller)
            try writing.prepare(for: batch, readWith: schema) {
                try tools.store.partners.waiting(among: $0, of: partner)
            }
            return writing
        }
        let count = try application.apply(batch)
        let changes = application.delta
        var written = Written()
        for ((partner, plan), prepared) in zip(partners, prepared) {
            guard changes[plan.left.name] != nil || changes[plan.right.name] != nil else { continue }
            let writing = try prepared ?? writing(plan, beside: application, in: draft.store, for: caller)
            let effects = try writing.write(changes, of: batch, readWith: schema)
            written.applications.append(writing.derived)
            written.books.append(.write(partner, effects))
        }
        return (count, written)
    }

    /// Begins to write the other side of a partner.
    func writing(
        _ plan: PartnerPlan, beside application: ChangeApplication, in store: any SegmentStore,
        for caller: FunctionCaller
    ) throws -> PartnerWriting {
        try PartnerWriting(plan, beside: application, in: store) { [functions = tools.functions] in
            try functions.call($0, andBack: $1, on: $2, policy: $3, for: caller, meanwhile: $4)
        }
    }
}
