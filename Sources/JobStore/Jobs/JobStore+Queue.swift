import Postgres
import StoreCore

extension JobStore {
    /// The number of jobs that wait, and of those that run.
    ///
    /// Indexes have these jobs alone. How many ended which way workers count in `figures()`, together for all processes: a counter in
    /// the transaction of each end cost a brief job a tenth of its time, and rows of ended jobs go with retention.
    public func counts() throws -> [JobState: Int] {
        let row = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT (SELECT count(*) FROM job WHERE state = 'queued') AS queued,
                    (SELECT count(*) FROM job WHERE state = 'running') AS running
                """)[0]
        }
        return [.queued: try row.value("queued"), .running: try row.value("running")]
    }

    /// How many jobs wait for a worker, and for how long the first of them has.
    public func queue() throws -> (depth: Int, ageSeconds: Double) {
        let row = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT count(*) AS depth, coalesce(extract(epoch FROM now() - min(run_at)), 0)::float8 AS age FROM job
                WHERE state = 'queued' AND run_at <= now()
                """)[0]
        }
        return (try row.value("depth"), try row.value("age"))
    }
}
