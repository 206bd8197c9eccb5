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
        let preparing = try partners.plans(in: draft, preparing: true)
        var fitting = FittingChanges(
            changes, from: sent, to: sides, of: server, writtenBeside: plans,
            without: try partners.remadeSides(of: draft.realm, since: recovery))
        // As if what has left the schema were there.
        var before = current.snapshot
        before.declared = sides.schema
        let view = try SchemaView(
            server: sides.schema, version: batch.version, declared: sides.schema.showingEmbedded(of: sent))
        let objects = ObjectJSON(current.snapshot, from: draft.store)
        while true {
            // Each round leaves something out: of many changes that is much work.
            try WorkBudget.spend(fitting.byteCount)
            try WorkBudget.current?.look()
            let application = ChangeApplication(to: before, as: view, in: draft.store)
            let writing = try partners.writing(sides, beside: application, in: draft)
            let reader = ChangeBatchReader(view.shown, limit: .max)
            func read() throws -> ChangeBatch { try reader.read(fitting.batch.encoded()) }
            let named: ChangeBatch
            do {
                named = try read()
            } catch let error as InputError {
                guard fitting.leaveOut(error) else { throw error }
                continue
            }
            // An object that fails has changed nothing for the others, but the application is of no use any more.
            let stale = try writing.refresh(for: named)
            if try fitting.leaveOut(stale) { continue }
            let isIncomplete = try fitting.leaveOutIncomplete(completing: writing) { className, key in
                try server[className] == nil
                    ? writing.has(key, of: className)
                    : objects.object(primaryKey: key, ofClass: className) != nil
                        || writing.hasOtherSide(key, of: className, through: plans)
            }
            if isIncomplete { continue }
            // An object that is left out may have given others what they need.
            let broken = try application.brokenLinks(in: try read()) { className, key in
                try writing.hasOtherSide(key, of: className, through: preparing)
            }
            if fitting.leaveOut(broken) { continue }
            let (outcome, written) = try partners.apply(try read(), by: writing, to: application, in: draft)
            if try fitting.leaveOut(outcome.refusals) { continue }
            try fitting.tell(outcome.unheard)
            let leftOut = JSONValue.array(fitting.leftOut.map(\.json)).encoded()
            _ = try written.commit(
                application, in: draft, declaring: server, replaying: (recovery.id, batch.ordinal, leftOut))
            return outcome.count
        }
    }
}

extension Schema {
    /// The schema with the embedded classes as another one declares them: what that does not have of them is kept.
    fileprivate func showingEmbedded(of other: Schema) -> Schema {
        var shown = self
        for index in shown.classes.indices where shown.classes[index].isEmbedded {
            guard let known = other[shown.classes[index].name] else { continue }
            let fitting = shown.classes[index].properties.filter { known.property(named: $0.name) != nil }
            if !fitting.isEmpty { shown.classes[index].properties = fitting }
        }
        return shown
    }
}
