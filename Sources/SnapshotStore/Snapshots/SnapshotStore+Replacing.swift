import Columns
import Postgres
import RealmModel

extension SnapshotStore.Snapshots {
    /// Replaces a realm's current snapshot by one that is made of it while nothing else changes the realm.
    ///
    /// - Parameter make: gets the current snapshot and a store that reads its segments, and answers nil where nothing is to
    ///   change; has to be quick, and writes no segments.
    /// - Returns: the realm's current snapshot.
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none yet), `migrationActive`; what `make`
    ///   throws.
    public func replaceCurrent(
        of name: String, in app: String, _ make: (Snapshot, PostgresSegmentStore) throws -> Snapshot?
    ) throws -> SnapshotInfo {
        try pool.transaction { connection in
            let realm = try SnapshotStore.Realms.lock(name, in: app, connection)
            try SnapshotStore.Realms.requireNoExclusiveJob(of: realm, connection)
            guard let current = realm.currentSnapshot else {
                throw StoreError.notFound(.snapshot, "\(name), current")
            }
            let segments = PostgresSegmentStore(store, appID: realm.appID, realmID: realm.id)
            let made = try make(try Self.manifest(of: current, connection), segments)
            let id = try made.map { try Self.insert($0, into: realm, origin: .changes, connection) } ?? current
            return try Self.snapshot(id, connection)
        }
    }
}
