import Postgres
import RealmModel

extension SnapshotStore {
    /// Declares a schema version; nothing of it is validated here.
    ///
    /// - Returns: the version, and whether it is new; the same again is found.
    /// - Throws: `StoreError.notFound` (app); `schemaVersionInUse` where it was declared otherwise.
    public func putSchemaVersion(
        _ version: UInt64, of app: String, schema: Schema, migration: DeclaredMigration?
    ) throws -> (schemaVersion: SchemaVersion, isNew: Bool) {
        try pool.withConnection { connection in
            let appID = try Self.app(app, connection).id
            let inserted = try connection.execute(
                """
                INSERT INTO schema_version (app_id, version, schema, migration)
                VALUES (\(appID), \(StoredVersion(version)), \(StoredSchema.encode(schema)),
                        \(try migration.map { try StoredJSON.encode($0) }))
                ON CONFLICT (app_id, version) DO NOTHING
                """)
            let found = try Self.schemaVersion(version, appID, connection)
            guard found.schema == schema, found.migration == migration else {
                throw StoreError.schemaVersionInUse(version)
            }
            return (found, inserted == 1)
        }
    }

    /// A declared schema version.
    ///
    /// - Throws: `StoreError.notFound` (app, schemaVersion).
    public func schemaVersion(_ version: UInt64, of app: String) throws -> SchemaVersion {
        try pool.withConnection { try Self.schemaVersion(version, try Self.app(app, $0).id, $0) }
    }

    /// The declared schema versions, ascending.
    public func schemaVersions(of app: String, _ page: PageRequest = PageRequest()) throws -> Page<SchemaVersion> {
        let after = try Cursor.number(.schemaVersions, page, as: UInt64.self)
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT version, schema, migration, created_at FROM schema_version
                WHERE app_id = \(try Self.app(app, connection).id)
                    AND version > coalesce(\(after.map(StoredVersion.init)), -1)
                ORDER BY version LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .schemaVersions, item: SchemaVersion.init(row:)) { "\($0.version)" }
        }
    }

    /// The greatest declared version below another; nil where there is none.
    public func schemaVersion(before version: UInt64, of app: String) throws -> SchemaVersion? {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT newest.* FROM app a LEFT JOIN LATERAL (
                    SELECT version, schema, migration, v.created_at FROM schema_version v
                    WHERE v.app_id = a.app_id AND version < \(StoredVersion(version)) ORDER BY version DESC LIMIT 1
                ) AS newest ON true
                WHERE a.name = \(app)
                """)
            guard let row = rows.first else { throw StoreError.notFound(.app, app) }
            let found = try row.optional("version", as: StoredVersion.self)
            return try found.map { _ in try SchemaVersion(row: row) }
        }
    }

    /// The greatest declared version; nil where there is none.
    public func newestSchemaVersion(of app: String) throws -> SchemaVersion? {
        try schemaVersion(before: .max, of: app)
    }

    private static func schemaVersion(
        _ version: UInt64, _ appID: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> SchemaVersion {
        let rows = try connection.query(
            """
            SELECT version, schema, migration, created_at FROM schema_version
            WHERE app_id = \(appID) AND version = \(StoredVersion(version))
            """)
        guard let row = rows.first else { throw StoreError.notFound(.schemaVersion, "\(version)") }
        return try SchemaVersion(row: row)
    }
}

extension SchemaVersion {
    init(row: PostgresRow) throws {
        version = try row.value("version", as: StoredVersion.self).number
        schema = try StoredSchema.decode(try row.value("schema"))
        migration = try row.optionalJSON("migration")
        createdAt = try row.value("created_at")
    }
}
