import Postgres
import RealmModel
import StoreCore

/// Counts the realms and snapshots that are new, so that nobody has to read all of an app's.
///
/// Counts are right at every moment for whoever adds what was not counted: each step moves some of that into the counts, in one
/// transaction.
struct CountingRound: MaintenanceRound {
    /// Snapshots that a step counts, at most; it reads them and writes a row for each of their apps.
    private static let snapshotsAtOnce = 1_000

    private let store: SnapshotStore
    /// How many realms and snapshots were counted.
    private(set) var report = 0
    private var hasRealms = true

    init(_ store: SnapshotStore) { self.store = store }

    /// Each step finds what is to be counted.
    func backlog() -> Int { 0 }

    mutating func step() throws -> Bool {
        if hasRealms {
            let counted = try countRealms()
            report += counted
            hasRealms = counted == store.limits.portion
            return true
        }
        return try countSnapshots()
    }

    /// Counts some realms at the versions of their current snapshots, and no longer at those of before.
    private func countRealms() throws -> Int {
        try transaction { connection in
            let rows = try connection.query(
                """
                SELECT app_id, realm_id FROM realm WHERE is_uncounted LIMIT \(store.limits.portion)
                FOR NO KEY UPDATE SKIP LOCKED
                """)
            guard !rows.isEmpty else { return 0 }
            let apps = PostgresArray(try rows.map { try $0.value("app_id", as: RealmModel.UUID.self) })
            let realms = PostgresArray(try rows.map { try $0.value("realm_id", as: RealmModel.UUID.self) })
            try connection.execute(
                """
                WITH counted AS (
                    UPDATE realm SET counted_id = due.current_id, counted_version = due.new_version
                    FROM (
                        SELECT r.app_id, r.realm_id, r.current_id, r.counted_version AS old_version,
                            coalesce(s.schema_version, -1) AS new_version
                        FROM unnest(\(apps), \(realms)) AS wanted (app, id)
                        CROSS JOIN LATERAL (SELECT * FROM realm WHERE app_id = wanted.app AND realm_id = wanted.id LIMIT 1) AS r
                        CROSS JOIN \(unsafeSQL: Realm.currentSnapshotRow)
                    ) AS due
                    WHERE realm.app_id = due.app_id AND realm.realm_id = due.realm_id
                    RETURNING realm.app_id, due.old_version, due.new_version
                )
                INSERT INTO realm_count (app_id, schema_version, realms)
                SELECT app_id, version, sum(realms) FROM (
                    SELECT app_id, new_version AS version, 1 AS realms FROM counted
                    UNION ALL SELECT app_id, old_version, -1 FROM counted WHERE old_version IS NOT NULL
                ) AS moved GROUP BY app_id, version HAVING sum(realms) <> 0
                ON CONFLICT (app_id, schema_version) DO UPDATE SET realms = realm_count.realms + excluded.realms
                """)
            try connection.execute("DELETE FROM realm_count WHERE app_id = ANY(\(apps)) AND realms = 0")
            return rows.count
        }
    }

    /// Counts some snapshots, those that were made first at first, and what has changed of those that were counted.
    ///
    /// - Returns: whether there are more.
    private mutating func countSnapshots() throws -> Bool {
        let limit = Self.snapshotsAtOnce
        let counted: (changes: Int, snapshots: Int) = try transaction { connection in
            // The statements that follow see all that was committed before this lock.
            let state = try connection.query("SELECT counted_to FROM snapshot_counting FOR UPDATE")[0]
            let from: RealmModel.UUID = try state.value("counted_to")
            let changes = try drain(upTo: from, atMost: limit, connection)
            return (changes, try count(from: from, atMost: limit, connection))
        }
        report += counted.snapshots
        return counted.changes == limit || counted.snapshots == limit
    }

