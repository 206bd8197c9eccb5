import Postgres
import Problems
import RealmModel
import StoreCore

extension JobStore {
    /// Takes the job that has waited longest in the first lane that has one of a kind that this program knows.
    ///
    /// One statement: of any number of workers exactly one gets a job. Its commit need not be on disk: where a crash of the
    /// database loses it, the job is queued as before, and the attempt has no lease.
    ///
    /// - Parameters:
    ///   - duration: how long the lease lasts unless it is renewed.
    ///   - lanes: in the order in which they are asked; nil for all, as they are found.
    ///   - starts: of lanes the moment before which no job is looked for, so that rows of those that were taken, which the
    ///     database may have to keep for long, are not gone through each time.
    ///   - worker: the process that takes it.
    /// - Throws: `StoreError.damaged` where the job can't be read; it has failed then.
    public func claim(
        lease duration: Duration, in lanes: [JobLane]? = nil, from starts: [JobLane: Timestamp] = [:],
        as worker: String? = nil
    ) throws -> JobLease? {
        let lanes = try lanes ?? self.lanes().map(\.lane).inTurn
        guard !lanes.isEmpty else { return nil }
        let apps = PostgresArray(lanes.map(\.app))
        let priorities = PostgresArray(lanes.map { Int32($0.priority.rank) })
        let returned = PostgresArray(lanes.map(\.isReturned))
        let moments = PostgresArray(lanes.map { starts[$0] ?? Timestamp(seconds: 0, nanoseconds: 0) })
        let token = RealmModel.UUID.version7()
        return try pool.withConnection { connection in
            let claimed = try connection.query(
                """
                WITH j AS (
                    UPDATE job SET \(unsafeSQL: Job.claimed), lease_token = \(token), worker = \(worker),
                        lease_until = now() + \(duration.inSeconds) * interval '1 second'
                    WHERE job_id = (
                        SELECT next.job_id
                        FROM unnest(\(apps), \(priorities), \(returned), \(moments)) AS lane (app_id, priority, returned, start)
                        CROSS JOIN LATERAL (
                            SELECT job_id FROM job
                            WHERE state = 'queued' AND app_id = lane.app_id AND priority = lane.priority
                                AND returned = lane.returned AND run_at >= lane.start AND run_at <= now()
                                -- In a CASE: the planner takes a kind of its own for rare, and would sort all jobs.
                                AND CASE WHEN kind = ANY(\(JobKind.known)) THEN true ELSE false END
                            ORDER BY run_at, job_id LIMIT 1 FOR UPDATE SKIP LOCKED
                        ) AS next
                        LIMIT 1
                    )
                    RETURNING job.*, set_config('synchronous_commit', 'off', true)
                )
                SELECT \(job: .whole), \(unsafeSQL: JobLease.columns) FROM j \(Job.joinedOrder)
                """)
            guard let row = claimed.first else { return nil }
            do {
                return try JobLease(row: row)
            } catch {
                try Self.fail(row, connection)
                throw error
            }
        }
    }

    /// Ends a job that was claimed and can't be read: no attempt would get further.
    private static func fail(_ row: PostgresRow, _ connection: PostgresConnection) throws {
        let token = try row.value("lease_token", as: RealmModel.UUID.self)
        let problem = StoredJSON.encode(ProblemDocument(StoreError.damaged("the job's row")))
        try connection.execute(
            """
            UPDATE job SET state = 'failed', problem = \(problem), finished_at = now(),
                lease_token = NULL, lease_until = NULL, worker = NULL, cancel_requested = false, revision = revision + 1
            WHERE lease_token = \(token) AND state = 'running'
            """)
    }
}

extension Job {
    /// Claims a queued job, apart from its worker and the end of its lease.
    fileprivate static let claimed: StaticString = """
        state = 'running', attempt = attempt + 1, attempt_started_at = now(),
            started_at = coalesce(started_at, now()), progress = NULL, revision = revision + 1
        """
}

extension JobLease {
    /// Beside those of `Job`, of a row that was claimed by the statement.
    fileprivate static let columns: StaticString =
        "j.lease_token, extract(epoch FROM now() - j.run_at)::double precision AS waited"

    fileprivate init(row: PostgresRow) throws {
        self.init(
            job: try Job(row: row), token: try row.value("lease_token"),
            waited: .seconds(try row.value("waited", as: Double.self)))
    }
}
