import Columns
import MigrationJobs
import RealmJSON
import RealmModel
import RealmSync
import SnapshotStore

/// Does what clients of an old schema had not sent, as far as it fits the realm's schema of now.
///
/// What does not fit is left out and said; nothing that was sent leaves the recovery.
struct RecoveryReplay {
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

    let store: SnapshotStore
    let realm: Realm
    let recovery: Recovery
    /// Writes the other sides of what is changed.
    let partners: PartnerWriter

    private(set) var applied = 0
    private(set) var leftOut: [LeftOut] = []

    init(store: SnapshotStore, realm: Realm, recovery: Recovery, partners: PartnerWriter) {
        self.partners = partners
        self.store = store
        self.realm = realm
        self.recovery = recovery
    }

    /// Does all batches that were not done yet, in the order in which they came; each as a whole or not at all.
    ///
    /// - Parameter requireSync: refuses a realm whose sync is not enabled.
    mutating func run(requireSync: (Realm) throws -> Void) throws {
        while true {
            let batches = try store.recoveries.batches(of: recovery.id, of: realm, onlyPending: true)
            guard !batches.isEmpty else { return }
            for batch in batches { try replay(batch, requireSync) }
        }
    }

    private mutating func replay(_ batch: RecoveryBatch, _ requireSync: (Realm) throws -> Void) throws {
        let sent = try store.schemaVersions.find(batch.version, of: realm.app).schema
        let changes = try UnsentChanges(try JSONValue.parse(batch.changes), sent)
        let done = try store.snapshots.change(realm.name, in: realm.app) { draft in
            try replay(changes, from: sent, batch, requireSync, to: draft)
        }
        applied += done.count
        leftOut += done.leftOut
    }

    private func replay(
        _ changes: UnsentChanges, from sent: Schema, _ batch: RecoveryBatch, _ requireSync: (Realm) throws -> Void,
        to draft: ChangeDraft
    ) throws -> (count: Int, leftOut: [LeftOut]) {
        try requireSync(draft.realm)
        guard let current = draft.current else { throw APIError.realmWithoutSnapshot }
        let server = current.snapshot.declared
        var fitting = try FittingChanges(changes, from: sent, to: server) { className, key in
            try ObjectJSON(current.snapshot, from: draft.store).object(primaryKey: key, ofClass: className) != nil
        }
        let application = ChangeApplication(to: current.snapshot, in: draft.store)
        let reader = ChangeBatchReader(server, limit: .max)
        var read = try reader.read(fitting.batch.encoded())
        let broken = try application.brokenLinks(in: read)
        if !broken.isEmpty {
            fitting.leaveOut(broken)
            read = try reader.read(fitting.batch.encoded())
        }
        let (count, written) = try partners.apply(read, readWith: server, to: application, in: draft)
        let (snapshot, delta) = try application.finish(with: written.applications)
        _ = try draft.commit(
            snapshot, delta: delta, books: written.books, replaying: (recovery.id, batch.ordinal),
            rebasing: application.finished(on:))
        return (count, fitting.leftOut)
    }
}

/// The part of changes that a schema takes which is not the one that they were made for.
struct FittingChanges {
    private(set) var leftOut: [RecoveryReplay.LeftOut] = []
    /// What fits, by the names of the realm's schema, and the objects as they were sent.
    private var upserts: [(fitting: JSONValue, sent: UnsentChanges.Change)] = []
    private var deletes: [JSONValue] = []

    /// What fits, as a batch of changes.
    var batch: JSONValue { ["upserts": .array(upserts.map(\.fitting)), "deletes": .array(deletes)] }

    /// - Parameter isThere: whether the realm has an object.
    init(
        _ changes: UnsentChanges, from sent: Schema, to server: Schema, isThere: (String, Value) throws -> Bool
    ) throws {
        for upsert in changes.upserts {
            guard let target = server[upsert.className], let source = sent[upsert.className], !target.isEmbedded else {
                leave(upsert, nil, Self.noClass)
                continue
            }
            var members: [JSONMember] = []
            for member in upsert.object.members ?? [] {
                let property = source.properties.first { $0.publicName.hasSameBytes(as: member.name) }
                guard let property, let now = target.property(named: property.name) else {
                    leave(upsert, member.name, "The realm's schema has no such property any more.")
                    continue
                }
                guard Self.takes(now, property, member.value, sent, server) else {
                    leave(upsert, member.name, "The property is another in the realm's schema.")
                    continue
                }
                members.append(JSONMember(now.publicName, member.value))
            }
            if let missing = Self.missing(in: members, of: target), let property = target.primaryKeyProperty,
                try !isThere(upsert.className, upsert.key.value(of: property, at: "/key"))
            {
                leave(
                    upsert, missing.publicName,
                    "The object is new, and has no value of a property that is required now.")
                continue
            }
            upserts.append((["class": .string(upsert.className), "object": .object(members)], upsert))
        }
        for delete in changes.deletes {
            if server[delete.className] != nil {
                deletes.append(["class": .string(delete.className), "key": delete.key])
            } else {
                leave(delete, nil, Self.noClass)
            }
        }
    }

    /// Leaves out objects with a link that leads to no object.
    ///
    /// - Parameter broken: by their places in the batch, and the classes of what is not there.
    mutating func leaveOut(_ broken: [Int: String]) {
        for (place, target) in broken.sorted(by: { $0.key < $1.key }) {
            leave(upserts[place].sent, nil, "The object links to an object of the class '\(target)' that is not there.")
        }
        upserts = upserts.enumerated().filter { broken[$0.offset] == nil }.map(\.element)
    }

    private mutating func leave(_ change: UnsentChanges.Change, _ property: String?, _ reason: String) {
        leftOut.append(
            RecoveryReplay.LeftOut(className: change.className, key: change.key, property: property, reason: reason))
    }

    private static let noClass = "The realm's schema has no such class any more."

    /// Whether a property takes a value of another declaration of it.
    private static func takes(
        _ now: Property, _ sent: Property, _ value: JSONValue, _ source: Schema, _ target: Schema
    ) -> Bool {
        guard now.hasSameType(as: sent), now.isOptional || !value.isNull,
            !now.isCollection || now.isOptional || !sent.isOptional
        else { return false }
        guard let name = now.objectType, let embedded = target[name], embedded.isEmbedded else { return true }
        guard let before = source[name] else { return false }
        return SchemaDifference.compare(existing: Schema([before]), target: Schema([embedded])).isEmpty
    }

    /// A property that a new object needs a value of and is given none.
    private static func missing(in members: [JSONMember], of target: ObjectSchema) -> Property? {
        target.persistedProperties.first { property in
            property.requiresValue && property.defaultValue == nil
                && !members.contains { $0.name.hasSameBytes(as: property.publicName) }
        }
    }
}
