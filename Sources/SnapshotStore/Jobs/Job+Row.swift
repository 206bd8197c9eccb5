import Postgres
import RealmModel

extension Job {
    /// The columns of the queue, of a row that the statement calls `j`.
    static let queueColumns: StaticString = """
        j.job_id, j.kind, j.exclusive, j.parent_id, j.request_id, j.app_id, j.realm_id, j.app_name, j.realm_name, j.fleet_id, j.state,
        j.priority, j.returned, j.run_at, j.attempt, j.host_losses, j.cancel_requested, j.progress, j.problem, j.created_at, j.started_at,
        j.finished_at, j.revision, j.quarantined_count,
        CASE WHEN j.attempt > 1 OR j.attempt = 1 AND j.state IN ('queued', 'failed', 'cancelled')
            THEN job_attempts(j.job_id) END AS attempts
        """

    /// The same with those of the order, which `joinedOrder` finds.
    static let columns: StaticString = """
        j.job_id, j.kind, j.exclusive, j.parent_id, j.request_id, j.app_id, j.realm_id, j.app_name, j.realm_name, j.fleet_id, j.state,
        j.priority, j.returned, j.run_at, j.attempt, j.host_losses, j.cancel_requested, j.progress, j.problem, j.created_at, j.started_at,
        j.finished_at, j.revision, j.quarantined_count,
        CASE WHEN j.attempt > 1 OR j.attempt = 1 AND j.state IN ('queued', 'failed', 'cancelled')
            THEN job_attempts(j.job_id) END AS attempts,
        o.source_id, o.result_id, o.from_version, o.to_version, o.request, o.schema, o.migration, o.plan, o.partner_id
        """

    /// The same without what requests brought along, which may be large, and without the attempts.
    static let listColumns: StaticString = """
        j.job_id, j.kind, j.exclusive, j.parent_id, j.request_id, j.app_id, j.realm_id, j.app_name, j.realm_name, j.fleet_id, j.state,
        j.priority, j.returned, j.run_at, j.attempt, j.host_losses, j.cancel_requested, j.progress, j.problem, j.created_at, j.started_at,
        j.finished_at, j.revision, j.quarantined_count, NULL::json AS attempts,
        o.source_id, o.result_id, o.from_version, o.to_version, o.request, NULL::bytea AS schema, NULL::json AS migration,
        NULL::json AS plan, o.partner_id
        """

    /// Joins a row `j` of `job` with its order `o`, whichever table has that; a kind that this program does not know has none.
    ///
    /// The limit makes the planner look each order up by its key, whatever it believes about the sizes of the tables.
    static let joinedOrder: StaticString = """
        LEFT JOIN LATERAL (
            SELECT source_id, result_id, from_version, to_version, request, schema, migration, plan, NULL::uuid AS partner_id
            FROM migration_job WHERE j.kind = 'migration' AND app_id = j.app_id AND job_id = j.job_id
            UNION ALL SELECT NULL, NULL, NULL, NULL, request, NULL, function, NULL, NULL
            FROM backfill_job WHERE j.kind = 'backfill' AND app_id = j.app_id AND job_id = j.job_id
            UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, partner_id
            FROM partner_backfill_job WHERE j.kind = 'partner_backfill' AND app_id = j.app_id AND job_id = j.job_id
            UNION ALL SELECT NULL, NULL, NULL, to_version, request, NULL, NULL, NULL, NULL
            FROM rehearsal_job WHERE j.kind = 'rehearsal' AND app_id = j.app_id AND job_id = j.job_id
            LIMIT 1
        ) AS o ON true
        """

    /// Reads a row with the columns of the order.
    init(row: PostgresRow) throws { try self.init(row: row, order: try JobOrder(row: row)) }

    /// Reads a row of the queue, of a job whose order is known.
    init(row: PostgresRow, order: JobOrder) throws {
        guard let state = JobState(rawValue: try row.value("state")) else { throw StoreError.damaged("a job's state") }
        self.init(
            id: try row.value("job_id"), app: try row.value("app_name"), order: order,
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
