import Columns
import JobStore
import RealmModel
import RealmSync
import SnapshotStore

/// The other sides of partners that were written beside the changes of a synced realm.
package struct WrittenSides {
    /// The applications to finish with.
    var applications: [ChangeApplication] = []
    /// The entries that go into the commit.
    var books: [PartnerBook] = []

    /// None.
    package init() {}

    /// One side, with the entry of it.
    package init(_ application: ChangeApplication, _ book: PartnerBook) {
        (applications, books) = ([application], [book])
    }

    /// - Parameter effects: of each partner; nil of one that was left alone.
    init(_ partners: [(partner: Partner, writing: PartnerWriting)], _ effects: [PartnerEffects?]) {
        for ((partner, writing), effects) in zip(partners, effects) {
            guard let effects else { continue }
            applications.append(writing.derived)
            books.append(.write(partner, effects))
        }
    }

    /// Finishes changes with these sides, and makes them the realm's current snapshot.
    ///
    /// - Parameters:
    ///   - declared: the schema that the snapshot has; nil for that of the realm as the changes found it.
    ///   - batch: the batch of a recovery that was done by it.
    /// - Throws: what `ChangeDraft.commit` throws; nothing is changed then.
    package func commit(
        _ changes: ChangeApplication, in draft: ChangeDraft, declaring declared: Schema? = nil,
        replaying batch: ChangeDraft.ReplayedBatch? = nil
    ) throws -> (snapshot: Snapshot, info: SnapshotInfo) {
        let (snapshot, delta) = try changes.finish(with: applications, declaring: declared)
        let info = try draft.commit(
            snapshot, delta: delta, books: books, replaying: batch, rebasing: changes.finished(on:))
        return (snapshot, info)
    }
}
