import Columns
import Postgres
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore

/// The outcome of an attempt of a migration.
public struct MigrationOutcome: JobOutcome {
    /// The effect on the realm.
    public enum Change {
        /// The realm as it is to be from now on.
        case migrated(Snapshot)
        /// A synced realm with additions to its schema, made of whatever is current when the job ends; nil where that has
        /// them already. Called with the realm locked.
        case additions((Realm, Snapshot) throws -> Additions?)
        /// The realm stays at the source snapshot.
        case unchanged
        /// A rehearsal: what the realm would be, to be looked at, where it would be otherwise than it is; and what was found.
        case rehearsed(Snapshot?, report: JSONValue)
    }

    /// A synced realm with additions to its schema.
    public struct Additions {
        /// The realm.
        public var snapshot: Snapshot
        /// The difference from the snapshot before.
        public var delta: SnapshotDelta
        /// The books of partners, where objects were given defaults that these had to hear of.
        public var books: [PartnerBook]

        /// Describes additions.
        public init(_ snapshot: Snapshot, delta: SnapshotDelta, books: [PartnerBook] = []) {
            self.snapshot = snapshot
            self.delta = delta
            self.books = books
        }
    }

    private let change: Change
    private let quarantined: [QuarantinedObject]
    private let order: MigrationOrder
    private let segments: PostgresSegmentStore?

    /// An outcome.
    ///
    /// - Parameters:
    ///   - order: the attempt's.
    ///   - quarantined: the objects that were set aside.
    ///   - segments: what `JobStore.segments(for:of:)` gave; nil where nothing was to be written.
    public init(
        _ change: Change, quarantined: [QuarantinedObject] = [], of order: MigrationOrder,
        segments: PostgresSegmentStore?
    ) {
        self.change = change
        self.quarantined = quarantined
        self.order = order
        self.segments = segments
    }

    /// Makes the new snapshot the realm's current one; of an exclusive job where the source is that still.
    ///
    /// - Throws: `StoreError.realmChanged`; what additions are refused for.
    public func finish(_ ending: JobEnding) throws -> Job {
        switch change {
        case .migrated, .rehearsed(_?, _): try segments?.flushUnlessSmall()
        case .additions, .unchanged, .rehearsed(nil, _): break
        }
        var job = try ending.commit { connection in
            let (realm, isCancelRequested) = try ending.lockRealm(connection)
            guard !isCancelRequested else { return .cancelled }
            let end = try end(in: realm, of: ending.lease.job, connection)
            try JobStore.keep(
                quarantined, of: ending.lease.job.id, in: realm.appID, retryOf: order.request.retry?.job, connection)
            return end
        }
        segments?.didCommit()
        if job.state == .succeeded { job.quarantinedCount = quarantined.count }
        return job
    }

    private func end(in realm: Realm, of job: Job, _ connection: PostgresConnection) throws -> JobEnding.End {
        func insert(
            _ snapshot: Snapshot, _ delta: SnapshotDelta? = nil, into other: Realm? = nil,
            asPreview isPreview: Bool = false
        ) throws -> RealmModel.UUID {
            try SnapshotStore.Snapshots.insert(
                snapshot, into: other ?? realm, origin: .migration(job: job.id), delta: delta, asPreview: isPreview,
                connection
            ).id
        }
        guard let current = realm.currentSnapshot, current == order.sourceSnapshot || !order.isExclusive else {
            throw StoreError.realmChanged
        }
        switch change {
        case .migrated(let snapshot):
            try segments?.commitBatch(to: realm, connection)
            return .succeeded(try insert(snapshot))
        case .additions(let make):
            let source = try SnapshotStore.Snapshots.manifest(of: current, in: realm.appID, connection)
            guard let added = try make(realm, source) else { return .succeeded(current) }
            if !added.books.isEmpty { try segments?.commitBatch(to: realm, connection) }
            for book in added.books { try book.write(to: realm, connection) }
            return .succeeded(try insert(added.snapshot, added.delta))
        case .unchanged: return .succeeded(current)
        case .rehearsed(let snapshot, let report):
            try JobStore.keep(report, of: job, connection)
            guard let snapshot else { return .succeeded(nil) }
            try segments?.commitBatch(to: realm, connection)
            // The realm may have gone on.
            var source = realm
            source.currentSnapshot = order.sourceSnapshot
            return .succeeded(try insert(snapshot, into: source, asPreview: true))
        }
    }

    /// Forgets the segments that were not committed.
    public func close() { segments?.close() }
}

extension JobStore {
    /// The store that an attempt of a migration reads and writes; its batch bears the lease's token.
    public func segments(for lease: JobLease, of order: MigrationOrder) -> PostgresSegmentStore {
        PostgresSegmentStore(
            store, appID: lease.job.appID, realmID: order.realmID, owner: .attempt, batch: BatchID(lease.token))
    }
}
