import Postgres
import RealmJSON
import RealmModel
import StoreCore

extension SnapshotStore.Realms {
    /// Realms of an app that are counted at once rather than taken from the last round.
    private static let fewRealms = 2_000

    /// The realms of an app, or of all, as they stood in a time, ascending; steps in which nothing changed are left out, and the first may
    /// be from before.
    ///
    /// - Parameter app: nil for all apps.
    /// - Throws: `StoreError.notFound` (app).
    public func figures(
        of app: String?, from start: Timestamp, to end: Timestamp, by step: FigureStep
    ) throws -> [RealmFigures] {
        try pool.withConnection { connection in
            let id = try app.map { try SnapshotStore.Apps.app($0, connection).id }
            let rows = try connection.query(
                """
                SELECT DISTINCT ON (1) date_trunc(\(step.rawValue), hour, 'UTC') AS at, realms, stored_bytes, versions FROM (
                    (SELECT * FROM realm_hour WHERE coalesce(app_id, '00000000-0000-0000-0000-000000000000')
                            = coalesce(\(id), '00000000-0000-0000-0000-000000000000') AND hour < \(start)
                        ORDER BY hour DESC LIMIT 1)
                    UNION ALL
                    (SELECT * FROM realm_hour WHERE coalesce(app_id, '00000000-0000-0000-0000-000000000000')
                            = coalesce(\(id), '00000000-0000-0000-0000-000000000000') AND hour >= \(start) AND hour < \(end))
                ) AS counted ORDER BY 1, hour DESC
                """)
            return try rows.map(RealmFigures.init(row:))
        }
    }

    /// The realms of an app, or of all, now: where they are many, as they were last counted.
    ///
    /// - Returns: nil where they are many and were never counted.
    /// - Throws: `StoreError.notFound` (app).
    public func figuresNow(of app: String?, at now: Timestamp) throws -> RealmFigures? {
        try pool.withConnection { connection in
            let id = try app.map { try SnapshotStore.Apps.app($0, connection).id }
            let rows = try connection.query(
                """
                SELECT s.schema_version, s.stored_bytes FROM (
                    SELECT app_id, current_id FROM realm WHERE true \(and: "app_id", is: id) LIMIT \(Self.fewRealms + 1)
                ) AS r LEFT JOIN LATERAL (
                    SELECT schema_version, stored_bytes FROM snapshot
                    WHERE app_id = r.app_id AND snapshot_id = r.current_id LIMIT 1
                ) AS s ON true
                """)
            guard rows.count > Self.fewRealms else {
                var counts = RealmCounts()
                for row in rows { counts.count(try RealmCounts.snapshot(of: row)) }
                return RealmFigures(
                    at: now, count: counts.realms, storedBytes: counts.storedBytes, versions: counts.versionsJSON)
            }
            return try connection.query(
                """
                SELECT counted_at AS at, realms, stored_bytes, versions FROM realm_hour
                WHERE coalesce(app_id, '00000000-0000-0000-0000-000000000000')
                    = coalesce(\(id), '00000000-0000-0000-0000-000000000000')
                ORDER BY hour DESC LIMIT 1
                """
            ).first.map(RealmFigures.init(row:))
        }
    }
}

extension RealmFigures {
    fileprivate init(row: PostgresRow) throws {
        let versions: PostgresJSON = try row.value("versions")
        guard let document = try? JSONValue.parse(Array(versions.text.utf8)) else {
            throw StoreError.damaged("the figures of realms")
        }
        self.init(
            at: try row.value("at"), count: try row.value("realms"), storedBytes: try row.value("stored_bytes"),
            versions: document)
    }
}
