import Columns
import Problems
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore

/// Changes the schema of synced realms at the request of clients and of those who run them.
public struct SyncedSchemas: Sendable {
    let store: SnapshotStore

    /// The schemas of a store's realms.
    public init(_ store: SnapshotStore) {
        self.store = store
    }

    /// The effect of a client's model on the schema.
    public struct Growth: Sendable {
        /// The realm's current snapshot.
        public let snapshot: SnapshotInfo
        /// The additions; empty where the schema had all of it.
        public let added: [SchemaChangeReport]
    }

    /// Adds what a client's model has and the realm's schema has not, where the realm is in development mode.
    ///
    /// Classes and properties that the model lacks stay. Done with the realm locked, and no columns read: changes go on
    /// before and after.
    ///
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none yet); `realmNotSynced`, `syncNotEnabled`;
    ///   `ServerSchemaError` where the model contradicts the schema; `ModelError`; what the condition throws.
    public func take(
        model: Schema, realm name: String, app: String, where condition: RealmCondition? = nil
    ) throws -> Growth {
        let realm = try store.realms.find(name, in: app)
        try condition?(realm)
        guard let sync = realm.sync else { throw StoreError.realmNotSynced }
        let state = sync.state(unsyncedLimit: store.unsyncedLimit)
        guard state == .enabled else { throw StoreError.syncNotEnabled(state) }
        var added: [SchemaChangeReport] = []
        let snapshot = try store.snapshots.replaceCurrent(of: name, in: app, where: condition) { current, segments in
            let grown = try ServerSchema(current).grown(by: model)
            added = SchemaChangeReport.compare(existing: current.declared, target: grown)
            guard !added.isEmpty else { return nil }
            guard sync.isInDevelopment else { throw ModelError.notInDevelopment(added) }
            let request = MigrationRequest(
                source: current, target: grown, targetVersion: current.schemaVersion ?? 0, mode: .additiveDiscovered,
                addedRequired: .absent)
            return try Migration(request, store: segments).run(script: nil).snapshot
        }
        return Growth(snapshot: snapshot, added: added)
    }
}

extension SyncedSchemas {
    /// Enables sync of a realm that it was terminated of, with another schema, which may break with the one before.
    ///
    /// Clients of versions that don't fit the new schema have to start over; what they had not sent the realm's recovery takes.
    ///
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none yet), `realmNotSynced`,
    ///   `syncNotTerminated`, `realmChanged`; `ServerSchemaError`; what the condition throws.
    public func enable(
        _ schema: Schema, realm name: String, app: String, where condition: RealmCondition? = nil
    ) throws -> Realm {
        let realm = try store.realms.find(name, in: app)
        try condition?(realm)
        guard let sync = realm.sync else { throw StoreError.realmNotSynced }
        guard sync.isTerminated else { throw StoreError.syncNotTerminated }
        let draft = try store.snapshots.beginDraft(of: name, in: app, createdBy: .changes)
        defer { draft.cancel() }
        let opened = try store.snapshots.openCurrent(of: name, in: app)
        guard opened.info.id == draft.parent else { throw StoreError.realmChanged }
        let replaced = try SchemaReplacement(opened.snapshot, in: draft.store).replaced(by: schema)
        _ = try draft.commit(
            replaced, createdBy: .changes, onlyIfCurrent: true, retiring: opened.snapshot.declared,
            where: condition)
        return try store.realms.find(name, in: app)
    }
}

/// Why a client's model is not taken.
public enum ModelError: Error, Hashable, Sendable {
    /// The realm is not in development mode, and the model has more than its schema.
    case notInDevelopment([SchemaChangeReport])
}

extension ProblemDocument {
    /// The problem of a client's model that is not taken.
    public init(_ error: ModelError) {
        switch error {
        case .notInDevelopment(let added):
            self.init(
                .developmentModeOff,
                "The model has more than the realm's schema, which takes that from clients in development mode alone.",
                errors: added.map { ProblemItem($0.message, className: $0.className, property: $0.property) })
        }
    }
}
