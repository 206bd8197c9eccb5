import Postgres
import StoreCore

/// How much maintenance has still to do.
public struct Backlog: Hashable, Sendable {
    /// Batches of segments that are to be looked at, or removed.
    public var batches: Int
    /// Realms whose patches are to be folded.
    public var patchedRealms: Int
    /// Realms that a round of retention has still to look at.
    public var retainedRealms: Int
    /// Since the last round of retention came to its end.
    public var retentionAge: Duration
    /// Since the last sweep came to its end.
    public var sweepAge: Duration
}

extension SnapshotStore.Maintenance {
    /// The number up to which a backlog is counted: more is too much as well, and counting it would take long.
    public static let countedBacklog = 10_000

    /// Tells how much there is to do.
    public func backlog() throws -> Backlog {
        let row = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT (
                    SELECT count(*) FROM (
                        SELECT FROM segment_batch
                        WHERE garbage_since < now() - \(store.limits.grace.inSeconds) * interval '1 second' LIMIT \(Self.countedBacklog)
                    ) AS garbage
                ) + (
                    SELECT count(*) FROM (
                        SELECT FROM segment_batch WHERE state <> 'committed' AND state = 'removing' LIMIT \(Self.countedBacklog)
                    ) AS given_up
                ) AS batches, (
                    SELECT count(*) FROM (
                        SELECT FROM realm WHERE patched_rows > 0 AND patched_rows >= \(Self.foldedRows) LIMIT \(Self.countedBacklog)
                    ) AS patched
                ) AS patched, retention.backlog AS retained,
                    extract(epoch FROM now() - retention.ended_at)::float8 AS retention_age,
                    extract(epoch FROM now() - sweep.ended_at)::float8 AS sweep_age
                FROM chore retention, chore sweep WHERE retention.name = 'retention' AND sweep.name = 'sweep'
                """)[0]
        }
        return Backlog(
            batches: try row.value("batches"), patchedRealms: try row.value("patched"),
            retainedRealms: try row.value("retained"),
            retentionAge: .seconds(try row.value("retention_age", as: Double.self)),
            sweepAge: .seconds(try row.value("sweep_age", as: Double.self)))
    }
}
