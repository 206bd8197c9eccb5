import Columns
import Postgres
import RealmModel

/// Everything that the service keeps: apps, schema versions, realms, snapshots, jobs and keys, in PostgreSQL.
///
/// Every function throws `StoreError`, or `PostgresError` where the database fails.
public struct SnapshotStore: Sendable {
    let pool: PostgresPool
    let maintenance: MaintenanceLimits

    /// A store over a pool; `DatabaseSchema.upgrade` has to have run.
    public init(_ pool: PostgresPool, maintenance: MaintenanceLimits = MaintenanceLimits()) {
        self.pool = pool
        self.maintenance = maintenance
    }
}
