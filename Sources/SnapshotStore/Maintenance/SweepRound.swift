import Columns
import Postgres
import RealmModel
import StoreCore

/// Gives up what its owners have left, and removes what nothing names any more, batch by batch.
struct SweepRound: MaintenanceRound {
    private enum Stage {
        case uploads, givingUp, garbage, removing
    }

    private let store: SnapshotStore
    private(set) var report = SweepReport()
    private var stage = Stage.uploads
    /// Batches that are looked at next.
    private var batches: [Batch] = []
    /// Garbage is removed that was so by then.
    private let cutoff: Timestamp
    /// The last batch of the stage that was looked up.
    private var last: (since: Timestamp, id: BatchID) = Self.start

    private static let start = (since: Timestamp(seconds: 0, nanoseconds: 0), id: BatchID(.lowest))

    /// Batches that may be removed are counted by `Maintenance.backlog`.
    func backlog() -> Int { 0 }

    init(_ store: SnapshotStore) throws {
        self.store = store
        cutoff = try store.pool.withConnection { connection in
            try connection.query(
                "SELECT now() - \(store.limits.grace.inSeconds) * interval '1 second' AS cutoff")[0].value("cutoff")
        }
    }

    mutating func step() throws -> Bool {
        let round = self
        switch stage {
        case .uploads: if try store.uploads.removeOld(atMost: store.limits.portion) { stage = .givingUp }
        case .givingUp: if try giveUp() { stage = .garbage }
        case .garbage:
            if try !next(round.lookUpGarbage, { try round.removeGarbage(of: $0) }) {
                (stage, last) = (.removing, Self.start)
            }
        case .removing: return try next(round.lookUpGivenUp) { try round.remove($0) }
        }
        return true
    }

    private struct Batch {
        let appID: RealmModel.UUID
        let id: BatchID
        let realmID: RealmModel.UUID

        init(row: PostgresRow) throws {
            (appID, id, realmID) = (
                try row.value("app_id"), try row.value("batch_id"), try row.value("realm_id")
            )
        }
    }

    /// Goes on with a batch of a stage; one that needs several steps stays the next.
    ///
    /// - Returns: whether there was one.
    private mutating func next(
        _ lookUp: () throws -> [PostgresRow], _ work: (Batch) throws -> (isDone: Bool, removed: SweepReport)
    ) throws -> Bool {
        if batches.isEmpty {
            let rows = try lookUp()
            batches = try rows.reversed().map(Batch.init(row:))
            if let row = rows.last { last = (try row.value("since"), try row.value("batch_id")) }
        }
        guard let batch = batches.last else { return false }
        let (isDone, removed) = try work(batch)
        report.batches += removed.batches
        report.segments += removed.segments
        if isDone { batches.removeLast() }
        return true
    }

