import Columns
import Postgres
import RealmModel

/// The apps, their realms and the snapshots of these, in PostgreSQL.
///
/// Every function of its facets throws `StoreError`, or `PostgresError` where the database fails.
public struct SnapshotStore: Sendable {
    package let pool: PostgresPool
    let blobs: any SegmentBlobs
    let limits: MaintenanceLimits
    let indexing = IndexingTurn()
    let heldRealms: HeldRealms
    let recentBytes = RecentlyRead.bytes()
    let recentArrays = RecentlyRead.arrays()
    let recentPatches = RecentlyRead.patches()
    let recentRuns = RecentlyRead.runs()
    /// How many objects of a synced realm may lack a required value before its sync has to be terminated.
    public let unsyncedLimit: Int

    /// A store over a pool; `DatabaseSchema.upgrade` has to have run.
    ///
    /// - Parameter unsyncedLimit: how many objects of a synced realm may lack a required value; Realm's own limit, unless said
    ///   otherwise.
    public init(
        _ pool: PostgresPool, maintenance: MaintenanceLimits = MaintenanceLimits(), unsyncedLimit: Int = 100_000
    ) {
        self.init(
            pool, maintenance: maintenance, blobs: PostgresSegmentBlobs(pool: pool), unsyncedLimit: unsyncedLimit)
    }

    /// A store whose segments have their bytes in a place of their own.
    init(_ pool: PostgresPool, maintenance: MaintenanceLimits, blobs: any SegmentBlobs, unsyncedLimit: Int = 100_000) {
        self.pool = pool
        heldRealms = HeldRealms(atMost: pool.usage.limit / 4)
        limits = maintenance
        self.blobs = blobs
        self.unsyncedLimit = unsyncedLimit
    }

    /// The apps.
    public var apps: Apps { Apps(store: self) }

    /// The schema versions that apps have declared.
    public var schemaVersions: SchemaVersions { SchemaVersions(store: self) }

    /// The realms of apps.
    public var realms: Realms { Realms(store: self) }

    /// The snapshots of realms, and drafts of the next ones.
    public var snapshots: Snapshots { Snapshots(store: self) }

    /// The recoveries of clients of schemas that sync was terminated with.
    public var recoveries: Recoveries { Recoveries(store: self) }

    /// Uploads that come in parts.
    public var uploads: Uploads { Uploads(store: self) }

    /// Removes segments and rows that nothing names any more.
    public var maintenance: Maintenance { Maintenance(store: self) }
}

extension SnapshotStore {
    /// The apps.
    public struct Apps: StoreFacet, Sendable {
        let store: SnapshotStore
    }

    /// The schema versions that apps have declared.
    public struct SchemaVersions: StoreFacet, Sendable {
        let store: SnapshotStore
    }

    /// The realms of apps.
    public struct Realms: StoreFacet, Sendable {
        let store: SnapshotStore
    }

    /// The snapshots of realms, and drafts of the next ones.
    public struct Snapshots: StoreFacet, Sendable {
        let store: SnapshotStore
    }

    /// The recoveries of clients of schemas that sync was terminated with.
    public struct Recoveries: StoreFacet, Sendable {
        let store: SnapshotStore
    }

    /// Uploads that come in parts.
    public struct Uploads: StoreFacet, Sendable {
        let store: SnapshotStore
    }

    /// Removes segments and rows that nothing names any more.
    public struct Maintenance: StoreFacet, Sendable {
        let store: SnapshotStore
    }
}

/// The part of the store for one subject.
protocol StoreFacet {
    var store: SnapshotStore { get }
}

extension StoreFacet {
    var pool: PostgresPool { store.pool }
}
