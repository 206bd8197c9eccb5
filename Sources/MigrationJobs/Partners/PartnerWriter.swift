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

    /// Writes the other sides of what a batch changed.
    ///
    /// - Parameters:
    ///   - application: has made the changes of the batch, and no others.
    ///   - schema: what the batch was read with.
    ///   - draft: what the application changes.
    /// - Throws: `MigrationError` of a function that fails or takes too long, with the object's key; `ChangeError`;
    ///   `StoreError.realmChanged` where a partner was made meanwhile; `PartnerRefusal.misfit`.
    package func write(
        _ batch: ChangeBatch, readWith schema: Schema, beside application: ChangeApplication, in draft: ChangeDraft
    ) throws -> Written {
        var written = Written()
        guard draft.hasPartners, let current = draft.current else { return written }
        // What functions log has no job to be kept with.
        let caller = FunctionCaller(app: current.info.appID, limits: tools.limits)
        for partner in try tools.store.partners.writingBoth(of: draft.realm) {
            let plan = try tools.plan(of: partner, in: draft)
            let changes = application.delta
            guard changes[plan.left.name] != nil || changes[plan.right.name] != nil else { continue }
            let writing = try writing(plan, beside: application, in: draft.store, for: caller)
            let effects = try writing.write(changes, of: batch, readWith: schema)
            written.applications.append(writing.derived)
            written.books.append(.write(partner, effects))
        }
        return written
    }

    /// Begins to write the other side of a partner.
    func writing(
        _ plan: PartnerPlan, beside application: ChangeApplication, in store: any SegmentStore,
        for caller: FunctionCaller
    ) throws -> PartnerWriting {
        try PartnerWriting(plan, beside: application, in: store) { [functions = tools.functions] in
            try functions.call($0, andBack: $1, on: $2, policy: $3, for: caller)
        }
    }
}
