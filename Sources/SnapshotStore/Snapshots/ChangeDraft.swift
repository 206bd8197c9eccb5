import Columns
import Postgres
import RealmModel
import StoreCore

/// A draft of changes to a realm's current snapshot: the snapshot, and a store that reads it and takes what is new; a draft
/// that is let go of leaves nothing.
public final class ChangeDraft {
    /// The realm.
    public let realm: Realm
    /// The realm's current snapshot, its store that of the draft; nil where there is none yet.
    public let current: OpenSnapshot?
    /// Reads the realm's segments and takes the new ones.
    public var store: PostgresSegmentStore { draft.store }

    /// Whether the realm has partners whose other sides are written; one that is made meanwhile changes the realm first.
    public let hasPartners: Bool

    /// Whether the realm is held for it: nobody else changes the realm meanwhile, and its commit is that of `holding`.
    public let isHeld: Bool

    private let draft: SnapshotDraft
    private let snapshots: SnapshotStore.Snapshots

    init(
        _ snapshots: SnapshotStore.Snapshots, realm: Realm, row: PostgresRow, heldBy holder: PostgresConnection? = nil
    ) throws {
        isHeld = holder != nil
        self.snapshots = snapshots
        self.realm = realm
        hasPartners = try row.value("has_partners")
        let store = PostgresSegmentStore(
            snapshots.store, appID: realm.appID, realmID: realm.id, owner: .draft)
        store.looksUpObjects = true
        draft = SnapshotDraft(
            snapshots.pool, store: store, app: realm.app, realm: realm.name, parent: realm.currentSnapshot,
            representation: realm.representation, heldBy: holder)
        current = try realm.currentSnapshot.map { _ in
            OpenSnapshot(
                info: try SnapshotInfo(row: row),
                snapshot: try SnapshotCoding.decodeSnapshot(
                    try row.value("manifest", as: PostgresBytes.self).bytes),
                store: store)
        }
    }

    /// A batch of a recovery that was done, by its place, and what was left out of it.
    public typealias ReplayedBatch = (recovery: RealmModel.UUID, ordinal: Int, leftOut: [UInt8])

    /// Makes what was changed the realm's current snapshot, where `current` is that still.
    ///
    /// - Parameters:
    ///   - delta: what it has otherwise than `current`; nil where that is not known, and clients that follow begin anew.
    ///   - batch: the batch of a recovery that is noted as done.
    ///   - rebase: makes the same snapshot of `current` where that is kept otherwise by now, because maintenance has folded
    ///     patches; answers nil where all has to be done again.
    ///   - alongside: what else is done in the same transaction; the realm is locked.
    /// - Throws: `StoreError.realmChanged`, `migrationActive`, `notFound` (app, realm), `draftExpired`; nothing is changed
    ///   then.
    package func commit(
        _ snapshot: Snapshot, delta: SnapshotDelta?, replaying batch: ReplayedBatch? = nil,
        rebasing rebase: (Snapshot) throws -> Snapshot? = { _ in nil },
        alongside: (Realm, PostgresConnection) throws -> Void = { _, _ in }
    ) throws -> SnapshotInfo {
        try commit(snapshot, delta, rebase) { realm, connection in
            try alongside(realm, connection)
            guard let batch else { return }
            try SnapshotStore.Recoveries.markReplayed(
                batch.ordinal, leavingOut: batch.leftOut, of: batch.recovery, of: realm, connection)
        }
    }

    /// How often maintenance may be faster than a commit.
    private static let attempts = 10

    private func commit(
        _ snapshot: Snapshot, _ delta: SnapshotDelta?, _ rebase: (Snapshot) throws -> Snapshot?,
        alongside: (Realm, PostgresConnection) throws -> Void
    ) throws -> SnapshotInfo {
        var snapshot = snapshot
        for _ in 1..<Self.attempts {
            do {
                return try draft.commit(
                    snapshot, createdBy: .changes, onlyIfCurrent: true, delta: delta, alongside: alongside)
            } catch StoreError.realmChanged {
                guard let kept = try keptOtherwise(), let rebased = try rebase(kept) else {
                    throw StoreError.realmChanged
                }
                snapshot = rebased
            }
        }
        return try draft.commit(
            snapshot, createdBy: .changes, onlyIfCurrent: true, delta: delta, alongside: alongside)
    }

    /// `current` as it is kept now; nil where it is no longer the realm's current snapshot, or kept as it was.
    private func keptOtherwise() throws -> Snapshot? {
        let rows = try snapshots.pool.withConnection { connection in
            try connection.query(
                """
                SELECT r.representation, s.manifest FROM realm r CROSS JOIN \(unsafeSQL: Realm.currentSnapshotRow)
                WHERE r.app_id = \(realm.appID) AND r.realm_id = \(realm.id) AND r.current_id = \(realm.currentSnapshot)
                """)
        }
        guard let row = rows.first else { return nil }
        let representation = try row.value("representation", as: Int.self)
        guard representation != draft.representation else { return nil }
        draft.representation = representation
        return try SnapshotCoding.decodeSnapshot(try row.value("manifest", as: PostgresBytes.self).bytes)
    }

    /// The difference between an earlier snapshot of the realm and `current`.
    ///
    /// - Throws: `StoreError.notFound` (snapshot) where the realm has none of the id, or `current` did not come of it.
    public func delta(since base: RealmModel.UUID) throws -> SnapshotDelta {
        guard let current, let chain = try snapshots.deltas(from: base, to: current.info.id, of: realm) else {
            throw StoreError.notFound(.snapshot, "\(base)")
        }
        return chain.reduce(into: SnapshotDelta()) { all, link in
            all.merge(link.delta ?? .whole(current.snapshot))
        }
    }

    /// Says that the transaction that holds the realm was committed.
    func didCommit() { draft.didCommit() }

    /// Forgets what was written.
    public func cancel() { draft.cancel() }
}