    private func lookUpGivenUp() throws -> [PostgresRow] {
        try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT app_id, batch_id, realm_id, touched_at AS since FROM segment_batch
                WHERE state <> 'committed' AND state = 'removing' AND (touched_at, batch_id) > (\(last.since), \(last.id))
                ORDER BY touched_at, batch_id LIMIT \(store.limits.portion)
                """)
        }
    }

    private func lookUpGarbage() throws -> [PostgresRow] {
        try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT app_id, batch_id, realm_id, garbage_since AS since FROM segment_batch b
                WHERE state = 'committed' AND garbage_since < \(cutoff) AND (garbage_since, batch_id) > (\(last.since), \(last.id))
                    AND NOT EXISTS (SELECT FROM segment_reader p WHERE p.app_id = b.app_id AND p.realm_id = b.realm_id)
                ORDER BY garbage_since, batch_id LIMIT \(store.limits.portion)
                """)
        }
    }

    /// - Returns: whether none is left.
    private func giveUp() throws -> Bool {
        try transaction { connection in
            let limit = store.limits.portion
            try connection.execute("DELETE FROM segment_reader WHERE until < now()")
            let touched = try connection.execute(
                """
                UPDATE segment_batch SET state = 'removing' WHERE (app_id, batch_id) IN (
                    SELECT app_id, batch_id FROM segment_batch b
                    WHERE state <> 'committed' AND state = 'staged' AND (
                        owner = 'upload' AND touched_at < \(cutoff)
                        OR owner = 'attempt' AND NOT EXISTS (
                            SELECT FROM job WHERE lease_token = b.batch_id AND state = 'running'))
                    LIMIT \(limit) FOR UPDATE SKIP LOCKED)
                """)
            return touched < limit
        }
    }

    /// Removes some of a batch that was given up; its row goes last, so that an interrupted removal is taken up again.
    private func remove(_ batch: Batch) throws -> (isDone: Bool, removed: SweepReport) {
        try transaction { connection in
            var room = store.limits.portion
            room -= try store.blobs.remove(atMost: room, of: batch.id, in: batch.appID, connection)
            guard room > 0 else { return (false, SweepReport()) }
            room -= try connection.execute(
                """
                DELETE FROM primary_key_page WHERE app_id = \(batch.appID) AND batch_id = \(batch.id)
                    AND (ordinal, run, first_hash) IN (
                        SELECT ordinal, run, first_hash FROM primary_key_page
                        WHERE app_id = \(batch.appID) AND batch_id = \(batch.id) LIMIT \(room))
                """)
            guard room > 0 else { return (false, SweepReport()) }
            room -= try connection.execute(
                """
                DELETE FROM segment_column WHERE app_id = \(batch.appID) AND batch_id = \(batch.id) AND ordinal IN (
                    SELECT ordinal FROM segment_column
                    WHERE app_id = \(batch.appID) AND batch_id = \(batch.id) LIMIT \(room))
                """)
            guard room > 0 else { return (false, SweepReport()) }
            try connection.execute(
                "DELETE FROM segment_batch WHERE app_id = \(batch.appID) AND batch_id = \(batch.id)")
            return (true, SweepReport(batches: 1))
        }
    }

    /// Removes some of what no snapshot of the realm names, columns before segments.
    ///
    /// Since the batch was looked up, and between the steps, more of it may have become garbage, or a reader come: then it has its time
    /// anew.
    private func removeGarbage(of batch: Batch) throws -> (isDone: Bool, removed: SweepReport) {
        try transaction { connection in
            let rows = try connection.query(
                """
                SELECT EXISTS (SELECT FROM realm r WHERE r.app_id = b.app_id AND r.realm_id = b.realm_id) AS has_realm
                FROM segment_batch b
                WHERE app_id = \(batch.appID) AND batch_id = \(batch.id) AND state = 'committed' AND garbage_since < \(cutoff)
                    AND NOT EXISTS (SELECT FROM segment_reader p WHERE p.app_id = b.app_id AND p.realm_id = b.realm_id)
                FOR UPDATE OF b
                """)
            guard let row = rows.first else { return (true, SweepReport()) }
            guard try row.value("has_realm") else {
                // It goes as a whole, in as many steps as that takes.
                try connection.execute(
                    """
                    UPDATE segment_batch SET state = 'removing' WHERE app_id = \(batch.appID) AND batch_id = \(batch.id)
                    """)
                return (true, SweepReport())
            }
            let columns = try removeColumns(of: batch, connection)
            let room = store.limits.portion - columns
            let segments = room > 0 ? try removeSegments(of: batch, atMost: room, connection) : 0
            guard columns + segments < store.limits.portion else {
                return (false, SweepReport(segments: columns + segments))
            }
            let emptied = try connection.execute(
                """
                DELETE FROM segment_batch b
                WHERE app_id = \(batch.appID) AND batch_id = \(batch.id)
                    AND NOT EXISTS (SELECT FROM segment s WHERE s.app_id = b.app_id AND s.batch_id = b.batch_id)
                    AND NOT EXISTS (SELECT FROM segment_column c WHERE c.app_id = b.app_id AND c.batch_id = b.batch_id)
                """)
            try connection.execute(
                """
                UPDATE segment_batch SET garbage_since = NULL
                WHERE app_id = \(batch.appID) AND batch_id = \(batch.id)
                """)
            return (true, SweepReport(batches: emptied, segments: columns + segments))
        }
    }

    /// Removes columns that no snapshot of the realm names, with the pages of their indexes.
    ///
    /// Segments that only these named are garbage now, in whichever batch they are.
    private func removeColumns(of batch: Batch, _ connection: PostgresConnection) throws -> Int {
        try connection.query(
            """
            WITH gone AS (
                DELETE FROM segment_column WHERE app_id = \(batch.appID) AND batch_id = \(batch.id) AND ordinal IN (
                    SELECT ordinal FROM segment_column
                    WHERE app_id = \(batch.appID) AND batch_id = \(batch.id) AND ordinal NOT IN (
                        SELECT named.ordinal
                        FROM snapshot s, unnest(s.column_batches, s.column_ordinals) AS named (batch_id, ordinal)
                        WHERE s.app_id = \(batch.appID) AND s.realm_id = \(batch.realmID)
                            AND named.batch_id = \(batch.id))
                    LIMIT \(store.limits.portion))
                RETURNING segment_batches
            ), marked AS (
                UPDATE segment_batch SET garbage_since = now()
                WHERE app_id = \(batch.appID) AND batch_id = ANY (ARRAY(SELECT DISTINCT unnest(segment_batches) FROM gone))
                    AND batch_id <> \(batch.id) AND state = 'committed' AND garbage_since IS NULL
            )
            SELECT count(*) AS count FROM gone
            """)[0].value("count")
    }

    private func removeSegments(of batch: Batch, atMost limit: Int, _ connection: PostgresConnection) throws -> Int {
        let segments = try connection.query(
            """
            SELECT ordinal FROM segment
            WHERE app_id = \(batch.appID) AND batch_id = \(batch.id) AND ordinal NOT IN (
                SELECT named.ordinal
                FROM snapshot s, unnest(s.segment_batches, s.segment_ordinals) AS named (batch_id, ordinal)
                WHERE s.app_id = \(batch.appID) AND s.realm_id = \(batch.realmID)
                    AND named.batch_id = \(batch.id)
                UNION ALL
                SELECT named.ordinal
                FROM segment_column c, unnest(c.segment_batches, c.segment_ordinals) AS named (batch_id, ordinal)
                WHERE c.app_id = \(batch.appID) AND named.batch_id = \(batch.id) AND c.batch_id IN (
                    SELECT batch_id FROM segment_batch
                    WHERE app_id = \(batch.appID) AND realm_id = \(batch.realmID)))
            LIMIT \(limit)
            """
        ).map { try $0.value("ordinal", as: Int32.self) }
        try store.blobs.remove(segments, of: batch.id, in: batch.appID, connection)
        return segments.count
    }

    /// That a crash of the database may bring something back that was removed does no harm.
    private func transaction<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        try store.pool.transaction(isLong: true) { connection in
            try connection.execute(script: "SET LOCAL synchronous_commit = off")
            return try body(connection)
        }
    }
}
