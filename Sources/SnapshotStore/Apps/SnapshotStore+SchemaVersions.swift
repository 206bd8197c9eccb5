import Postgres
import RealmMigration
import RealmModel
import StoreCore

extension SnapshotStore.SchemaVersions {
    /// Declares a schema version, or mends the declaration; nothing of it is validated here.
    ///
    /// Once a realm has reached a version, or a job is about to, its schema is fixed and its migration is not.
    ///
    /// - Throws: `StoreError.notFound` (app); `schemaVersionInUse` where the schema is fixed and another.
    public func put(
        _ version: UInt64, of app: String, schema: Schema, migration: DeclaredMigration?
    ) throws -> (schemaVersion: DeclaredVersion, outcome: Declaration) {
        try pool.transaction { connection in
            let appID = try Self.lockedApp(app, connection)
            let found = try Self.schemaVersion(version, appID, connection)
            if let found {
                if found.schema == schema, found.migration == migration { return (found, .same) }
                if found.schema != schema, try Self.isReached(version, appID, connection) {
                    throw StoreError.schemaVersionInUse(version)
                }
            }
            let rows = try connection.query(
                """
                WITH revised AS (
                    INSERT INTO schema_version_revision (app_id, version, revision, schema, migration)
                    SELECT \(appID), \(StoredVersion(version)), coalesce(max(revision), 0) + 1,
                        \(SchemaColumn.encode(schema)), \(migration.map { StoredJSON.encode($0) })
                    FROM schema_version_revision
                    WHERE app_id = \(appID) AND version = \(StoredVersion(version))
                    RETURNING app_id, version, revision, schema, migration, created_at
                )
                INSERT INTO schema_version (app_id, version, revision, schema, migration, created_at)
                SELECT app_id, version, revision, schema, migration, created_at FROM revised
                ON CONFLICT (app_id, version) DO UPDATE SET
                    revision = excluded.revision, schema = excluded.schema, migration = excluded.migration,
                    created_at = excluded.created_at
                RETURNING version, revision, schema, migration, created_at
                """)
            return (try DeclaredVersion(row: rows[0]), found == nil ? .new : .revised)
        }
    }

    /// The outcome that declaring a version would have now.
    ///
    /// - Throws: as `put`.
    public func outcome(
        of version: UInt64, of app: String, schema: Schema, migration: DeclaredMigration?
    ) throws -> Declaration {
        try pool.withConnection { connection in
            let appID = try SnapshotStore.Apps.app(app, connection).id
            guard let found = try Self.schemaVersion(version, appID, connection) else { return .new }
            if found.schema == schema, found.migration == migration { return .same }
            if found.schema != schema, try Self.isReached(version, appID, connection) {
                throw StoreError.schemaVersionInUse(version)
            }
            return .revised
        }
    }

    /// Takes a declaration back that no realm has reached; its revisions can still be read.
    ///
    /// - Throws: `StoreError.notFound` (app, schemaVersion); `schemaVersionInUse`.
    public func delete(_ version: UInt64, of app: String) throws {
        try pool.transaction { connection in
            let appID = try Self.lockedApp(app, connection)
            guard try Self.schemaVersion(version, appID, connection) != nil else {
                throw StoreError.notFound(.schemaVersion, "\(version)")
            }
            if try Self.isReached(version, appID, connection) { throw StoreError.schemaVersionInUse(version) }
            try connection.execute(
                "DELETE FROM schema_version WHERE app_id = \(appID) AND version = \(StoredVersion(version))")
        }
    }

