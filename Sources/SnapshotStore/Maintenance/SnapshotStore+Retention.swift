import Postgres
import RealmModel
import StoreCore

/// How much was removed because it was old.
public struct RetentionReport: Hashable, Sendable {
    /// Snapshots.
    public var snapshots = 0
    /// Jobs with their logs.
    public var jobs = 0
}

extension SnapshotStore.Apps {
    /// How long snapshots and jobs of an app are kept.
    ///
    /// - Throws: `StoreError.notFound`.
    public func retention(of name: String) throws -> Retention {
        try pool.withConnection { connection in
            let rows = try connection.query(
                "SELECT \(unsafeSQL: Retention.columns) FROM app WHERE name = \(name)")
            guard let row = rows.first else { throw StoreError.notFound(.app, name) }
            return try Retention(row: row)
        }
    }

    /// Says how long snapshots and jobs of an app are kept; maintenance removes the others later.
    ///
    /// - Throws: `StoreError.notFound`.
    public func setRetention(_ retention: Retention, of name: String) throws {
        let changed = try pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE app SET keep_snapshots = \(retention.keepSnapshots.map { Int32(clamping: $0) }),
                    keep_snapshot_days = \(retention.keepDays), keep_jobs = \(retention.keepJobs.map { Int32(clamping: $0) }),
                    keep_job_days = \(retention.keepJobDays)
                WHERE name = \(name)
                """)
        }
        guard changed == 1 else { throw StoreError.notFound(.app, name) }
    }
}

extension SnapshotStore.Maintenance {
    /// Snapshots or jobs that one transaction removes.
    private static let portion = 1_000

    /// Removes what apps do not keep any longer, unless another process did so lately.
    ///
    /// Less often than the grace period lasts, twice: what was garbage before a snapshot was removed counts as garbage from then
    /// on, and is to be swept between.
    public func removeOldIfDue(every interval: Duration) throws -> RetentionReport? {
        try takeTurn(at: .retention, every: max(interval, store.limits.grace * 2)) ? removeOld() : nil
    }

    /// Removes snapshots and finished jobs that their apps do not keep any longer.
    ///
    /// Never a realm's current snapshot, the source of a job that is not over, or one that a recovery shows.
    @discardableResult
    public func removeOld() throws -> RetentionReport {
        var report = RetentionReport(snapshots: try removeExpiredPreviews())
        let apps = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT app_id, \(unsafeSQL: Retention.columns) FROM app
                WHERE keep_snapshots IS NOT NULL OR keep_snapshot_days IS NOT NULL OR keep_jobs IS NOT NULL
                    OR keep_job_days IS NOT NULL
                """
            ).map { (id: try $0.value("app_id", as: RealmModel.UUID.self), retention: try Retention(row: $0)) }
        }
        for (app, retention) in apps {
            if retention.keepSnapshots != nil || retention.keepDays != nil {
                report.snapshots += try removeSnapshots(of: app, retention)
            }
            if retention.keepJobs != nil || retention.keepJobDays != nil {
                report.jobs += try removeJobs(of: app, retention)
            }
        }
        return report
    }

    /// Removes the previews whose time is over.
    ///
    /// - Returns: how many.
    @discardableResult
    public func removeExpiredPreviews() throws -> Int {
        let expired = try pool.withConnection { connection in
            try connection.query(
                "SELECT app_id, realm_id, snapshot_id FROM snapshot WHERE preview_until < now() LIMIT 1000"
            ).map {
                (
                    app: try $0.value("app_id", as: RealmModel.UUID.self),
                    realm: try $0.value("realm_id", as: RealmModel.UUID.self),
                    id: try $0.value("snapshot_id", as: RealmModel.UUID.self)
                )
            }
        }
        return try expired.reduce(0) { try $0 + remove([$1.id], of: $1.realm, in: $1.app) }
    }

    private func removeSnapshots(of app: RealmModel.UUID, _ retention: Retention) throws -> Int {
        let old = try pool.transaction(isLong: true) { connection in
            try connection.query(
                """
                SELECT realm_id, snapshot_id FROM (
                    SELECT realm_id, snapshot_id, created_at,
                        row_number() OVER (PARTITION BY realm_id ORDER BY created_at DESC, snapshot_id DESC) AS number
                    FROM snapshot WHERE app_id = \(app) AND preview_until IS NULL
                ) AS numbered
                WHERE number > coalesce(\(retention.keepSnapshots), 1)
                    AND (\(retention.keepDays) IS NULL OR created_at < now() - \(retention.keepDays) * interval '1 day')
                """
            ).map {
                (
                    realm: try $0.value("realm_id", as: RealmModel.UUID.self),
                    id: try $0.value("snapshot_id", as: RealmModel.UUID.self)
                )
            }
        }
        var removed = 0
        for (realm, snapshots) in Dictionary(grouping: old, by: \.realm) {
            for start in stride(from: 0, to: snapshots.count, by: Self.portion) {
                let portion = snapshots[start..<min(start + Self.portion, snapshots.count)].map(\.id)
                removed += try remove(portion, of: realm, in: app)
            }
        }
        return removed
    }

    /// Removes snapshots of a realm, but for those that something needs.
    func remove(_ snapshots: [RealmModel.UUID], of realm: RealmModel.UUID, in app: RealmModel.UUID) throws
        -> Int
    {
        try pool.transaction(isLong: true) { connection in
            let rows = try connection.query(
                "SELECT FROM realm WHERE app_id = \(app) AND realm_id = \(realm) FOR UPDATE")
            guard !rows.isEmpty else { return 0 }
            let removed = try connection.execute(
                """
                DELETE FROM snapshot s
                WHERE app_id = \(app) AND snapshot_id = ANY(\(PostgresArray(snapshots)))
                    AND NOT EXISTS (
                        SELECT FROM realm r
                        WHERE r.app_id = s.app_id AND r.realm_id = s.realm_id AND r.current_id = s.snapshot_id)
                    AND NOT EXISTS (
                        SELECT FROM migration_job m WHERE m.app_id = s.app_id AND m.source_id = s.snapshot_id
                            AND (SELECT state FROM job WHERE job_id = m.job_id) IN ('queued', 'running'))
                    AND NOT EXISTS (
                        SELECT FROM recovery c WHERE c.app_id = s.app_id AND c.snapshot_id = s.snapshot_id)
                """)
            guard removed > 0 else { return 0 }
            try connection.execute(
                """
                UPDATE segment_batch SET garbage_since = now()
                WHERE app_id = \(app) AND realm_id = \(realm) AND state = 'committed'
                """)
            return removed
        }
    }

    private func removeJobs(of app: RealmModel.UUID, _ retention: Retention) throws -> Int {
        let old = try pool.transaction(isLong: true) { connection in
            try connection.query(
                """
                SELECT job_id FROM (
                    SELECT job_id, finished_at, row_number() OVER (ORDER BY finished_at DESC, job_id DESC) AS number
                    FROM job WHERE app_id = \(app) AND finished_at IS NOT NULL
                ) AS numbered
                WHERE (\(retention.keepJobs) IS NULL OR number > \(retention.keepJobs))
                    AND (\(retention.keepJobDays) IS NULL OR finished_at < now() - \(retention.keepJobDays) * interval '1 day')
                """
            ).map { try $0.value("job_id", as: RealmModel.UUID.self) }
        }
        var removed = 0
        for start in stride(from: 0, to: old.count, by: Self.portion) {
            let portion = PostgresArray(Array(old[start..<min(start + Self.portion, old.count)]))
            removed += try pool.transaction(isLong: true) { connection in
                // One that was queued again meanwhile is not over.
                try connection.execute("DELETE FROM job WHERE job_id = ANY(\(portion)) AND finished_at IS NOT NULL")
            }
        }
        return removed
    }
}

extension Retention {
    static let columns: StaticString = "keep_snapshots, keep_snapshot_days, keep_jobs, keep_job_days"

    init(row: PostgresRow) throws {
        self.init(
            keepSnapshots: try row.optional("keep_snapshots"), keepDays: try row.optional("keep_snapshot_days"),
            keepJobs: try row.optional("keep_jobs"), keepJobDays: try row.optional("keep_job_days"))
    }
}
