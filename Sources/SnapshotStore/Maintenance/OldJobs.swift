import Postgres
import RealmModel
import StoreCore

/// The ended jobs that an app does not keep, those that ended first at first.
struct OldJobs {
    private let app: RealmModel.UUID
    private let retention: Retention
    /// The last job that the app's number of jobs does not keep; nil before that was looked up.
    private var last: (end: Timestamp, id: RealmModel.UUID)?

    init(of app: RealmModel.UUID, _ retention: Retention) { (self.app, self.retention) = (app, retention) }

    /// Removes some of them, with what belongs to them.
    ///
    /// - Returns: whether these were the last.
    mutating func step(in store: SnapshotStore, _ report: inout RetentionReport) throws -> Bool {
        if last == nil { last = try lookUpLast(in: store) }
        guard let last else { return true }
        let removed = try store.pool.transaction(isLong: true) { connection in
            try connection.execute(script: "SET LOCAL synchronous_commit = off")
            return try connection.execute(
                """
                DELETE FROM job WHERE job_id = ANY (ARRAY(
                    -- A job with a long log goes alone.
                    SELECT job_id FROM (
                        SELECT job_id, sum(weight) OVER (ORDER BY finished_at, job_id) - weight AS weight_before FROM (
                            SELECT job_id, finished_at, 1 + log_count + quarantined_count AS weight FROM job
                            WHERE app_id = \(app) AND finished_at IS NOT NULL AND (finished_at, job_id) <= (\(last.end), \(last.id))
                                AND finished_at < coalesce(now() - \(retention.keepJobDays) * interval '1 day', 'infinity')
                            ORDER BY finished_at, job_id LIMIT \(store.limits.portion) FOR UPDATE SKIP LOCKED
                        ) AS first
                    ) AS weighed WHERE weight_before < \(store.limits.portion)
                ))
                """)
        }
        report.jobs += removed
        return removed == 0
    }

    /// Nil where the app keeps all jobs that there are.
    private func lookUpLast(in store: SnapshotStore) throws -> (end: Timestamp, id: RealmModel.UUID)? {
        try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT finished_at, job_id FROM job WHERE app_id = \(app) AND finished_at IS NOT NULL
                ORDER BY finished_at DESC, job_id DESC OFFSET \(retention.keepJobs ?? 0) LIMIT 1
                """
            ).first.map { (try $0.value("finished_at"), try $0.value("job_id")) }
        }
    }
}