    /// A revision of a schema version, be it the current one, an earlier one, or one that was taken back.
    ///
    /// - Throws: `StoreError.notFound` (app, schemaVersion).
    public func find(_ version: UInt64, revision: Int, of app: String) throws -> DeclaredVersion {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT version, revision, schema, migration, created_at FROM schema_version_revision
                WHERE app_id = \(try SnapshotStore.Apps.app(app, connection).id) AND version = \(StoredVersion(version))
                    AND revision = \(Int32(clamping: revision))
                """)
            guard let row = rows.first else {
                throw StoreError.notFound(.schemaVersion, "\(version), revision \(revision)")
            }
            return try DeclaredVersion(row: row)
        }
    }

    /// A declared schema version.
    ///
    /// - Throws: `StoreError.notFound` (app, schemaVersion).
    public func find(_ version: UInt64, of app: String) throws -> DeclaredVersion {
        try pool.withConnection { connection in
            let found = try Self.schemaVersion(version, try SnapshotStore.Apps.app(app, connection).id, connection)
            guard let found else { throw StoreError.notFound(.schemaVersion, "\(version)") }
            return found
        }
    }

    /// A declared schema version of a realm's app, by a single question to the database.
    ///
    /// - Throws: `StoreError.notFound` (schemaVersion).
    public func find(_ version: UInt64, of realm: Realm) throws -> DeclaredVersion {
        guard let found = try pool.withConnection({ try Self.schemaVersion(version, realm.appID, $0) }) else {
            throw StoreError.notFound(.schemaVersion, "\(version)")
        }
        return found
    }

    /// The declared schema versions, ascending.
    public func list(of app: String, _ page: PageRequest = PageRequest()) throws -> Page<DeclaredVersion> {
        let after = try Cursor.number(.schemaVersions, page, as: UInt64.self)
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT version, revision, schema, migration, created_at FROM schema_version
                WHERE app_id = \(try SnapshotStore.Apps.app(app, connection).id)
                    AND version > coalesce(\(after.map(StoredVersion.init)), -1)
                ORDER BY version LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .schemaVersions, item: DeclaredVersion.init(row:)) { "\($0.version)" }
        }
    }

    /// The greatest declared version below another; nil where there is none.
    public func find(before version: UInt64, of app: String) throws -> DeclaredVersion? {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT newest.* FROM app a LEFT JOIN LATERAL (
                    SELECT version, revision, schema, migration, v.created_at FROM schema_version v
                    WHERE v.app_id = a.app_id AND version < \(StoredVersion(version)) ORDER BY version DESC LIMIT 1
                ) AS newest ON true
                WHERE a.name = \(app)
                """)
            guard let row = rows.first else { throw StoreError.notFound(.app, app) }
            let found = try row.optional("version", as: StoredVersion.self)
            return try found.map { _ in try DeclaredVersion(row: row) }
        }
    }

    /// The declared version of a number, where there is one, and before it those on the way there, ascending.
    ///
    /// - Parameter source: where the way begins; nil for before all versions.
    public func way(
        from source: UInt64?, to target: UInt64, of app: String
    ) throws -> [DeclaredVersion] {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT version, revision, schema, migration, v.created_at FROM app a JOIN schema_version v USING (app_id)
                WHERE a.name = \(app) AND version <= \(StoredVersion(target)) AND (
                    version = \(StoredVersion(target)) OR version > coalesce(\(source.map(StoredVersion.init)), -1))
                ORDER BY version
                """
            ).map(DeclaredVersion.init(row:))
        }
    }

    /// The numbers of the versions that an app declares, ascending.
    public func numbers(of app: String) throws -> [UInt64] {
        try pool.withConnection { connection in
            try connection.query(
                "SELECT version FROM app a JOIN schema_version v USING (app_id) WHERE a.name = \(app) ORDER BY version"
            ).map { try $0.value("version", as: StoredVersion.self).number }
        }
    }

    /// The app, which declares nothing else until the transaction ends.
    private static func lockedApp(_ app: String, _ connection: PostgresConnection) throws -> RealmModel.UUID {
        let rows = try connection.query("SELECT app_id FROM app WHERE name = \(app) FOR NO KEY UPDATE")
        guard let row = rows.first else { throw StoreError.notFound(.app, app) }
        return try row.value("app_id")
    }

    /// Whether a snapshot of any realm has the version, previews left out, or a job leads there.
    ///
    /// The first snapshot from the version on tells: where most have another one, PostgreSQL would rather read them all than the index.
    private static func isReached(
        _ version: UInt64, _ appID: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> Bool {
        try connection.query(
            """
            SELECT coalesce((
                SELECT schema_version = \(StoredVersion(version)) AND app_id = \(appID) FROM snapshot
                WHERE (schema_version, app_id) >= (\(StoredVersion(version)), \(appID)) AND preview_until IS NULL
                ORDER BY schema_version, app_id LIMIT 1
            ), false) OR EXISTS (
                SELECT FROM (
                    SELECT app_id, job_id, fleet_id FROM job WHERE app_id = \(appID) AND state = 'queued'
                    UNION ALL SELECT app_id, job_id, fleet_id FROM job WHERE app_id = \(appID) AND state = 'running'
                ) AS j
                WHERE \(StoredVersion(version)) IN (
                    (SELECT to_version FROM migration_job WHERE app_id = j.app_id AND job_id = j.job_id),
                    (SELECT to_version FROM rehearsal_job WHERE app_id = j.app_id AND job_id = j.job_id),
                    (SELECT target_version FROM fleet WHERE app_id = j.app_id AND fleet_id = j.fleet_id))
            ) OR EXISTS (
                SELECT FROM fleet WHERE app_id = \(appID) AND target_version = \(StoredVersion(version))
                    AND state IN ('canary', 'paused', 'running')
            ) OR EXISTS (
                SELECT FROM recovery_batch WHERE app_id = \(appID) AND schema_version = \(StoredVersion(version))
            ) AS is_reached
            """)[0].value("is_reached")
    }

    private static func schemaVersion(
        _ version: UInt64, _ appID: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> DeclaredVersion? {
        try connection.query(
            """
            SELECT version, revision, schema, migration, created_at FROM schema_version
            WHERE app_id = \(appID) AND version = \(StoredVersion(version))
            """
        ).first.map(DeclaredVersion.init(row:))
    }
}

extension DeclaredVersion {
    init(row: PostgresRow) throws {
        version = try row.value("version", as: StoredVersion.self).number
        revision = try row.value("revision")
        schema = try SchemaColumn.decode(try row.value("schema"))
        migration = try row.optionalDocument("migration")
        createdAt = try row.value("created_at")
    }
}
