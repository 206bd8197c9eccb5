import JobStore
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

extension PartnerWriter {
    /// The sides of partners that have left the schema of a realm's current snapshot.
    package func retiredSides(of realm: Realm, in snapshot: OpenSnapshot) throws -> RetiredSides {
        let ended = try tools.jobs.partners.ended(of: realm).compactMap { partner in
            partner.retired.map {
                RetiredSides.Ended(partner.definition, isCutOver: partner.state == .done, retired: $0)
            }
        }
        return RetiredSides(ended, of: snapshot.snapshot)
    }

    /// The sides of partners that were made again with other functions since a recovery began.
    package func remadeSides(of realm: Realm, since recovery: Recovery) throws -> RemadeSides {
        let partners = try tools.jobs.partners.all(of: realm)
        func definitions(_ isMeant: (Partner) -> Bool) -> [PartnerDefinition] {
            partners.filter(isMeant).map(\.definition)
        }
        return RemadeSides(
            before: definitions { $0.createdAt <= recovery.createdAt },
            since: definitions { $0.createdAt > recovery.createdAt })
    }

    /// Deletes the sides that left the schema of what a batch deletes, which has been made.
    ///
    /// - Returns: the application to finish with; nil where there is nothing to delete.
    func deleteRetired(
        _ partners: [PartnerWriting], beside application: ChangeApplication, in draft: ChangeDraft,
        for caller: FunctionCaller
    ) throws -> ChangeApplication? {
        guard let current = draft.current, draft.realm.sync?.retired.classes.isEmpty == false else { return nil }
        var changes = application.delta
        for partner in partners { changes.merge(partner.derived.delta) }
        guard changes.classes.contains(where: { !$0.deleted.isEmpty }) else { return nil }
        return try retiredSides(of: draft.realm, in: current).deleteOtherSides(
            of: changes, beside: application, call: tools.call(for: caller))
    }

    /// The objects that stand in for some of a class that left the schema, as `RetiredSides.standing` says it.
    package func standing(
        for primaryKeys: [Value], of className: String, _ sides: RetiredSides, in snapshot: OpenSnapshot
    ) throws -> (className: String, primaryKeys: [Value?]) {
        let caller = FunctionCaller(app: snapshot.info.appID, limits: tools.limits)
        return try sides.standing(for: primaryKeys, of: className) { [functions = tools.functions] in
            try functions.call($0, andBack: $1, on: $2, policy: $3, for: caller, meanwhile: $4)
        }
    }

    /// Begins to make changes of clients that know such sides.
    ///
    /// - Parameter application: of the realm as if the sides were there; has made no changes yet.
    package func writing(
        _ sides: RetiredSides, beside application: ChangeApplication, in draft: ChangeDraft
    ) throws -> RetiredSidesWriting {
        let caller = FunctionCaller(app: draft.current?.info.appID, limits: tools.limits)
        return try RetiredSidesWriting(
            sides, beside: application, in: draft.store, call: SlowObjects.collected(from: tools.call(for: caller)))
    }

    /// Applies a batch of such changes, whose objects are up to date, and writes the other sides of what it changes.
    ///
    /// - Returns: the outcome, and what it came to.
    package func apply(
        _ batch: ChangeBatch, by writing: RetiredSidesWriting, to application: ChangeApplication, in draft: ChangeDraft
    ) throws -> (outcome: RetiredSidesWriting.Outcome, written: WrittenSides) {
        let caller = FunctionCaller(app: draft.current?.info.appID, limits: tools.limits)
        let partners = try beginWriting(
            beside: application, in: draft, calling: SlowObjects.collected(from: tools.call(for: caller)))
        let outcome = try writing.apply(batch, writing: partners.map(\.writing))
        var written = WrittenSides(partners, outcome.effects)
        written.applications += writing.applications
        return (outcome, written)
    }
}
