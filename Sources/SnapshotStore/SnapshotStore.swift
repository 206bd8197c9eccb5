import Columns
import Postgres
import RealmModel

/// Everything that the service keeps: apps, schema versions, realms, snapshots, jobs and keys, in PostgreSQL.
///
/// Every function throws `StoreError`, or `PostgresError` where the database fails.
public struct SnapshotStore: Sendable {
    let pool: PostgresPool
    let blobs: any SegmentBlobs
    let maintenance: MaintenanceLimits
    let indexing = IndexingTurn()

    /// A store over a pool; `DatabaseSchema.upgrade` has to have run.
    public init(_ pool: PostgresPool, maintenance: MaintenanceLimits = MaintenanceLimits()) {
        self.init(pool, maintenance: maintenance, blobs: PostgresSegmentBlobs(pool: pool))
    }

    /// A store whose segments have their bytes in a place of their own.
    init(_ pool: PostgresPool, maintenance: MaintenanceLimits, blobs: any SegmentBlobs) {
        self.pool = pool
        self.maintenance = maintenance
        self.blobs = blobs
    }
}
