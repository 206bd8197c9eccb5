import Columns
import JobStore
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

/// Writes the other side of a realm's partners beside the changes of clients, and says what has to be written down of that.
public struct PartnerWriter: Sendable {
    let tools: PartnerTools

    /// A writer of a store's partners.
    public init(_ tools: PartnerTools) { self.tools = tools }

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
    ) throws -> (count: Int, written: WrittenSides) {
        // There is no job to keep the functions' log with.
        let caller = FunctionCaller(app: draft.current?.info.appID, limits: tools.limits)
        return try apply(batch, readWith: schema, to: application, in: draft, for: caller)
    }

    /// The same for a job.
    ///
    /// - Parameter known: of each upsert the object that has its primary key; nil where nobody has looked them up.
    package func apply(
        _ batch: ChangeBatch, readWith schema: Schema, knowing known: [ObjectReference?]? = nil,
        to application: ChangeApplication, in draft: ChangeDraft, for caller: FunctionCaller
    ) throws -> (count: Int, written: WrittenSides) {
        let partners = try beginWriting(beside: application, in: draft, calling: tools.call(for: caller))
        let (count, effects) = try application.apply(
            batch, readWith: schema, knowing: known, writing: partners.map(\.writing))
        var written = WrittenSides(partners, effects)
        if let retired = try deleteRetired(partners.map(\.writing), beside: application, in: draft, for: caller) {
            written.applications.append(retired)
        }
        return (count, written)
    }

    /// The realm's partners that are on their way.
    ///
    /// - Parameter isPreparing: whether those alone are meant that are being prepared.
    package func plans(in draft: ChangeDraft, preparing isPreparing: Bool = false) throws -> [PartnerPlan] {
        guard draft.hasPartners else { return [] }
        return try tools.jobs.partners.writingBoth(of: draft.realm).filter { !isPreparing || $0.state == .preparing }
            .map { try tools.plan(of: $0, in: draft) }
    }

    /// Begins to write the other sides of the realm's partners.
    func beginWriting(
        beside application: ChangeApplication, in draft: ChangeDraft, calling call: @escaping PartnerWriting.Call
    ) throws -> [(partner: Partner, writing: PartnerWriting)] {
        let partners = draft.hasPartners ? try tools.jobs.partners.writingBoth(of: draft.realm) : []
        let unmade = Set(
            partners.filter { $0.state == .preparing }.map { NameKey($0.definition.partner.name) })
        return try partners.map { partner in
            let plan = try tools.plan(of: partner, in: draft)
            let writing = try writing(
                plan, of: partner, unmade: unmade, beside: application, in: draft.store, calling: call)
            return (partner, writing)
        }
    }

    /// Begins to write the other side of a partner.
    package func writing(
        _ plan: PartnerPlan, of partner: Partner, beside application: ChangeApplication,
        after earlier: Snapshot? = nil, in store: any SegmentStore, for caller: FunctionCaller
    ) throws -> PartnerWriting {
        try writing(
            plan, of: partner, unmade: nil, beside: application, after: earlier, in: store,
            calling: tools.call(for: caller))
    }

    private func writing(
        _ plan: PartnerPlan, of partner: Partner, unmade: Set<NameKey>?, beside application: ChangeApplication,
        after earlier: Snapshot? = nil, in store: any SegmentStore, calling call: @escaping PartnerWriting.Call
    ) throws -> PartnerWriting {
        let waiting: PartnerWriting.Waiting? =
            partner.state == .preparing ? { try tools.jobs.partners.waiting(among: $0, of: partner) } : nil
        return try PartnerWriting(
            plan, beside: application, after: earlier, in: store, waiting: waiting,
            failed: { try tools.jobs.partners.failed(among: $0, of: partner) }, unmade: unmade, call: call)
    }
}
