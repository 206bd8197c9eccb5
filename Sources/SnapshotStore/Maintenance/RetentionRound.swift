import Postgres
import RealmModel
import StoreCore

/// Removes the previews whose time is over, the events of webhooks that are old, and of each app the snapshots and jobs that it does not keep.
struct RetentionRound: MaintenanceRound {
    private let store: SnapshotStore
    private(set) var report = RetentionReport()
    private var stages: [Stage]

    private enum Stage {
        case previews(ExpiredPreviews)
        case webhookEvents(OldWebhookEvents)
        case snapshots(OldSnapshots)
        case jobs(OldJobs)
    }

    init(_ store: SnapshotStore) throws {
        self.store = store
        stages = [.previews(ExpiredPreviews()), .webhookEvents(OldWebhookEvents())]
        let rows = try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT app_id, \(unsafeSQL: Retention.columns) FROM app
                WHERE keep_snapshots IS NOT NULL OR keep_snapshot_days IS NOT NULL OR keep_jobs IS NOT NULL
                    OR keep_job_days IS NOT NULL
                """)
        }
        for row in rows {
            let (app, retention) = (try row.value("app_id", as: RealmModel.UUID.self), try Retention(row: row))
            if retention.keepSnapshots != nil || retention.keepDays != nil {
                stages.append(.snapshots(OldSnapshots(of: app, retention)))
            }
            if retention.keepJobs != nil || retention.keepJobDays != nil {
                stages.append(.jobs(OldJobs(of: app, retention)))
            }
        }
    }

    /// Realms whose snapshots are to be looked at.
    func backlog() throws -> Int {
        try stages.reduce(0) { count, stage in
            guard case .snapshots(let snapshots) = stage else { return count }
            return try count + snapshots.realmsLeft(in: store)
        }
    }

    mutating func step() throws -> Bool {
        guard let stage = stages.first else { return false }
        let isDone: Bool
        switch stage {
        case .previews(var previews):
            isDone = try previews.step(in: store, &report)
            stages[0] = .previews(previews)
        case .webhookEvents(var events):
            isDone = try events.step(in: store, &report)
            stages[0] = .webhookEvents(events)
        case .snapshots(var snapshots):
            isDone = try snapshots.step(in: store, &report)
            stages[0] = .snapshots(snapshots)
        case .jobs(var jobs):
            isDone = try jobs.step(in: store, &report)
            stages[0] = .jobs(jobs)
        }
        if isDone { stages.removeFirst() }
        return !stages.isEmpty
    }
}

/// Previews, those that expired first at first.
private struct ExpiredPreviews {
    /// The last one that was looked at: one that something needs stays.
    private var last = (until: Timestamp(seconds: 0, nanoseconds: 0), id: RealmModel.UUID.lowest)

    mutating func step(in store: SnapshotStore, _ report: inout RetentionReport) throws -> Bool {
        let rows = try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT app_id, realm_id, snapshot_id, preview_until FROM snapshot
                WHERE preview_until < now() AND (preview_until, snapshot_id) > (\(last.until), \(last.id))
                ORDER BY preview_until, snapshot_id LIMIT \(store.limits.portion)
                """)
        }
        let found = try rows.map { row in
            (app: try row.value("app_id", as: RealmModel.UUID.self), snapshot: try OldSnapshots.Found(row: row))
        }
        for (app, previews) in Dictionary(grouping: found, by: \.app) {
            report.snapshots += try OldSnapshots.remove(previews.map(\.snapshot), of: app, in: store)
        }
        if let row = rows.last { last = (try row.value("preview_until"), try row.value("snapshot_id")) }
        return rows.count < store.limits.portion
    }
}
