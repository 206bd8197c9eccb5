import Postgres
import RealmModel

extension Job {
    static let columns: StaticString = """
        job_id, kind, exclusive, parent_id, request_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version,
        to_version, request, schema, migration, plan, state, priority, returned, run_at, attempt, host_losses, cancel_requested, progress,
        problem, created_at, started_at, finished_at, revision, fleet_id, quarantined_count,
        CASE WHEN attempt > 1 OR attempt = 1 AND state IN ('queued', 'failed', 'cancelled') THEN job_attempts(job_id) END AS attempts
        """

    /// The same without what requests brought along, which may be large.
    static let listColumns: StaticString = """
        job_id, kind, exclusive, parent_id, request_id, app_id, realm_id, app_name, realm_name, source_id, result_id, from_version,
        to_version, request, NULL::bytea AS schema, NULL::json AS migration, NULL::json AS plan, state, priority, returned,
        run_at, attempt, host_losses, cancel_requested, progress, problem, created_at, started_at, finished_at, revision, fleet_id,
        quarantined_count, NULL::json AS attempts
        """

    init(row: PostgresRow) throws {
        guard let state = JobState(rawValue: try row.value("state")) else { throw StoreError.damaged("a job's state") }
        self.init(
            id: try row.value("job_id"), app: try row.value("app_name"), order: try JobOrder(row: row),
            parent: try row.optional("parent_id"), requestID: try row.optional("request_id"), state: state,
            runAt: try row.value("run_at"), attempt: try row.value("attempt"), hostLosses: try row.value("host_losses"),
            endedAttempts: try row.optional("attempts", as: PostgresJSON.self).map(EndedAttempt.list) ?? [],
            isCancelRequested: try row.value("cancel_requested"),
            progress: try row.optionalDocument("progress"),
            problem: try row.optional("problem", as: PostgresJSON.self).map(StoredJSON.problem),
            createdAt: try row.value("created_at"), startedAt: try row.optional("started_at"),
            finishedAt: try row.optional("finished_at"), revision: try row.value("revision"),
            quarantinedCount: try row.value("quarantined_count"), lane: try JobLane(row: row))
    }
}
