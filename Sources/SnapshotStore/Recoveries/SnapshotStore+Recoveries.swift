import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Recoveries {
    /// The bytes of changes that a list begins its last batch with at most.
    private static let listBytes = 4 << 20

    /// A recovery of a realm.
    ///
    /// - Throws: `StoreError.notFound` (app, realm, recovery).
    public func find(_ id: RealmModel.UUID, of realm: String, in app: String) throws -> Recovery {
        try pool.withConnection { connection in
            let realm = try SnapshotStore.Realms.realm(realm, in: app, connection)
            guard let found = try Self.recovery(id, of: realm, connection) else {
                throw StoreError.notFound(.recovery, "\(id)")
            }
            return found
        }
    }

    /// The part of a realm's schema that left when sync was enabled anew; empty where it never was.
    public func retired(of realm: Realm) throws -> Schema {
        guard let id = realm.sync?.recovery else { return Schema() }
        return try pool.withConnection { try Self.recovery(id, of: realm, $0)?.retired ?? Schema() }
    }

    /// Keeps changes that a client had not sent.
    public func append(
        _ changes: [UInt8], version: UInt64, to recovery: RealmModel.UUID, of realm: Realm
    ) throws -> RecoveryBatch {
        try pool.transaction { connection in
            // One after the other, so that each has a number of its own.
            try connection.execute(
                """
                SELECT FROM recovery WHERE app_id = \(realm.appID) AND recovery_id = \(recovery) FOR NO KEY UPDATE
                """)
            let rows = try connection.query(
                """
                INSERT INTO recovery_batch (app_id, recovery_id, ordinal, schema_version, changes)
                SELECT \(realm.appID), \(recovery), coalesce(max(ordinal), 0) + 1, \(StoredVersion(version)),
                    \(PostgresBytes(changes))
                FROM recovery_batch WHERE app_id = \(realm.appID) AND recovery_id = \(recovery)
                RETURNING ordinal, schema_version, changes, created_at, replayed_at, left_out
                """)
            return try RecoveryBatch(row: rows[0])
        }
    }

    /// The batches of a recovery in the order in which they came; 4 MiB of them at most, and one at least.
    ///
    /// - Parameters:
    ///   - ordinal: those up to this number are left out.
    ///   - onlyPending: whether those that were done are left out, too.
    public func batches(
        of recovery: RealmModel.UUID, of realm: Realm, after ordinal: Int = 0, onlyPending: Bool = false
    ) throws -> [RecoveryBatch] {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT * FROM (
                    SELECT ordinal, schema_version, changes, created_at, replayed_at, left_out,
                        sum(octet_length(changes)) OVER (ORDER BY ordinal) - octet_length(changes) AS bytes_before
                    FROM recovery_batch
                    WHERE app_id = \(realm.appID) AND recovery_id = \(recovery) AND ordinal > \(Int32(clamping: ordinal))
                        AND (replayed_at IS NULL OR NOT \(onlyPending))
                ) AS sized WHERE bytes_before < \(Self.listBytes) ORDER BY ordinal
                """
            ).map(RecoveryBatch.init(row:))
        }
    }

    /// The lists of what was left out of the batches of a recovery that were done, in the order in which they came.
    public func leftOut(of recovery: RealmModel.UUID, of realm: Realm) throws -> [(ordinal: Int, leftOut: [UInt8])] {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT ordinal, left_out FROM recovery_batch
                WHERE app_id = \(realm.appID) AND recovery_id = \(recovery) AND left_out IS NOT NULL ORDER BY ordinal
                """
            ).map { (try $0.value("ordinal"), try $0.value("left_out", as: PostgresBytes.self).bytes) }
        }
    }

    /// Whether a batch is still to be done.
    public func isPending(_ ordinal: Int, of recovery: RealmModel.UUID, of realm: Realm) throws -> Bool {
        try pool.withConnection { connection in
            try !connection.query(
                """
                SELECT FROM recovery_batch
                WHERE app_id = \(realm.appID) AND recovery_id = \(recovery) AND ordinal = \(Int32(clamping: ordinal))
                    AND replayed_at IS NULL
                """
            ).isEmpty
        }
    }

    /// Notes that a batch was done, where it was not yet.
    ///
    /// - Throws: `StoreError.realmChanged` where another replay was faster.
    static func markReplayed(
        _ ordinal: Int, leavingOut leftOut: [UInt8], of recovery: RealmModel.UUID, of realm: Realm,
        _ connection: PostgresConnection
    ) throws {
        let marked = try connection.execute(
            """
            UPDATE recovery_batch SET replayed_at = clock_timestamp(), left_out = \(PostgresBytes(leftOut))
            WHERE app_id = \(realm.appID) AND recovery_id = \(recovery) AND ordinal = \(Int32(clamping: ordinal))
                AND replayed_at IS NULL
            """)
        guard marked == 1 else { throw StoreError.realmChanged }
    }

    /// Begins a recovery for the clients of a schema that is replaced, and enables sync; the caller holds the realm's lock.
    static func begin(retiring schema: Schema, of realm: Realm, _ connection: PostgresConnection) throws {
        guard realm.sync?.isTerminated == true else { throw StoreError.syncNotTerminated }
        try insert(retiring: schema, of: realm, connection)
        try connection.execute(
            """
            UPDATE realm SET is_terminated = false WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
            """)
    }

    /// Begins a recovery for the clients of a side that leaves the schema; the caller holds the realm's lock.
    package static func begin(for realm: Realm, _ connection: PostgresConnection) throws {
        try insert(retiring: Schema(), of: realm, connection)
    }

    private static func insert(retiring schema: Schema, of realm: Realm, _ connection: PostgresConnection) throws {
        guard let current = realm.currentSnapshot else { throw StoreError.notFound(.snapshot, realm.name) }
        let before = try realm.sync?.recovery.flatMap { try recovery($0, of: realm, connection)?.retired }
        let id = RealmModel.UUID.version7()
        try connection.execute(
            """
            INSERT INTO recovery (app_id, recovery_id, realm_id, snapshot_id, schema)
            VALUES (\(realm.appID), \(id), \(realm.id), \(current),
                \(SchemaColumn.encode((before ?? Schema()).united(with: schema))))
            """)
        try connection.execute(
            """
            UPDATE realm SET recovery_id = \(id) WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
            """)
    }

    private static func recovery(
        _ id: RealmModel.UUID, of realm: Realm, _ connection: PostgresConnection
    ) throws -> Recovery? {
        try connection.query(
            """
            SELECT recovery_id, snapshot_id, schema, created_at FROM recovery
            WHERE app_id = \(realm.appID) AND recovery_id = \(id) AND realm_id = \(realm.id)
            """
        ).first.map { row in
            Recovery(
                id: try row.value("recovery_id"), snapshot: try row.value("snapshot_id"),
                retired: try SchemaColumn.decode(try row.value("schema")), createdAt: try row.value("created_at"))
        }
    }
}

extension RecoveryBatch {
    init(row: PostgresRow) throws {
        ordinal = try row.value("ordinal")
        version = try row.value("schema_version", as: StoredVersion.self).number
        changes = try row.value("changes", as: PostgresBytes.self).bytes
        createdAt = try row.value("created_at")
        replayedAt = try row.optional("replayed_at")
        leftOut = try row.optional("left_out", as: PostgresBytes.self)?.bytes
    }
}

extension Schema {
    /// All classes and properties of both, as this one has them where both do.
    fileprivate func united(with other: Schema) -> Schema {
        var united = self
        for index in united.classes.indices {
            let known = Set(united.classes[index].properties.map { NameKey($0.name) })
            let more = other[united.classes[index].name]?.properties ?? []
            united.classes[index].properties += more.filter { !known.contains(NameKey($0.name)) }
        }
        united.classes += other.classes.filter { self[$0.name] == nil }
        return united
    }
}
