import Postgres
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
        let row = try connection.query(
            """
            WITH known AS MATERIALIZED (
                SELECT a.app_id, c.counted_to FROM app a, snapshot_counting c WHERE a.name = \(app)
            )
            SELECT coalesce(sum(each.snapshots), 0)::bigint AS snapshots, coalesce(sum(each.bytes), 0)::bigint AS bytes
            FROM known CROSS JOIN LATERAL (
                SELECT snapshots, bytes FROM snapshot_count WHERE app_id = known.app_id
                UNION ALL
                SELECT snapshots, bytes FROM count_change WHERE app_id = known.app_id AND snapshot_id <= known.counted_to
                UNION ALL
                -- Those that were not counted yet, in the order of the key.
                (SELECT 1, stored_bytes FROM snapshot WHERE app_id = known.app_id AND snapshot_id > known.counted_to
                ORDER BY snapshot_id)
            ) AS each
            """)[0]
        if let limit = quota.snapshots, try row.value("snapshots", as: Int.self) + count > limit {
            throw StoreError.quotaExceeded("\(limit) snapshots")
        }
        if let limit = quota.bytes, try row.value("bytes", as: Int.self) >= limit {
            throw StoreError.quotaExceeded("\(limit) bytes of snapshots")
        }
    }
}
