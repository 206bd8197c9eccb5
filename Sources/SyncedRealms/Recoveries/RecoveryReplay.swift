import Columns
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

/// Does what clients of an old schema had not sent, as far as it fits the realm's schema of now.
///
/// Changes that do not fit are left out and reported; nothing that was sent leaves the recovery.
package struct RecoveryReplay {
    /// Something of a batch that the realm's schema does not take.
    struct LeftOut {
        let className: String
        let key: JSONValue
        /// The property; nil for the whole object.
        let property: String?
        let reason: String

        var json: JSONValue {
            [
                "class": .string(className), "key": key, "property": property.map { .string($0) } ?? .null,
                "reason": .string(reason),
            ]
        }
    }

    /// Reads a batch that clients of a schema have sent.
    package typealias Reading = (_ changes: [UInt8], _ sent: Schema) throws -> UnsentChanges

    private let store: SnapshotStore
    private let realm: Realm
    private let recovery: Recovery
    private let partners: PartnerWriter
    private let read: Reading

    /// How many objects were made, changed or deleted.
    package private(set) var applied = 0

    /// Begins with none of a recovery's batches done.
    ///
    /// - Parameter partners: writes the other sides of what is changed.
    package init(
        _ recovery: Recovery, of realm: Realm, in store: SnapshotStore, partners: PartnerWriter,
        reading read: @escaping Reading
    ) {
        (self.recovery, self.realm, self.store, self.partners, self.read) = (recovery, realm, store, partners, read)
    }

    /// Does all batches that were not done yet, in the order in which they came; each as a whole or not at all.
    ///
    /// - Parameter requireSync: refuses a realm whose sync is not enabled.
    package mutating func run(requireSync: (Realm) throws -> Void) throws {
        while true {
            let batches = try store.recoveries.batches(of: recovery.id, of: realm, onlyPending: true)
            guard !batches.isEmpty else { return }
            for batch in batches { try replay(batch, requireSync) }
        }
    }

    private mutating func replay(_ batch: RecoveryBatch, _ requireSync: (Realm) throws -> Void) throws {
        let sent = try store.schemaVersions.find(batch.version, of: realm.app).schema
        let changes = try read(batch.changes, sent)
        applied += try store.snapshots.change(realm.name, in: realm.app) { draft in
            // Another replay may have been faster.
            guard try store.recoveries.isPending(batch.ordinal, of: recovery.id, of: realm) else { return 0 }
            return try replay(changes, from: sent, batch, requireSync, to: draft)
        }
    }

    private func replay(
        _ changes: UnsentChanges, from sent: Schema, _ batch: RecoveryBatch, _ requireSync: (Realm) throws -> Void,
        to draft: ChangeDraft
    ) throws -> Int {
        try requireSync(draft.realm)
        guard let current = draft.current else { throw PartnerRefusal.emptyRealm }
        let server = current.snapshot.declared
        let sides = try partners.retiredSides(of: draft.realm, in: current)
        let plans = try partners.plans(in: draft)
        var fitting = FittingChanges(
            changes, from: sent, to: sides, of: server, writtenBeside: plans,
            without: try partners.remadeSides(of: draft.realm, since: recovery))
        let attempts = try RecoveryAttempts(
            from: sent, version: batch.version, to: sides, of: current.snapshot, through: plans,
            preparing: try partners.plans(in: draft, preparing: true), partners, draft)
        let (application, outcome, written) = try attempts.make(&fitting)
        try fitting.tell(outcome.unheard)
        let leftOut = JSONValue.array(fitting.leftOut.map(\.json)).encoded()
        _ = try written.commit(
            application, in: draft, declaring: server, replaying: (recovery.id, batch.ordinal, leftOut))
        return outcome.count
    }
}
