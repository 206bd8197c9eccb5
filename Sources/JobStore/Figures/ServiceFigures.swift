import Postgres
import RealmFleet
import StoreCore

/// Figures that an operator is woken by, besides jobs and housekeeping: no table is read for them that grows with the realms.
public struct ServiceFigures: Hashable, Sendable {
    /// Processes that said lately that they have workers.
    public var workers: Int
    /// Jobs that these run at once.
    public var slots: Int
    /// Jobs that run by a lease that is over.
    public var expiredLeases: Int
    /// Fleets that are at work.
    public var fleets: Int
    /// The realms of these, by where they stand.
    public var fleetRealms: FleetCounts
    /// Bytes of the service's tables: those of the whole database take a look at each of its files, whoever's they are.
    public var databaseBytes: Int
    /// Bytes of those that have the segments of snapshots.
    public var segmentBytes: Int
}

extension JobStore {
    /// How long a process counts as there that said so.
    private static let presence = Duration.seconds(30)

    /// Says that a process is there, and forgets those that have said nothing for a day.
    public func note(worker name: String, slots: Int) throws {
        try pool.withConnection { connection in
            _ = try connection.execute(
                """
                INSERT INTO worker (name, slots) VALUES (\(name), \(Int32(slots)))
                ON CONFLICT (name) DO UPDATE SET slots = excluded.slots, seen_at = now()
                """)
            _ = try connection.execute("DELETE FROM worker WHERE seen_at < now() - interval '1 day'")
        }
    }

    /// Says that a process has no workers any more.
    public func forget(worker name: String) throws {
        _ = try pool.withConnection { try $0.execute("DELETE FROM worker WHERE name = \(name)") }
    }

    /// The figures that an operator is woken by.
    public func serviceFigures() throws -> ServiceFigures {
        let row = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT w.*, f.*, (SELECT count(*) FROM job WHERE state = 'running' AND lease_until < now()) AS expired,
                    (SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class WHERE relkind = 'r' AND relnamespace = (
                        SELECT relnamespace FROM pg_class WHERE oid = 'segment'::regclass)) AS database_bytes,
                    pg_total_relation_size('segment') AS segment_bytes
                FROM (
                    SELECT count(*) AS workers, coalesce(sum(slots), 0) AS slots FROM worker
                    WHERE seen_at > now() - \(Self.presence.inSeconds) * interval '1 second'
                ) AS w, (
                    SELECT count(*) AS fleets, coalesce(sum(pending), 0) AS pending, coalesce(sum(running), 0) AS running,
                        coalesce(sum(succeeded), 0) AS succeeded, coalesce(sum(failed), 0) AS failed,
                        coalesce(sum(unchanged), 0) AS unchanged, coalesce(sum(undone), 0) AS undone, coalesce(sum(kept), 0) AS kept
                    FROM fleet WHERE state IN ('canary', 'running', 'undoing') OR running > 0
                ) AS f
                """)[0]
        }
        var realms = FleetCounts()
        for state in FleetMemberState.allCases { realms[state] = try row.value(state.rawValue) }
        return ServiceFigures(
            workers: try row.value("workers"), slots: try row.value("slots"), expiredLeases: try row.value("expired"),
            fleets: try row.value("fleets"), fleetRealms: realms, databaseBytes: try row.value("database_bytes"),
            segmentBytes: try row.value("segment_bytes"))
    }
}
