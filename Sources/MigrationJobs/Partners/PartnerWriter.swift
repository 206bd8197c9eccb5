import Columns
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

/// Writes the other side of a realm's partners beside the changes of clients, and says what has to be written down of that.
public struct PartnerWriter: Sendable {
    private let store: SnapshotStore
    private let functions: any ObjectFunctionHost
    private let limits: FunctionLimits

    /// A writer of a store's partners.
    ///
    /// - Parameter limits: what functions may use on a batch of changes.
    public init(_ store: SnapshotStore, functions: any ObjectFunctionHost, limits: FunctionLimits = FunctionLimits()) {
        self.store = store
        self.functions = functions
        self.limits = limits
    }

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
    ///   `StoreError.realmChanged` where a partner was made meanwhile.
    package func write(
        _ batch: ChangeBatch, readWith schema: Schema, beside application: ChangeApplication, in draft: ChangeDraft
    ) throws -> Written {
        var written = Written()
        guard draft.hasPartners, let current = draft.current else { return written }
        for partner in try store.partners.writingBoth(of: draft.realm) {
            let plan: PartnerPlan
            do throws(PartnerError) {
                plan = try PartnerPlan(partner.definition, in: current.snapshot.declared)
            } catch {
                // Made after the draft was begun: a draft of what is current now has both sides.
                throw StoreError.realmChanged
            }
            let changes = application.delta
            guard changes[plan.left.name] != nil || changes[plan.right.name] != nil else { continue }
            let writing = try PartnerWriting(
                plan, beside: application, in: draft.store, call: call(of: current.info))
            let effects = try writing.write(changes, of: batch, readWith: schema)
            written.applications.append(writing.derived)
            written.books.append(.write(partner, effects))
        }
        return written
    }

    /// Calls functions for the realm's app.
    func call(
        of realm: SnapshotInfo, isCancelled: @escaping () -> Bool = { false }
    ) -> PartnerWriting.Call {
        { [functions, limits] function, objects, policy in
            try functions.call(
                function, on: objects, of: realm.appID, policy: policy, limits: limits, isCancelled: isCancelled)
        }
    }
}
