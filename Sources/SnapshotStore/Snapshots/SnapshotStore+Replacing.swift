import Columns
import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Snapshots {
    /// Replaces a realm's current snapshot by one that is made of it while nothing else changes the realm.
    ///
    /// - Parameter make: gets the current snapshot and a store that reads its segments, and answers nil where nothing is to
    ///   change; has to be quick, and writes no segments.
    /// - Returns: the realm's current snapshot.
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none yet), `migrationActive`; what `make`
    ///   throws, and what the condition throws.
    public func replaceCurrent(
        of name: String, in app: String, where condition: RealmCondition? = nil,
        _ make: (Snapshot, PostgresSegmentStore) throws -> Snapshot?
    ) throws -> SnapshotInfo {
        try pool.transaction { connection in
            let realm = try SnapshotStore.Realms.lock(name, in: app, connection)
            try condition?(realm)
            try SnapshotStore.Realms.requireNoExclusiveJob(of: realm, connection)
            guard let current = realm.currentSnapshot else {
                throw StoreError.notFound(.snapshot, "\(name), current")
            }
            let segments = PostgresSegmentStore(store, appID: realm.appID, realmID: realm.id)
            let source = try Self.manifest(of: current, in: realm.appID, connection)
            guard let made = try make(source, segments) else {
                return try Self.snapshot(current, in: realm.appID, connection)
            }
            let delta = SnapshotDelta(schemaOf: source, to: made)
            return try Self.insert(made, into: realm, origin: .changes, delta: delta, connection)
        }
    }
}
