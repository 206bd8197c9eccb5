import Columns
import Postgres
import RealmModel
import StoreCore

/// A draft of a realm's next snapshot, by an upload or by changes: a store to write to, then `commit`; a draft that is let
/// go of leaves nothing.
public final class SnapshotDraft {
    /// Takes the realm's segments, and reads what it took.
    public let store: PostgresSegmentStore
    /// The realm's current snapshot when the draft was begun.
    public let parent: RealmModel.UUID?

    private let pool: PostgresPool
    /// Is in a transaction that holds the realm, where the draft is part of one.
    private let holder: PostgresConnection?
    private let app: String
    private let realm: String
    /// How `parent` was kept when it was read; nil where that does not matter.
    var representation: Int?
    private var isOver = false

    init(
        _ pool: PostgresPool, store: PostgresSegmentStore, app: String, realm: String, parent: RealmModel.UUID?,
        representation: Int? = nil, heldBy holder: PostgresConnection? = nil
    ) {
        self.representation = representation
        self.holder = holder
        self.pool = pool
        self.store = store
        self.app = app
        self.realm = realm
        self.parent = parent
    }

    deinit { cancel() }

    /// Makes what was written the realm's current snapshot, in one short transaction.
    ///
    /// - Parameters:
    ///   - origin: `upload` or `changes`.
    ///   - onlyIfCurrent: whether the realm's current snapshot has to be `parent` still.
    ///   - delta: what it has otherwise than `parent`; nil where that is not known.
    ///   - retired: of a realm whose sync was terminated, the schema that it had: sync is enabled with the new one.
    ///   - condition: what the realm has to be.
    ///   - upload: what came in parts and becomes this snapshot.
    /// - Throws: `StoreError.migrationActive`, `realmChanged`, `draftExpired`, `notFound` (app); of an upload to a synced
    ///   realm `realmIsSynced`, and `syncedSchemaInvalid`; nothing is changed then.
    public func commit(
        _ snapshot: Snapshot, createdBy origin: SnapshotOrigin = .upload, onlyIfCurrent: Bool = false,
        delta: SnapshotDelta? = nil, retiring retired: Schema? = nil, where condition: RealmCondition? = nil,
        finishing upload: PartialUpload? = nil
    ) throws -> SnapshotInfo {
        try commit(
            snapshot, createdBy: origin, onlyIfCurrent: onlyIfCurrent, delta: delta, isTerminated: retired != nil,
            where: condition, finishing: upload
        ) {
            realm, connection in
            if let retired {
                try SnapshotStore.Recoveries.begin(retiring: retired, of: realm, connection)
            }
        }
    }

    /// Makes what was written the realm's current snapshot, and does something else in the same transaction.
    ///
    /// - Parameter isTerminated: whether sync of the realm may be terminated.
    func commit(
        _ snapshot: Snapshot, createdBy origin: SnapshotOrigin, onlyIfCurrent: Bool, delta: SnapshotDelta?,
        isTerminated: Bool = false, where condition: RealmCondition? = nil, finishing upload: PartialUpload? = nil,
        alongside: (Realm, PostgresConnection) throws -> Void
    ) throws -> SnapshotInfo {
        try store.flushUnlessSmall()
        let info = try inTransaction { connection in
            let (locked, isNew) = try self.lockOrMakeRealm(connection, condition)
            if origin == .upload {
                // A new realm has no jobs.
                if !isNew { try SnapshotStore.Realms.requireNoExclusiveJob(of: locked, connection) }
                if locked.kind == .synced { try Self.requireFirst(snapshot, of: locked) }
            }
            // Who began before sync was terminated comes too late.
            guard isTerminated || locked.sync?.isTerminated != true else {
                throw StoreError.syncNotEnabled(.terminated)
            }
            guard !onlyIfCurrent || locked.currentSnapshot == self.parent else { throw StoreError.realmChanged }
            guard self.representation == nil || locked.representation == self.representation else {
                throw StoreError.realmChanged
            }
            try self.store.commitBatch(to: locked, connection)
            try alongside(locked, connection)
            let info = try SnapshotStore.Snapshots.insert(
                snapshot, into: locked, origin: origin, delta: delta, whereAlone: origin != .upload, connection)
            if let upload { try SnapshotStore.Uploads.finish(upload, as: info.id, connection) }
            return info
        }
        if holder == nil { didCommit() }
        return info
    }

    /// Says that the transaction that holds the realm was committed, and with it the draft.
    func didCommit() {
        store.didCommit()
        isOver = true
    }

    private func inTransaction<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        if let holder { try body(holder) } else { try pool.transaction { try body($0) } }
    }

    /// Refuses what a synced realm can't begin with: it is uploaded once, with a schema that clients can share.
    private static func requireFirst(_ snapshot: Snapshot, of realm: Realm) throws {
        guard realm.currentSnapshot == nil else { throw StoreError.realmIsSynced }
        let errors = snapshot.declared.validate(.flexibleSync)
        guard errors.isEmpty else { throw StoreError.syncedSchemaInvalid(errors) }
    }

    /// Forgets what was written; maintenance would too, later.
    public func cancel() {
        guard !isOver else { return }
        isOver = true
        store.abandon()
    }

    /// Locks the realm, made where it is not there yet.
    private func lockOrMakeRealm(
        _ connection: PostgresConnection, _ condition: RealmCondition?
    ) throws -> (realm: Realm, isNew: Bool) {
        let there = try SnapshotStore.Realms.lockIfThere(realm, in: app, connection)
        try condition?(there)
        if let there { return (there, false) }
        let new = try SnapshotStore.Realms.make(realm, as: store.realmID, in: app, as: store.appID, connection)
        if let new { return (new, true) }
        return (try SnapshotStore.Realms.lock(realm, in: app, connection), false)
    }
}
