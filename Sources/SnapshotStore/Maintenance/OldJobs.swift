import Postgres
import RealmModel
import StoreCore

/// The ended jobs that an app does not keep, those that ended first at first.
struct OldJobs {
    private let app: RealmModel.UUID
    private let retention: Retention
    /// The jobs that are to go, the first of them last, with the rows that go with each; nil before they were looked up.
    private var left: [(id: RealmModel.UUID, rows: Int)]?

    init(of app: RealmModel.UUID, _ retention: Retention) { (self.app, self.retention) = (app, retention) }

    /// Removes some of them, with what belongs to them: one with a long log goes alone.
    ///
    /// - Returns: whether these were the last.
    mutating func step(in store: SnapshotStore, _ report: inout RetentionReport) throws -> Bool {
        var left = try left ?? lookUp(in: store)
        var (ids, rows) = ([RealmModel.UUID](), 0)
        while let next = left.last, rows < store.limits.portion {
            left.removeLast()
            ids.append(next.id)
            rows += next.rows
        }
        self.left = left
        guard !ids.isEmpty else { return true }
        report.jobs += try store.pool.transaction(isLong: true) { connection in
            try connection.execute(script: "SET LOCAL synchronous_commit = off")
            // One that was queued again meanwhile is not over.
            return try connection.execute(
                "DELETE FROM job WHERE job_id = ANY(\(PostgresArray(ids))) AND finished_at IS NOT NULL")
        }
        return left.isEmpty
    }

    /// Reads all jobs of the app, once a round, and keeps nobody waiting: an index by their ends would cost each job something at its end.
    private func lookUp(in store: SnapshotStore) throws -> [(id: RealmModel.UUID, rows: Int)] {
        try store.pool.transaction(isLong: true) { connection in
            try connection.query(
                """
                SELECT job_id, 1 + log_count + quarantined_count AS rows FROM (
                    SELECT *, row_number() OVER (ORDER BY finished_at DESC, job_id DESC) AS number
                    FROM job WHERE app_id = \(app) AND finished_at IS NOT NULL
                ) AS numbered
                WHERE number > coalesce(\(retention.keepJobs), 0)
                    AND finished_at < coalesce(now() - \(retention.keepJobDays) * interval '1 day', 'infinity')
                ORDER BY number
                """
            ).map { (try $0.value("job_id"), try $0.value("rows")) }
        }
    }
}
