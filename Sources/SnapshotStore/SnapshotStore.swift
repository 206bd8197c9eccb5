import Columns
import Postgres
import RealmModel

/// Everything that the service keeps, in PostgreSQL, by what it is about.
///
/// Every function of its facets throws `StoreError`, or `PostgresError` where the database fails.
public struct SnapshotStore: Sendable {
    let pool: PostgresPool
    let blobs: any SegmentBlobs
    let limits: MaintenanceLimits
    let indexing = IndexingTurn()
    let recent = RecentBytes()

    /// A store over a pool; `DatabaseSchema.upgrade` has to have run.
    public init(_ pool: PostgresPool, maintenance: MaintenanceLimits = MaintenanceLimits()) {
        self.init(pool, maintenance: maintenance, blobs: PostgresSegmentBlobs(pool: pool))
    }

    /// A store whose segments have their bytes in a place of their own.
    init(_ pool: PostgresPool, maintenance: MaintenanceLimits, blobs: any SegmentBlobs) {
        self.pool = pool
        limits = maintenance
        self.blobs = blobs
    }

    /// The apps.
    public var apps: Apps { Apps(store: self) }

    /// The schema versions that apps have declared.
    public var schemaVersions: SchemaVersions { SchemaVersions(store: self) }

    /// The realms of apps.
    public var realms: Realms { Realms(store: self) }

    /// The snapshots of realms, and drafts of the next ones.
    public var snapshots: Snapshots { Snapshots(store: self) }

    /// The jobs: for clients, and for the workers that run them.
    public var jobs: Jobs { Jobs(store: self) }

    /// The keys that clients authenticate with.
    public var keys: Keys { Keys(store: self) }

    /// What removes that which nothing names any more.
    public var maintenance: Maintenance { Maintenance(store: self) }
}

extension SnapshotStore {
    /// The apps.
    public struct Apps: Sendable {
        let store: SnapshotStore
        var pool: PostgresPool { store.pool }
    }

    /// The schema versions that apps have declared.
    public struct SchemaVersions: Sendable {
        let store: SnapshotStore
        var pool: PostgresPool { store.pool }
    }

    /// The realms of apps.
    public struct Realms: Sendable {
        let store: SnapshotStore
        var pool: PostgresPool { store.pool }
    }

    /// The snapshots of realms, and drafts of the next ones.
    public struct Snapshots: Sendable {
        let store: SnapshotStore
        var pool: PostgresPool { store.pool }
    }

    /// The jobs: for clients, and for the workers that run them.
    public struct Jobs: Sendable {
        let store: SnapshotStore
        var pool: PostgresPool { store.pool }
    }

    /// The keys that clients authenticate with.
    public struct Keys: Sendable {
        let store: SnapshotStore
        var pool: PostgresPool { store.pool }
    }

    /// What removes that which nothing names any more.
    public struct Maintenance: Sendable {
        let store: SnapshotStore
        var pool: PostgresPool { store.pool }
    }
}
