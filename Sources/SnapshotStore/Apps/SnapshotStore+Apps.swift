import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Apps {
    /// Makes an app, or finds it.
    public func put(_ name: String) throws -> (app: App, isNew: Bool) {
        try ResourceName.check(name, of: .app)
        return try pool.withConnection { connection in
            let inserted = try connection.execute(
                """
                INSERT INTO app (app_id, name) VALUES (\(RealmModel.UUID.version7()), \(name))
                ON CONFLICT (name) DO NOTHING
                """)
            return (try Self.app(name, connection), inserted == 1)
        }
    }

    /// The app of a name.
    ///
    /// - Throws: `StoreError.notFound`.
    public func find(_ name: String) throws -> App {
        try pool.withConnection { try Self.app(name, $0) }
    }

    /// The apps by name.
    ///
    /// - Parameter visible: those that the list may show.
    public func list(_ page: PageRequest = PageRequest(), among visible: VisibleApps = .all) throws -> Page<App> {
        let after = try Cursor.key(.apps, page) ?? ""
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT app_id, name, created_at FROM app WHERE name > \(after) \(and: "name", isOneOf: visible.names)
                ORDER BY name LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .apps, item: App.init(row:), key: \.name)
        }
    }

    /// Removes an app with its schema versions, realms and jobs; maintenance removes the segments later.
    ///
    /// Jobs that keep nobody from removing their realms go with them.
    ///
    /// - Throws: `StoreError.notFound`; `appActive` while a migration has a realm of it, or a job of a fleet waits or runs.
    public func delete(_ name: String) throws {
        try pool.transaction(isLong: true) { connection in
            guard let row = try connection.query("SELECT app_id FROM app WHERE name = \(name) FOR UPDATE").first else {
                throw StoreError.notFound(.app, name)
            }
            let id: RealmModel.UUID = try row.value("app_id")
            // Each half has an index.
            let active = try connection.query(
                """
                SELECT job_id, fleet_id FROM job
                WHERE app_id = \(id) AND state = 'queued' AND (exclusive OR fleet_id IS NOT NULL)
                UNION ALL SELECT job_id, fleet_id FROM job
                WHERE app_id = \(id) AND state = 'running' AND (exclusive OR fleet_id IS NOT NULL) LIMIT 1
                """)
            if let job = active.first {
                throw StoreError.appActive(job: try job.value("job_id"), fleet: try job.optional("fleet_id"))
            }
            // A plan that knows one large app would read the jobs of all for each.
            try connection.execute(script: "SET LOCAL enable_seqscan = off")
            try connection.execute("UPDATE segment_batch SET garbage_since = now() WHERE app_id = \(id)")
            try connection.execute("DELETE FROM job WHERE app_name = \(name)")
            try connection.execute("DELETE FROM app WHERE app_id = \(id)")
        }
    }

    /// Keeps an app from being deleted until the transaction ends.
    static func keep(_ name: String, _ connection: PostgresConnection) throws -> App {
        let rows = try connection.query("SELECT app_id, name, created_at FROM app WHERE name = \(name) FOR KEY SHARE")
        guard let row = rows.first else { throw StoreError.notFound(.app, name) }
        return try App(row: row)
    }

    package static func app(_ name: String, _ connection: PostgresConnection) throws -> App {
        let rows = try connection.query("SELECT app_id, name, created_at FROM app WHERE name = \(name)")
        guard let row = rows.first else { throw StoreError.notFound(.app, name) }
        return try App(row: row)
    }
}

extension App {
    init(row: PostgresRow) throws {
        name = try row.value("name")
        createdAt = try row.value("created_at")
        id = try row.value("app_id")
    }
}
