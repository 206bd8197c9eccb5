import Columns
import Postgres
import RealmModel

/// What an attempt of a migration came to.
public struct MigrationOutcome: JobOutcome {
    /// What becomes of the realm.
    public enum Change: Sendable {
        /// The realm as it is to be from now on.
        case migrated(Snapshot)
        /// The realm stays at the source snapshot.
        case unchanged
        /// It would have worked.
        case dryRun
    }

    private let change: Change
    private let order: MigrationOrder
    private let segments: PostgresSegmentStore?

    /// An outcome.
    ///
    /// - Parameters:
    ///   - order: the attempt's.
    ///   - segments: what `SnapshotStore.Jobs.segments(for:of:)` gave; nil where nothing was to be written.
    public init(_ change: Change, of order: MigrationOrder, segments: PostgresSegmentStore?) {
        self.change = change
        self.order = order
        self.segments = segments
    }

    /// Makes the new snapshot the realm's current one, where the source is that still.
    ///
    /// - Throws: `StoreError.realmChanged`.
    public func finish(_ ending: JobEnding) throws -> Job {
        if case .migrated = change { try segments?.flushUnlessSmall() }
        let job = try ending.commit { connection in
            let (realm, isCancelRequested) = try ending.lockRealm(connection)
            guard !isCancelRequested else { return .cancelled }
            guard realm.currentSnapshot == order.sourceSnapshot else { throw StoreError.realmChanged }
            switch change {
            case .migrated(let snapshot):
                try segments?.commitBatch(to: realm, connection)
                let origin = SnapshotOrigin.migration(job: ending.lease.job.id)
                return .succeeded(try SnapshotStore.Snapshots.insert(snapshot, into: realm, origin: origin, connection))
            case .unchanged: return .succeeded(realm.currentSnapshot)
            case .dryRun: return .succeeded(nil)
            }
        }
        segments?.didCommit()
        return job
    }

    /// Forgets the segments that were not committed.
    public func close() { segments?.close() }
}

extension SnapshotStore.Jobs {
    /// The store that an attempt of a migration reads and writes; its batch bears the lease's token.
    public func segments(for lease: JobLease, of order: MigrationOrder) -> PostgresSegmentStore {
        PostgresSegmentStore(
            store, appID: lease.job.appID, realmID: order.realmID, owner: .attempt, batch: BatchID(lease.token))
    }
}
