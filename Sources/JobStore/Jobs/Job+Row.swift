import Postgres
import RealmModel
import StoreCore

/// The columns that a statement gives of jobs, of rows that it calls `j`.
enum JobColumns {
    /// The row of the queue, for a job whose order is known.
    case queue
    /// That and the order, which `Job.joinedOrder` finds.
    case whole
    /// The same without the attempts, and without what requests brought along, which may be large.
    case listed
}

/// The join of jobs with their orders.
struct JobOrderJoin {
    /// The limit makes the planner look each order up by its key, whatever it believes about the sizes of the tables.
    fileprivate let sql: String = {
        let orders = JobKind.allCases.compactMap { kind in
            kind.content.order.map {
                "SELECT \($0) WHERE j.kind = '\(kind.rawValue)' AND app_id = j.app_id AND job_id = j.job_id"
            }
        }
        return "LEFT JOIN LATERAL (\(orders.joined(separator: " UNION ALL ")) LIMIT 1) AS o ON true"
    }()
}

extension PostgresStatement.Interpolation {
    /// Appends the join of jobs with their orders.
    mutating func appendInterpolation(_ join: JobOrderJoin) { appendLiteral(join.sql) }

    /// Appends columns of jobs.
    mutating func appendInterpolation(job columns: JobColumns) {
        appendInterpolation(unsafeSQL: Job.queueColumns)
        switch columns {
        case .queue: appendInterpolation(unsafeSQL: Job.attemptsColumn)
        case .whole:
            appendInterpolation(unsafeSQL: Job.attemptsColumn)
            appendInterpolation(unsafeSQL: Job.orderColumns)
            appendLiteral(", o.schema, o.migration, o.plan")
        case .listed:
            appendInterpolation(unsafeSQL: Job.orderColumns)
            appendLiteral(
                ", NULL::bytea AS schema, NULL::json AS migration, NULL::json AS plan, NULL::json AS attempts")
        }
    }
}

extension Job {
    fileprivate static let queueColumns: StaticString = """
        j.job_id, j.kind, j.exclusive, j.parent_id, j.request_id, j.trace_parent, j.app_id, j.realm_id, j.app_name, j.realm_name, j.fleet_id, j.state,
        j.priority, j.returned, j.run_at, j.attempt, j.host_losses, j.cancel_requested, j.progress, j.problem, j.created_at, j.started_at,
        j.finished_at, j.revision, j.quarantined_count
        """

    fileprivate static let attemptsColumn: StaticString = """
        , CASE WHEN j.attempt > 1 OR j.attempt = 1 AND j.state IN ('queued', 'failed', 'cancelled')
            THEN job_attempts(j.app_id, j.job_id) END AS attempts
        """

    fileprivate static let orderColumns: StaticString =
        ", o.source_id, o.result_id, o.from_version, o.to_version, o.request, o.partner_id"

    /// Joins a row `j` of `job` with its order `o`, whichever table has that; a kind that this program does not know has none.
    static let joinedOrder = JobOrderJoin()

    /// Reads a row with the columns of the order.
    init(row: PostgresRow) throws { try self.init(row: row, order: try JobOrder(row: row)) }

    /// Reads a row of the queue, of a job whose order is known.
    init(row: PostgresRow, order: JobOrder) throws {
        guard let state = JobState(rawValue: try row.value("state")) else { throw StoreError.damaged("a job's state") }
        self.init(
            id: try row.value("job_id"), app: try row.value("app_name"), order: order,
            parent: try row.optional("parent_id"), requestID: try row.optional("request_id"),
            traceParent: try row.optional("trace_parent"), state: state,
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
