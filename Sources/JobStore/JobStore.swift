import Postgres
import SnapshotStore

/// The jobs, for clients and for the workers that run them, with the fleets and partners that make jobs, in PostgreSQL.
///
/// Every function of it and of its parts throws `StoreError`, or `PostgresError` where the database fails.
public struct JobStore: Sendable {
    /// The realms and snapshots that the jobs are about.
    public let store: SnapshotStore
    let pendingHints = PendingHints()
    let appChanges = PendingAppChanges()
    let sightings = VersionSightings()

    /// The jobs in the database of a store.
    public init(_ store: SnapshotStore) { self.store = store }

    var pool: PostgresPool { store.pool }

    /// Many realms on their way to one schema version.
    public var fleets: Fleets { Fleets(jobs: self) }

    /// The partners of classes and properties of synced realms.
    public var partners: Partners { Partners(jobs: self) }

    /// Many realms on their way to one schema version.
    public struct Fleets: Sendable {
        let jobs: JobStore
        var pool: PostgresPool { jobs.pool }
    }

    /// The partners of classes and properties of synced realms.
    public struct Partners: Sendable {
        let jobs: JobStore
        var pool: PostgresPool { jobs.pool }
    }
}