    /// Adds to the counts what has changed of what was counted.
    private func drain(upTo end: RealmModel.UUID, atMost limit: Int, _ connection: PostgresConnection) throws -> Int {
        try connection.query(
            """
            WITH drained AS (
                DELETE FROM count_change WHERE ctid = ANY(ARRAY(
                    SELECT ctid FROM count_change WHERE snapshot_id IS NULL OR snapshot_id <= \(end) LIMIT \(limit)))
                RETURNING *
            ), of_realms AS (
                INSERT INTO realm_count (app_id, schema_version, realms)
                SELECT app_id, schema_version, sum(realms) FROM drained
                WHERE snapshot_id IS NULL AND EXISTS (SELECT FROM app WHERE app.app_id = drained.app_id)
                GROUP BY app_id, schema_version
                ON CONFLICT (app_id, schema_version) DO UPDATE SET realms = realm_count.realms + excluded.realms
            ), of_snapshots AS (
                INSERT INTO snapshot_count (app_id, snapshots, bytes)
                SELECT app_id, sum(snapshots), sum(bytes) FROM drained
                WHERE snapshot_id IS NOT NULL AND EXISTS (SELECT FROM app WHERE app.app_id = drained.app_id)
                GROUP BY app_id
                ON CONFLICT (app_id) DO UPDATE SET snapshots = snapshot_count.snapshots + excluded.snapshots,
                    bytes = snapshot_count.bytes + excluded.bytes
            )
            SELECT count(*) AS count FROM drained
            """)[0].value("count")
    }

    /// Counts the next snapshots; what has changed of them until now is in their rows.
    private func count(from start: RealmModel.UUID, atMost limit: Int, _ connection: PostgresConnection) throws -> Int {
        // A number that was not given out yet is of the server that a dump came from.
        try connection.query(
            """
            WITH state AS (
                SELECT next_to, next_transaction < pg_snapshot_xmin(pg_current_snapshot())
                    OR next_transaction >= pg_snapshot_xmax(pg_current_snapshot()) AS is_over
                FROM snapshot_counting
            ), found AS MATERIALIZED (
                SELECT s.app_id, s.snapshot_id, s.stored_bytes FROM state, LATERAL (
                    SELECT app_id, snapshot_id, stored_bytes FROM snapshot
                    WHERE snapshot_id > \(start) AND snapshot_id <= state.next_to ORDER BY snapshot_id LIMIT \(limit)
                ) AS s
                WHERE is_over
            ), done AS (
                SELECT is_over, next_to, count(f.snapshot_id) AS count, count(f.snapshot_id) < \(limit) AS is_all,
                    CASE WHEN NOT is_over THEN \(start) WHEN count(f.snapshot_id) < \(limit) THEN next_to
                        ELSE (SELECT snapshot_id FROM found ORDER BY snapshot_id DESC LIMIT 1) END AS counted_to
                FROM state LEFT JOIN found f ON true GROUP BY next_to, is_over
            ), outdated AS (
                DELETE FROM count_change WHERE snapshot_id > \(start) AND snapshot_id <= (SELECT counted_to FROM done)
            ), added AS (
                INSERT INTO snapshot_count (app_id, snapshots, bytes)
                SELECT app_id, count(*), sum(stored_bytes) FROM found GROUP BY app_id
                ON CONFLICT (app_id) DO UPDATE SET snapshots = snapshot_count.snapshots + excluded.snapshots,
                    bytes = snapshot_count.bytes + excluded.bytes
            ), moved AS (
                UPDATE snapshot_counting SET counted_to = done.counted_to,
                    next_to = CASE WHEN is_all THEN greatest(done.next_to, lowest_id(now() - interval '15 seconds'))
                        ELSE done.next_to END,
                    next_transaction = CASE WHEN is_all THEN pg_current_xact_id() ELSE next_transaction END
                FROM done
                -- While nothing is made nothing is written.
                WHERE is_over AND (done.counted_to <> \(start)
                    OR EXISTS (SELECT FROM snapshot WHERE snapshot_id > done.next_to))
            )
            SELECT count FROM done
            """)[0].value("count")
    }

    /// That a crash of the database may undo a step does no harm: it undoes all of it.
    private func transaction<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        try store.pool.transaction(isLong: true) { connection in
            try connection.execute(script: "SET LOCAL synchronous_commit = off")
            return try body(connection)
        }
    }
}
