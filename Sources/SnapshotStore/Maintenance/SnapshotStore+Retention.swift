import Postgres
import RealmModel
import StoreCore

/// How much was removed because it was old.
public struct RetentionReport: Hashable, Sendable {
    /// Snapshots.
    public var snapshots = 0
    /// Jobs with their logs.
    public var jobs = 0
    /// Events of webhooks.
    public var webhookEvents = 0
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
    /// Takes the next round of removing what apps do not keep any longer, unless another process has it or had one lately.
    ///
    /// Less often than the grace period lasts, twice: what was garbage before a snapshot was removed counts as garbage from then
    /// on, and is to be swept between.
    public func takeRetention(every interval: Duration) throws -> MaintenanceTurn? {
        guard try takeTurn(at: .retention) else { return nil }
        return MaintenanceTurn(
            .retention, every: max(interval, store.limits.grace * 2), in: self, try RetentionRound(store))
    }

    /// Takes the next round of counting realms and snapshots that are new, unless another process has it or had one lately.
    public func takeCounting(every interval: Duration = .seconds(5)) throws -> MaintenanceTurn? {
        guard try takeTurn(at: .counting) else { return nil }
        return MaintenanceTurn(.counting, every: interval, in: self, CountingRound(store))
    }

    /// Counts realms and snapshots that are new, in one go.
    public func count() throws {
        var round = CountingRound(store)
        _ = try round.finish()
    }

    /// Removes snapshots and finished jobs that their apps do not keep any longer, in one go.
    ///
    /// Never a realm's current snapshot, the source of a job that is not over, or one that a recovery shows.
    @discardableResult
    public func removeOld() throws -> RetentionReport {
        var round = try RetentionRound(store)
        return try round.finish()
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
