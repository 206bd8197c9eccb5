import Postgres
import RealmModel

extension MigrationOrder: JobOrderContent {
    static let kind = JobKind.migration

    init(row: PostgresRow) throws {
        realm = try row.value("realm_name")
        sourceSnapshot = try row.value("source_id")
        resultSnapshot = try row.optional("result_id")
        fromVersion = try row.optional("from_version", as: StoredVersion.self)?.number
        let schema = try row.optional("schema", as: PostgresBytes.self).map { try SchemaColumn.decode($0) }
        request = try row.json("request", as: StoredRequest.self).request(
            targetVersion: try row.value("to_version", as: StoredVersion.self).number, schema: schema,
            migration: try row.optionalJSON("migration"))
        plan = try row.optionalJSON("plan")
        isExclusive = try row.value("exclusive")
        realmID = try row.value("realm_id")
    }

    /// Inserts a job; where it is exclusive, only if the realm is at the source still and has no exclusive job.
    ///
    /// One statement: it waits for whoever has the realm's lock, and the index of exclusive jobs lets in one. The order was
    /// checked without a lock, against the very snapshot that the statement asks for.
    func insert(_ job: NewJob, _ connection: PostgresConnection) throws -> Job {
        let inserted = try connection.query(
            """
            WITH locked AS (
                SELECT r.app_id, r.realm_id FROM app a JOIN realm r USING (app_id)
                WHERE a.name = \(job.app) AND r.name = \(realm)
                    AND (r.current_id = \(sourceSnapshot) OR NOT \(isExclusive))
                FOR KEY SHARE OF a FOR UPDATE OF r
            )
            INSERT INTO job (job_id, kind, exclusive, parent_id, app_id, realm_id, app_name, realm_name, source_id,
                from_version, to_version, request, schema, migration, plan, dry_run, attempt_limit)
            SELECT \(job.id), \(Self.kind.rawValue), \(isExclusive), \(job.parent), app_id, realm_id, \(job.app), \(realm),
                \(sourceSnapshot), \(fromVersion.map(StoredVersion.init)), \(StoredVersion(toVersion)),
                \(try StoredJSON.encode(StoredRequest(request))), \(request.schema.map(SchemaColumn.encode)),
                \(try request.migration.map { try StoredJSON.encode($0) }), \(try plan.map { try StoredJSON.encode($0) }),
                \(request.dryRun), \(Int32(SnapshotStore.Jobs.attemptsPerTry))
            FROM locked
            ON CONFLICT (app_id, realm_id) WHERE state IN ('queued', 'running') AND exclusive DO NOTHING
            RETURNING \(unsafeSQL: Job.columns)
            """
        ).first.map(Job.init(row:))
        if let inserted { return inserted }
        // The reason, where it is one still: no job is active any more where none is found now.
        let found = try SnapshotStore.Realms.realm(realm, in: job.app, connection)
        try SnapshotStore.Realms.requireNoExclusiveJob(of: found, connection)
        throw StoreError.realmChanged
    }

    func requireRetriable(_ job: Job, _ connection: PostgresConnection) throws {
        let realm = try SnapshotStore.Realms.lock(realm, in: job.app, connection)
        guard isExclusive else { return }
        try SnapshotStore.Realms.requireNoExclusiveJob(of: realm, besides: job.id, connection)
        guard realm.currentSnapshot == sourceSnapshot else { throw StoreError.realmChanged }
    }
}

extension SnapshotStore.Jobs {
    /// Writes down what an attempt of a migration runs, where the order does not say so already.
    ///
    /// It need not be on disk: where a crash of the database loses it, the attempt is lost as well.
    ///
    /// - Throws: `StoreError.leaseLost`.
    public func setPlan(_ plan: MigrationOrder.Plan, of lease: JobLease) throws {
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                UPDATE job SET plan = \(try StoredJSON.encode(plan)), revision = revision + 1
                WHERE job_id = \(lease.job.id) AND lease_token = \(lease.token)
                RETURNING set_config('synchronous_commit', 'off', true)
                """)
        }
        guard !rows.isEmpty else { throw StoreError.leaseLost }
    }
}

/// A request as the column `request` holds it; the version, the schema and the migration have columns of their own.
private struct StoredRequest: Codable {
    /// Where an older program put the migration.
    private let migration: DeclaredMigration?
    private let steps: MigrationOrder.Request.Steps
    private let mode: String
    private let resolveEmbeddedConstraints: Bool
    private let dryRun: Bool
    private let timeoutSeconds: Double?
    private let memoryBytes: Int?

    init(_ request: MigrationOrder.Request) {
        migration = nil
        steps = request.steps
        mode = request.mode
        resolveEmbeddedConstraints = request.resolveEmbeddedConstraints
        dryRun = request.dryRun
        timeoutSeconds = request.timeoutSeconds
        memoryBytes = request.memoryBytes
    }

    func request(
        targetVersion: UInt64, schema: Schema?, migration own: DeclaredMigration?
    ) -> MigrationOrder.Request {
        MigrationOrder.Request(
            targetVersion: targetVersion, schema: schema, migration: own ?? migration, steps: steps, mode: mode,
            resolveEmbeddedConstraints: resolveEmbeddedConstraints, dryRun: dryRun, timeoutSeconds: timeoutSeconds,
            memoryBytes: memoryBytes)
    }
}
