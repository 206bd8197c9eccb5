import Columns
import Postgres
import RealmModel

/// A snapshot on the way from an earlier one, and what it has otherwise than the one before it.
public struct DeltaLink: Hashable, Sendable {
    /// The snapshot.
    public var snapshot: RealmModel.UUID
    /// Nil where that is not known: everything may be different.
    public var delta: SnapshotDelta?
}

extension SnapshotStore.Snapshots {
    /// The most snapshots that are gone back through.
    private static let longestChain = 100_000

    /// The snapshots that lead from one of a realm to a later one, oldest first.
    ///
    /// - Returns: nil where the later one did not come of the earlier, or snapshots between are gone; nothing where both are
    ///   the same.
    public func deltas(
        from base: RealmModel.UUID, to latest: RealmModel.UUID, of realm: Realm
    ) throws -> [DeltaLink]? {
        guard base != latest else { return [] }
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                WITH RECURSIVE chain AS (
                    SELECT snapshot_id, parent_id, delta, 1 AS place FROM snapshot
                    WHERE app_id = \(realm.appID) AND snapshot_id = \(latest) AND realm_id = \(realm.id)
                    UNION ALL
                    SELECT s.snapshot_id, s.parent_id, s.delta, place + 1 FROM chain c CROSS JOIN LATERAL (
                        SELECT * FROM snapshot WHERE app_id = \(realm.appID) AND snapshot_id = c.parent_id LIMIT 1
                    ) AS s
                    WHERE c.parent_id <> \(base) AND place < \(Self.longestChain)
                )
                SELECT snapshot_id, parent_id, delta FROM chain ORDER BY place DESC
                """)
        }
        guard let first = rows.first, try first.optional("parent_id") == base else { return nil }
        return try rows.map { row in
            DeltaLink(
                snapshot: try row.value("snapshot_id"),
                delta: try row.optional("delta", as: PostgresBytes.self).map {
                    try SnapshotDeltaCoding.decode($0.bytes)
                })
        }
    }
}
