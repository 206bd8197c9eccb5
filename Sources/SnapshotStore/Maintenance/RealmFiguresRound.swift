import Postgres
import RealmJSON
import RealmModel
import StoreCore

/// Counts the realms of all apps, some at a time, and writes down what has changed.
struct RealmFiguresRound: MaintenanceRound {
    private static let age = Duration.seconds(400 * 86_400)

    private let store: SnapshotStore
    private(set) var report = 0
    private var counts: [RealmModel.UUID: RealmCounts]
    private var last: (app: RealmModel.UUID, realm: RealmModel.UUID)? = (.lowest, .lowest)
    private var isWritten = false

    init(_ store: SnapshotStore) throws {
        self.store = store
        let apps = try store.pool.withConnection { try $0.query("SELECT app_id FROM app") }
        counts = Dictionary(uniqueKeysWithValues: try apps.map { (try $0.value("app_id"), RealmCounts()) })
    }

    func backlog() throws -> Int { 0 }

    mutating func step() throws -> Bool {
        if let place = last {
            last = try count(behind: place)
            return true
        }
        guard isWritten else {
            try write()
            isWritten = true
            return true
        }
        return try removeOld()
    }

    private mutating func count(
        behind place: (app: RealmModel.UUID, realm: RealmModel.UUID)
    ) throws -> (app: RealmModel.UUID, realm: RealmModel.UUID)? {
        let rows = try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT r.app_id, r.realm_id, s.schema_version, s.stored_bytes FROM (
                    SELECT app_id, realm_id, current_id FROM realm WHERE (app_id, realm_id) > (\(place.app), \(place.realm))
                    ORDER BY app_id, realm_id LIMIT \(store.limits.portion)
                ) AS r LEFT JOIN LATERAL (
                    SELECT schema_version, stored_bytes FROM snapshot
                    WHERE app_id = r.app_id AND snapshot_id = r.current_id LIMIT 1
                ) AS s ON true ORDER BY r.app_id, r.realm_id
                """)
        }
        for row in rows {
            // An app that is made meanwhile is counted by the next round.
            try counts[try row.value("app_id", as: RealmModel.UUID.self)]?.count(RealmCounts.snapshot(of: row))
        }
        report += rows.count
        guard rows.count == store.limits.portion, let row = rows.last else { return nil }
        return (try row.value("app_id"), try row.value("realm_id"))
    }

    /// Writes the counts that differ from those before, in steps of some apps, and of all of them together.
    private func write() throws {
        var all = RealmCounts()
        for counts in counts.values { all.add(counts) }
        let rows = counts.map { ($0.key as RealmModel.UUID?, $0.value) } + [(nil, all)]
        for start in stride(from: 0, to: rows.count, by: store.limits.portion) {
            try Self.write(Array(rows[start..<min(start + store.limits.portion, rows.count)]), in: store.pool)
        }
    }

    private static func write(_ rows: [(app: RealmModel.UUID?, counts: RealmCounts)], in pool: PostgresPool) throws {
        let documents = rows.map { String(decoding: $0.counts.versionsJSON.encoded(), as: UTF8.self) }
        try pool.transaction { connection in
            try connection.execute(script: "SET LOCAL synchronous_commit = off")
            _ = try connection.execute(
                """
                INSERT INTO realm_hour (app_id, hour, realms, stored_bytes, versions)
                SELECT counted.app_id, date_trunc('hour', now(), 'UTC'), counted.realms, counted.stored_bytes, counted.versions::json
                FROM unnest(\(PostgresArray(nullable: rows.map(\.app))), \(PostgresArray(rows.map(\.counts.realms))),
                        \(PostgresArray(rows.map(\.counts.storedBytes))), \(PostgresArray(documents)))
                    AS counted (app_id, realms, stored_bytes, versions)
                LEFT JOIN LATERAL (
                    SELECT realms, stored_bytes, versions::text AS versions FROM realm_hour
                    WHERE coalesce(app_id, '00000000-0000-0000-0000-000000000000')
                        = coalesce(counted.app_id, '00000000-0000-0000-0000-000000000000')
                    ORDER BY hour DESC LIMIT 1
                ) AS was ON true
                WHERE (counted.app_id IS NULL OR EXISTS (SELECT FROM app WHERE app_id = counted.app_id))
                    AND (counted.realms, counted.stored_bytes, counted.versions)
                        IS DISTINCT FROM (was.realms, was.stored_bytes, was.versions)
                ON CONFLICT (coalesce(app_id, '00000000-0000-0000-0000-000000000000'), hour) DO UPDATE SET
                    realms = excluded.realms, stored_bytes = excluded.stored_bytes, versions = excluded.versions,
                    counted_at = excluded.counted_at
                """)
        }
    }

    /// Removes figures that no chart shows any more.
    ///
    /// - Returns: whether there are more.
    private func removeOld() throws -> Bool {
        let limit = store.limits.portion
        return try store.pool.withConnection { connection in
            let jobs = try connection.execute(
                """
                DELETE FROM job_hour WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM job_hour WHERE hour < now() - \(Self.age.inSeconds) * interval '1 second' LIMIT \(limit)))
                """)
            let realms = try connection.execute(
                """
                DELETE FROM realm_hour WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM realm_hour WHERE hour < now() - \(Self.age.inSeconds) * interval '1 second' LIMIT \(limit)))
                """)
            return max(jobs, realms) == limit
        }
    }
}

extension SnapshotStore.Maintenance {
    /// Takes the next round of counting realms for charts, unless another process has it or had one lately.
    public func takeFigures(every interval: Duration) throws -> MaintenanceTurn? {
        guard try takeTurn(at: .figures) else { return nil }
        return MaintenanceTurn(.figures, every: interval, in: self, try RealmFiguresRound(store))
    }

    /// Counts realms for charts, in one go.
    public func countRealms() throws {
        var round = try RealmFiguresRound(store)
        _ = try round.finish()
    }
}
