import Postgres

extension JobStore {
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
