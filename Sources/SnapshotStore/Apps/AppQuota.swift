import Postgres
import RealmModel
import StoreCore

/// How much an app may keep; what is there already stays.
public struct AppQuota: Hashable, Sendable {
    /// Snapshots at most; nil for any number.
    public var snapshots: Int?
    /// Bytes that its snapshots name, at most, those that several name counted for each; nil for any number.
    public var bytes: Int?

    /// Any number of everything, unless said otherwise.
    public init(snapshots: Int? = nil, bytes: Int? = nil) {
        self.snapshots = snapshots
        self.bytes = bytes
    }

    /// Whether there is anything to be asked.
    public var isGiven: Bool { snapshots != nil || bytes != nil }
}

extension SnapshotStore.Apps {
    /// Refuses another snapshot where an app has as much as it may.
    ///
    /// A snapshot that is being made meanwhile is not counted.
    ///
    /// - Throws: `StoreError.quotaExceeded`.
    public func check(_ quota: AppQuota, of app: String) throws {
        guard quota.isGiven else { return }
        try pool.withConnection { try Self.check(quota, of: app, for: 1, $0) }
    }

    /// Refuses some more snapshots where an app may not have so many, or has as many bytes as it may.
    package static func check(_ quota: AppQuota, of app: String, for count: Int, _ connection: PostgresConnection)
        throws
    {
        guard quota.isGiven, count > 0 else { return }
        let row = try totals(of: app, connection)
        if let limit = quota.snapshots, try row.value("snapshots", as: Int.self) + count > limit {
            throw StoreError.quotaExceeded("\(limit) snapshots")
        }
        if let limit = quota.bytes, try row.value("bytes", as: Int.self) >= limit {
            throw StoreError.quotaExceeded("\(limit) bytes of snapshots")
        }
    }

    /// The snapshots of an app, and their bytes: those that were counted, and those that were not yet.
    private static func totals(of app: String, _ connection: PostgresConnection) throws -> PostgresRow {
        var countedTo: RealmModel.UUID = try connection.query("SELECT counted_to FROM snapshot_counting")[0]
            .value("counted_to")
        while true {
            // Newer ones one by one: a plan that does not know how few they are expects a third of all, and reads them all.
            let row = try connection.query(
                """
                WITH RECURSIVE newer (snapshot_id, bytes) AS (
                    (
                        SELECT snapshot_id, stored_bytes FROM snapshot
                        WHERE app_id = (SELECT app_id FROM app WHERE name = \(app)) AND snapshot_id > \(countedTo)
                        ORDER BY snapshot_id LIMIT 1
                    ) UNION ALL
                    SELECT next.* FROM newer CROSS JOIN LATERAL (
                        SELECT snapshot_id, stored_bytes FROM snapshot
                        WHERE app_id = (SELECT app_id FROM app WHERE name = \(app)) AND snapshot_id > newer.snapshot_id
                        ORDER BY snapshot_id LIMIT 1
                    ) AS next
                )
                SELECT (SELECT counted_to FROM snapshot_counting) AS counted_to,
                    coalesce(sum(each.snapshots), 0)::bigint AS snapshots, coalesce(sum(each.bytes), 0)::bigint AS bytes
                FROM (
                    SELECT snapshots, bytes FROM snapshot_count WHERE app_id = (SELECT app_id FROM app WHERE name = \(app))
                    UNION ALL
                    SELECT snapshots, bytes FROM count_change
                    WHERE app_id = (SELECT app_id FROM app WHERE name = \(app)) AND snapshot_id <= \(countedTo)
                    UNION ALL
                    SELECT 1, bytes FROM newer
                ) AS each
                """)[0]
            let now: RealmModel.UUID = try row.value("counted_to")
            // More was counted between the two questions.
            guard now != countedTo else { return row }
            countedTo = now
        }
    }
}
