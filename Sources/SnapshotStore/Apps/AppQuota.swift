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
        let totals = try totals(of: app, connection)
        if let limit = quota.snapshots, totals.snapshots + count > limit {
            throw StoreError.quotaExceeded("\(limit) snapshots")
        }
        if let limit = quota.bytes, totals.bytes >= limit {
            throw StoreError.quotaExceeded("\(limit) bytes of snapshots")
        }
    }

    /// The snapshots of an app, and their bytes: those that were counted, and those that were not yet.
    private static func totals(
        of app: String, _ connection: PostgresConnection
    ) throws -> (snapshots: Int, bytes: Int) {
        while true {
            let counted = try connection.query(
                """
                SELECT counting.counted_to, coalesce(sum(each.snapshots), 0)::bigint AS snapshots,
                    coalesce(sum(each.bytes), 0)::bigint AS bytes
                FROM snapshot_counting counting LEFT JOIN LATERAL (
                    SELECT snapshots, bytes FROM snapshot_count WHERE app_id = (SELECT app_id FROM app WHERE name = \(app))
                    UNION ALL
                    SELECT snapshots, bytes FROM count_change
                    WHERE app_id = (SELECT app_id FROM app WHERE name = \(app)) AND snapshot_id <= counting.counted_to
                ) AS each ON true
                GROUP BY counting.counted_to
                """)[0]
            let countedTo: RealmModel.UUID = try counted.value("counted_to")
            guard let newer = try totals(of: app, after: countedTo, connection) else { continue }
            return (
                try counted.value("snapshots", as: Int.self) + newer.snapshots,
                try counted.value("bytes", as: Int.self) + newer.bytes
            )
        }
    }

    /// The snapshots of an app that are newer than those that were counted, and their bytes; nil where more was counted meanwhile.
    private static func totals(
        of app: String, after countedTo: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> (snapshots: Int, bytes: Int)? {
        var (snapshots, bytes, last) = (0, 0, countedTo)
        while true {
            // In the order of the index, and no more than a page: a plan that does not know how few they are expects a third of all.
            let page = try connection.query(
                """
                SELECT count(*) AS snapshots, coalesce(sum(stored_bytes), 0)::bigint AS bytes, max(snapshot_id::text)::uuid AS last,
                    (SELECT counted_to FROM snapshot_counting) AS counted_to
                FROM (
                    SELECT snapshot_id, stored_bytes FROM snapshot
                    WHERE app_id = (SELECT app_id FROM app WHERE name = \(app)) AND snapshot_id > \(last)
                    ORDER BY snapshot_id LIMIT \(uncountedPage)
                ) AS newer
                """)[0]
            guard try page.value("counted_to", as: RealmModel.UUID.self) == countedTo else { return nil }
            let count: Int = try page.value("snapshots")
            snapshots += count
            bytes += try page.value("bytes", as: Int.self)
            guard count == uncountedPage, let end = try page.optional("last", as: RealmModel.UUID.self) else {
                return (snapshots, bytes)
            }
            last = end
        }
    }

    /// Snapshots that are added up at a time.
    ///
    /// Some thousand at most are not counted yet, except in a database that has just been upgraded.
    private static let uncountedPage = 5_000
}
