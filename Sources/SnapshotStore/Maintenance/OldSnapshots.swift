import Postgres
import RealmModel
import StoreCore

/// The snapshots that an app does not keep, realm by realm.
struct OldSnapshots {
    /// A snapshot that may go.
    struct Found {
        let realm: RealmModel.UUID
        let id: RealmModel.UUID

        init(row: PostgresRow) throws { (realm, id) = (try row.value("realm_id"), try row.value("snapshot_id")) }
    }

    /// Realms that a step looks at.
    private static let realmsAtOnce = 100

    private let app: RealmModel.UUID
    private let retention: Retention
    /// The last realm whose snapshots were all looked at.
    private var done = RealmModel.UUID.lowest
    /// The realm behind it, where that has more snapshots than a step removes, and the last of these that was looked at.
    private var rest: (realm: RealmModel.UUID, before: Timestamp, id: RealmModel.UUID)?

    init(of app: RealmModel.UUID, _ retention: Retention) { (self.app, self.retention) = (app, retention) }

    /// Removes some of them.
    ///
    /// - Returns: whether these were the last.
    mutating func step(in store: SnapshotStore, _ report: inout RetentionReport) throws -> Bool {
        let realms = try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT realm_id FROM realm WHERE app_id = \(app) AND realm_id > \(done) ORDER BY realm_id LIMIT \(Self.realmsAtOnce)
                """
            ).map { try $0.value("realm_id", as: RealmModel.UUID.self) }
        }
        let rows = try look(at: realms, in: store)
        report.snapshots += try Self.remove(try rows.map(Found.init(row:)), of: app, in: store)
        if let row = rows.last, rows.count == store.limits.portion {
            let realm: RealmModel.UUID = try row.value("realm_id")
            rest = (realm, try row.value("created_at"), try row.value("snapshot_id"))
            done = realms.prefix { $0 != realm }.last ?? done
            return false
        }
        done = realms.last ?? done
        rest = nil
        return realms.count < Self.realmsAtOnce
    }

    /// Counts the realms that are to be looked at, up to `Maintenance.countedBacklog`.
    func realmsLeft(in store: SnapshotStore) throws -> Int {
        try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT count(*) AS count FROM (
                    SELECT FROM realm WHERE app_id = \(app) AND realm_id > \(done) LIMIT \(SnapshotStore.Maintenance.countedBacklog)
                ) AS left_over
                """)[0].value("count")
        }
    }

    /// The snapshots of realms that are neither among the newest nor young, by realm: a portion at most.
    private func look(at realms: [RealmModel.UUID], in store: SnapshotStore) throws -> [PostgresRow] {
        try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT r.realm_id, old.snapshot_id, old.created_at
                FROM unnest(\(PostgresArray(realms))) WITH ORDINALITY AS r (realm_id, number)
                CROSS JOIN LATERAL (
                    SELECT created_at, snapshot_id FROM snapshot WHERE realm_id = r.realm_id AND preview_until IS NULL
                    ORDER BY created_at DESC, snapshot_id DESC OFFSET \((retention.keepSnapshots ?? 1) - 1) LIMIT 1
                ) AS kept
                CROSS JOIN LATERAL (
                    SELECT created_at, snapshot_id FROM snapshot
                    WHERE realm_id = r.realm_id AND preview_until IS NULL
                        AND (created_at, snapshot_id) < (
                            CASE WHEN r.realm_id = \(rest?.realm) THEN \(rest?.before) ELSE kept.created_at END,
                            CASE WHEN r.realm_id = \(rest?.realm) THEN \(rest?.id) ELSE kept.snapshot_id END)
                        AND created_at < coalesce(now() - \(retention.keepDays) * interval '1 day', 'infinity')
                    ORDER BY created_at DESC, snapshot_id DESC LIMIT \(store.limits.portion)
                ) AS old
                ORDER BY r.number, old.created_at DESC, old.snapshot_id DESC LIMIT \(store.limits.portion)
                """)
        }
    }

    /// Removes snapshots of an app, but for those that something needs.
    ///
    /// Nobody waits for it longer than a portion takes, and it waits for nobody: a realm that is being changed has its turn with the
    /// next round. That a crash of the database may bring some back does no harm.
    ///
    /// - Returns: how many went.
    static func remove(_ found: [Found], of app: RealmModel.UUID, in store: SnapshotStore) throws -> Int {
        guard !found.isEmpty else { return 0 }
        return try store.pool.transaction(isLong: true) { connection in
            try connection.execute(script: "SET LOCAL synchronous_commit = off")
            let held = try connection.query(
                """
                SELECT realm_id FROM realm
                WHERE app_id = \(app) AND realm_id = ANY(\(PostgresArray(Array(Set(found.map(\.realm))))))
                ORDER BY realm_id FOR UPDATE SKIP LOCKED
                """
            ).map { try $0.value("realm_id", as: RealmModel.UUID.self) }
            let ids = PostgresArray(found.filter { Set(held).contains($0.realm) }.map(\.id))
            let row = try connection.query(
                """
                WITH gone AS (
                    DELETE FROM snapshot s
                    WHERE app_id = \(app) AND snapshot_id = ANY(\(ids))
                        AND NOT EXISTS (
                            SELECT FROM realm r
                            WHERE r.app_id = s.app_id AND r.realm_id = s.realm_id AND r.current_id = s.snapshot_id)
                        AND NOT EXISTS (
                            SELECT FROM migration_job m WHERE m.app_id = s.app_id AND m.source_id = s.snapshot_id
                                AND (SELECT state FROM job WHERE job_id = m.job_id) IN ('queued', 'running'))
                        AND NOT EXISTS (
                            SELECT FROM recovery c WHERE c.app_id = s.app_id AND c.snapshot_id = s.snapshot_id)
                    RETURNING column_batches || segment_batches AS batches
                ), marked AS (
                    -- An array, so that each batch is found by its key whatever number of them a plan expects.
                    UPDATE segment_batch SET garbage_since = now()
                    WHERE app_id = \(app) AND state = 'committed'
                        AND batch_id = ANY (ARRAY(SELECT DISTINCT unnest(batches) FROM gone))
                )
                SELECT count(*) AS count FROM gone
                """)[0]
            return try row.value("count")
        }
    }
}
