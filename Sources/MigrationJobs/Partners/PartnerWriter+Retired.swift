import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

extension PartnerWriter {
    /// The sides of partners that have left the schema of a realm's current snapshot.
    package func retiredSides(of realm: Realm, in snapshot: OpenSnapshot) throws -> RetiredSides {
        let ended = try tools.store.partners.ended(of: realm).compactMap { partner in
            partner.retired.map {
                RetiredSides.Ended(partner.definition, isCutOver: partner.state == .done, retired: $0)
            }
        }
        return RetiredSides(ended, of: snapshot.snapshot)
    }

    /// Begins to make changes of clients that know such sides.
    ///
    /// - Parameter application: of the realm as if the sides were there; has made no changes yet.
    package func writing(
        _ sides: RetiredSides, beside application: ChangeApplication, in draft: ChangeDraft
    ) throws -> RetiredSidesWriting {
        let caller = FunctionCaller(app: draft.current?.info.appID, limits: tools.limits)
        return try RetiredSidesWriting(sides, beside: application, in: draft.store) {
            [functions = tools.functions] in
            try functions.call($0, andBack: $1, on: $2, policy: $3, for: caller, meanwhile: $4)
        }
    }

    /// Applies a batch of such changes, whose objects are up to date, and writes the other sides of what it changes.
    ///
    /// - Returns: the outcome, and what it came to.
    package func apply(
        _ batch: ChangeBatch, by writing: RetiredSidesWriting, to application: ChangeApplication, in draft: ChangeDraft
    ) throws -> (outcome: RetiredSidesWriting.Outcome, written: Written) {
        let partners = try beginWriting(
            beside: application, in: draft, for: FunctionCaller(app: draft.current?.info.appID, limits: tools.limits))
        let outcome = try writing.apply(batch, writing: partners.map(\.writing))
        var written = Written(partners, outcome.effects)
        written.applications += writing.applications
        return (outcome, written)
    }
}
