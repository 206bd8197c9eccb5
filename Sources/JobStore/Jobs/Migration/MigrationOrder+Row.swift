import Postgres
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore

extension MigrationOrder: JobOrderContent {
    static let kind = JobKind.migration
    static let order: StaticString? = """
        source_id, result_id, from_version, to_version, request, schema, migration, plan, NULL::uuid AS partner_id
        FROM migration_job
        """

    init(row: PostgresRow) throws {
        realm = try row.value("realm_name")
        sourceSnapshot = try row.value("source_id")
        resultSnapshot = try row.optional("result_id")
        fromVersion = try row.optional("from_version", as: StoredVersion.self)?.number
        let schema = try row.optional("schema", as: PostgresBytes.self).map { try SchemaColumn.decode($0) }
        request = try row.document("request", as: StoredRequest.self).request(
            targetVersion: try row.value("to_version", as: StoredVersion.self).number, schema: schema,
            migration: try row.optionalDocument("migration"))
        plan = try row.optionalDocument("plan")
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
                    AND r.app_id = (SELECT app_id FROM app WHERE name = \(job.app))
                    AND (r.current_id = \(sourceSnapshot) OR NOT \(isExclusive))
                FOR KEY SHARE OF a FOR UPDATE OF r
            ), j AS (
                INSERT INTO job (job_id, kind, exclusive, parent_id, request_id, trace_parent, app_id, realm_id, app_name, realm_name, priority, run_at)
                SELECT \(job.id), \(Self.kind.rawValue), \(isExclusive), \(job.parent), \(job.requestID), \(job.traceParent), app_id, realm_id, \(job.app),
                    \(realm), \(job.priority), greatest(\(job.schedule.runAt), clock_timestamp())
                FROM locked
                ON CONFLICT (app_id, realm_id) WHERE state IN ('queued', 'running') AND exclusive DO NOTHING
                RETURNING *
            ), ordered AS (
                INSERT INTO migration_job (app_id, job_id, source_id, from_version, to_version, request, schema, migration, plan)
                SELECT app_id, job_id, \(sourceSnapshot), \(fromVersion.map(StoredVersion.init)), \(StoredVersion(toVersion)),
                    \(StoredJSON.encode(StoredRequest(request))), \(request.schema.map(SchemaColumn.encode)),
                    \(request.migration.map { StoredJSON.encode($0) }), \(plan.map { StoredJSON.encode($0) })
                FROM j
            )
            SELECT \(job: .queue) FROM j
            """
        ).first.map { try Job(row: $0, order: .migration(self)) }
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

/// A migration that another job has done: a job of its own in the database, so that what it set aside can be asked for and retried.
struct EndedMigration {
    let id = RealmModel.UUID.version7()
    private let request: MigrationOrder.Request
    private let source: SnapshotInfo
    private let result: RealmModel.UUID
    private let job: Job

    /// - Parameters:
    ///   - request: what the realm's own migration would have been asked for.
    ///   - job: the one that has done it.
    init(_ request: MigrationOrder.Request, of source: SnapshotInfo, to result: RealmModel.UUID, in job: Job) {
        self.request = request
        self.source = source
        self.result = result
        self.job = job
    }

    func insert(_ connection: PostgresConnection) throws {
        try connection.execute(
            """
            WITH ended AS (
                INSERT INTO job (job_id, kind, exclusive, parent_id, request_id, trace_parent, app_id, realm_id, app_name, realm_name, state, attempt,
                    started_at, attempt_started_at, finished_at)
                SELECT \(id), \(MigrationOrder.kind.rawValue), true, job_id, request_id, trace_parent, app_id, \(source.realmID), app_name,
                    \(source.realm), 'succeeded', 1, started_at, started_at, now()
                FROM job WHERE job_id = \(job.id)
                RETURNING app_id, job_id
            )
            INSERT INTO migration_job (app_id, job_id, source_id, result_id, from_version, to_version, request, migration)
            SELECT app_id, job_id, \(source.id), \(result), \(source.schemaVersion.map(StoredVersion.init)),
                \(StoredVersion(request.targetVersion)), \(StoredJSON.encode(StoredRequest(request))),
                \(request.migration.map { StoredJSON.encode($0) })
            FROM ended
            """)
    }
}

extension JobStore {
    /// Writes down what an attempt of a migration runs, where the order does not say so already.
    ///
    /// It need not be on disk: where a crash of the database loses it, the attempt is lost as well.
    ///
    /// - Throws: `StoreError.leaseLost`.
    public func setPlan(_ plan: MigrationOrder.Plan, of lease: JobLease) throws {
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                WITH held AS (
                    UPDATE job SET revision = revision + 1 WHERE job_id = \(lease.job.id) AND lease_token = \(lease.token)
                    RETURNING job_id
                )
                UPDATE migration_job SET plan = \(StoredJSON.encode(plan))
                WHERE app_id = \(lease.job.appID) AND job_id = \(lease.job.id) AND EXISTS (SELECT FROM held)
                RETURNING set_config('synchronous_commit', 'off', true)
                """)
        }
        guard !rows.isEmpty else { throw StoreError.leaseLost }
    }
}

