import Postgres
import RealmModel

extension Job {
    static let columns: StaticString = """
        job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request, schema,
        migration, plan, state, attempt, attempt_limit, cancel_requested, progress, problem, created_at, started_at,
        finished_at, revision
        """

    /// The same without what requests brought along, which may be large.
    static let listColumns: StaticString = """
        job_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version, to_version, request,
        NULL::bytea AS schema, NULL::json AS migration, NULL::json AS plan, state, attempt, attempt_limit, cancel_requested, progress,
        problem, created_at, started_at, finished_at, revision
        """

    init(row: PostgresRow) throws {
        guard let state = JobState(rawValue: try row.value("state")) else { throw StoreError.damaged("a job's state") }
        let target = try row.value("to_version", as: StoredVersion.self).number
        let schema = try row.optional("schema", as: PostgresBytes.self).map { try StoredSchema.decode($0) }
        self.init(
            id: try row.value("job_id"), app: try row.value("app_name"), realm: try row.value("realm_name"),
            sourceSnapshot: try row.value("source_id"), resultSnapshot: try row.optional("result_id"),
            fromVersion: try row.optional("from_version", as: StoredVersion.self)?.number, toVersion: target,
            state: state, attempt: try row.value("attempt"), attemptLimit: try row.value("attempt_limit"),
            isCancelRequested: try row.value("cancel_requested"), progress: try row.optionalJSON("progress"),
            problem: try row.optional("problem", as: PostgresJSON.self).map(StoredJSON.problem),
            request: try row.json("request", as: StoredRequest.self).request(
                targetVersion: target, schema: schema, migration: try row.optionalJSON("migration")),
            plan: try row.optionalJSON("plan"),
            createdAt: try row.value("created_at"), startedAt: try row.optional("started_at"),
            finishedAt: try row.optional("finished_at"), revision: try row.value("revision"),
            appID: try row.value("app_id"), realmID: try row.value("realm_id"))
    }
}

/// A request as the column `request` holds it; the version, the schema and the migration have columns of their own.
struct StoredRequest: Codable {
    /// Where an older program put the migration.
    private let migration: DeclaredMigration?
    private let steps: JobRequest.Steps
    private let mode: String
    private let resolveEmbeddedConstraints: Bool
    private let dryRun: Bool
    private let timeoutSeconds: Double?
    private let memoryBytes: Int?

    init(_ request: JobRequest) {
        migration = nil
        steps = request.steps
        mode = request.mode
        resolveEmbeddedConstraints = request.resolveEmbeddedConstraints
        dryRun = request.dryRun
        timeoutSeconds = request.timeoutSeconds
        memoryBytes = request.memoryBytes
    }

    func request(targetVersion: UInt64, schema: Schema?, migration own: DeclaredMigration?) -> JobRequest {
        JobRequest(
            targetVersion: targetVersion, schema: schema, migration: own ?? migration, steps: steps, mode: mode,
            resolveEmbeddedConstraints: resolveEmbeddedConstraints, dryRun: dryRun, timeoutSeconds: timeoutSeconds,
            memoryBytes: memoryBytes)
    }
}
