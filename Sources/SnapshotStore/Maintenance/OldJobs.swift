import Postgres
import RealmModel
import StoreCore

/// The ended jobs that an app does not keep, the oldest first.
///
/// Jobs are old by when they were asked for, which their ids tell: an index by their ends would cost each of them something.
struct OldJobs {
    /// Jobs that a step reads, at most.
    private static let jobsAtOnce = 1_000

    private let app: RealmModel.UUID
    private let retention: Retention
    /// How many of the newest jobs that have ended are still to be passed over.
    private var kept: Int
    /// The jobs that may go are older than this one.
    private var end: RealmModel.UUID
    /// The last job that was looked at.
    private var done = RealmModel.UUID.lowest

    init(of app: RealmModel.UUID, _ retention: Retention) {
        (self.app, self.retention) = (app, retention)
        kept = retention.keepJobs ?? 0
        end = .greatest
    }

    /// Removes some of them, with what belongs to them: one with a long log goes alone.
    ///
    /// - Returns: whether these were the last.
    mutating func step(in store: SnapshotStore, _ report: inout RetentionReport) throws -> Bool {
        guard kept == 0 else { return try passOver(in: store) }
        let found = try lookUp(in: store)
        var (ids, rows, seen) = ([RealmModel.UUID](), 0, found[...])
        while let next = seen.first, rows < store.limits.portion {
            seen.removeFirst()
            done = next.id
            guard let size = next.rows else { continue }
            ids.append(next.id)
            rows += size
        }
        if !ids.isEmpty { report.jobs += try remove(ids, in: store) }
        // A job that ended long ago was asked for before.
        return seen.isEmpty && (found.count < Self.jobsAtOnce || youngest.bytes.lexicographicallyPrecedes(done.bytes))
    }

    /// Passes over some of the jobs that are kept for being the newest.
    ///
    /// - Returns: whether the app has no others.
    private mutating func passOver(in store: SnapshotStore) throws -> Bool {
        let limit = min(kept, Self.jobsAtOnce)
        let rows = try store.pool.withConnection { connection in
            try connection.query(
                // In the order of both columns, so that the jobs of a small app are not sought among those of all.
                """
                SELECT job_id, finished_at IS NOT NULL AS has_ended FROM job
                WHERE (app_id, job_id) >= (\(app), \(RealmModel.UUID.lowest)) AND (app_id, job_id) < (\(app), \(end))
                ORDER BY app_id DESC, job_id DESC LIMIT \(limit)
                """)
        }
        kept -= try rows.count { try $0.value("has_ended") }
        if let last = rows.last { end = try last.value("job_id") }
        return rows.count < limit
    }

    /// A job that is younger than this has not ended long ago.
    private var youngest: RealmModel.UUID {
        retention.keepJobDays.map { .lowestVersion7(ago: .seconds($0 * 86_400)) } ?? .greatest
    }

    /// The next jobs, with the rows that go with each; nil for one that stays.
    private func lookUp(in store: SnapshotStore) throws -> [(id: RealmModel.UUID, rows: Int?)] {
        try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT job_id, CASE WHEN finished_at <= coalesce(now() - \(retention.keepJobDays) * interval '1 day', 'infinity')
                    THEN 1 + log_count + quarantined_count END AS rows
                FROM job WHERE app_id = \(app) AND job_id > \(done) AND job_id < \(end)
                ORDER BY job_id LIMIT \(Self.jobsAtOnce)
                """
            ).map { (try $0.value("job_id"), try $0.optional("rows")) }
        }
    }

    private func remove(_ ids: [RealmModel.UUID], in store: SnapshotStore) throws -> Int {
        try store.pool.transaction(isLong: true) { connection in
            try connection.execute(script: "SET LOCAL synchronous_commit = off")
            // One that was queued again meanwhile is not over.
            return try connection.execute(
                "DELETE FROM job WHERE job_id = ANY(\(PostgresArray(ids))) AND finished_at IS NOT NULL")
        }
    }
}