/// A request as the column `request` holds it; the version, the schema and the migration have columns of their own.
private struct StoredRequest: StoredDocument {
    /// Without the version, the schema and the migration but for that of an older program.
    private let request: MigrationOrder.Request

    init(_ request: MigrationOrder.Request) { self.request = request }

    init(json: JSONValue) throws(StoreError) {
        var request = MigrationOrder.Request(
            targetVersion: 0,
            // Where an older program put the migration.
            migration: try json["migration"].flatMap { (json) throws(StoreError) in
                json.isNull ? nil : try DeclaredMigration(json: json)
            },
            steps: try json.stored("steps") { $0.string.flatMap(MigrationOrder.Request.Steps.init) },
            mode: try json.stored("mode", \.string),
            resolveEmbeddedConstraints: try json.stored("resolveEmbeddedConstraints", \.bool),
            dryRun: try json.stored("dryRun", \.bool),
            checks: try json.storedIfAny("checks") { $0.elements?.compactMap(\.string) } ?? [],
            failOn: try json.storedIfAny("failOn") { $0.elements?.compactMap(\.string) },
            onError: try json.storedIfAny("onError") {
                $0.string.flatMap(MigrationOrder.Request.ErrorPolicy.init)
            } ?? .abort,
            limits: try MigrationOrder.Limits(in: json))
        request.retry = try json["retry"].flatMap { (json) throws(StoreError) in
            json.isNull
                ? nil
                : MigrationOrder.Request.Retry(
                    job: try json.stored("job") { $0.string.flatMap { RealmModel.UUID($0) } },
                    source: try json.stored("source") { $0.string.flatMap { RealmModel.UUID($0) } })
        }
        request.deviceKey = try json.storedIfAny("deviceKey") { $0.string.flatMap { RealmModel.UUID($0) } }
        self.request = request
    }

    var json: JSONValue {
        .object(
            [
                JSONMember("steps", .string(request.steps.rawValue)), JSONMember("mode", .string(request.mode)),
                JSONMember("resolveEmbeddedConstraints", .bool(request.resolveEmbeddedConstraints)),
                JSONMember("dryRun", .bool(request.dryRun)),
                JSONMember("checks", .array(request.checks.map { .string($0) })),
                JSONMember("failOn", request.failOn.map { .array($0.map { .string($0) }) } ?? .null),
                JSONMember("onError", .string(request.onError.rawValue)),
                JSONMember(
                    "retry",
                    request.retry.map { ["job": .string("\($0.job)"), "source": .string("\($0.source)")] } ?? .null),
            ] + request.limits.members
                + [request.deviceKey.map { JSONMember("deviceKey", .string("\($0)")) }].compactMap(\.self))
    }

    func request(
        targetVersion: UInt64, schema: Schema?, migration own: DeclaredMigration?
    ) -> MigrationOrder.Request {
        var whole = request
        whole.targetVersion = targetVersion
        whole.schema = schema
        whole.migration = own ?? request.migration
        return whole
    }
}
