import Columns
import Postgres
import RealmModel
import StoreCore

/// How much a sweep removed.
public struct SweepReport: Hashable, Sendable {
    /// Batches that were removed whole.
    public var batches = 0
    /// Segments and columns of batches that stay.
    public var segments = 0
}

extension SnapshotStore.Maintenance {
    /// Removes what nothing names any more, unless another process did so within `interval`.
    ///
    /// - Returns: nil where it was not yet time.
    public func sweepIfDue(every interval: Duration) throws -> SweepReport? {
        try takeTurn(at: .sweep, every: interval) ? sweep() : nil
    }

    /// Removes batches whose owner is gone, and segments and columns that no snapshot names.
    ///
    /// Never what is being written: a staged batch is given up only when its upload gave no sign of life for the grace
    /// period or its attempt lost its lease, by a change of its state that a commit conflicts with. Never what is being
    /// read: what snapshots named goes only when it has been garbage for the grace period and no reader of the realm
    /// has a pin (`ReaderPin`). Any number of processes may sweep at once; what one stops at the next goes on with.
    @discardableResult
    public func sweep() throws -> SweepReport {
        try store.uploads.removeOld()
        try giveUpBatches()
        var report = SweepReport()
        for batch in try batches(of: .givenUp) {
            try remove(batch)
            report.batches += 1
        }
        for batch in try batches(of: .withGarbage) {
            let removed = try removeGarbage(of: batch)
            report.segments += removed.segments
            report.batches += removed.wholeBatch ? 1 : 0
        }
        return report
    }

    private struct Batch {
        let appID: RealmModel.UUID
        let id: BatchID
        let realmID: RealmModel.UUID
    }

    private enum Selection {
        case givenUp
        case withGarbage
    }

    private func giveUpBatches() throws {
        let grace = store.limits.grace.inSeconds
        try pool.transaction(isLong: true) { connection in
            try connection.execute("DELETE FROM segment_reader WHERE until < now()")
            try connection.execute(
                """
                UPDATE segment_batch SET state = 'removing'
                WHERE state = 'staged' AND owner = 'upload' AND touched_at < now() - \(grace) * interval '1 second'
                """)
            try connection.execute(
                """
                UPDATE segment_batch b SET state = 'removing'
                WHERE state = 'staged' AND owner = 'attempt'
                    AND NOT EXISTS (SELECT FROM job WHERE lease_token = b.batch_id AND state = 'running')
                """)
            try connection.execute(
                """
                UPDATE segment_batch b SET state = 'removing'
                WHERE state = 'committed' AND garbage_since < now() - \(grace) * interval '1 second'
                    AND NOT EXISTS (SELECT FROM realm r WHERE r.app_id = b.app_id AND r.realm_id = b.realm_id)
                    AND NOT EXISTS (
                        SELECT FROM segment_reader p WHERE p.app_id = b.app_id AND p.realm_id = b.realm_id)
                """)
        }
    }

    private func batches(of selection: Selection) throws -> [Batch] {
        let grace = store.limits.grace.inSeconds
        return try pool.transaction(isLong: true) { connection in
            let rows =
                switch selection {
                case .givenUp:
                    try connection.query(
                        "SELECT app_id, batch_id, realm_id FROM segment_batch WHERE state = 'removing' LIMIT 10000")
                case .withGarbage:
                    try connection.query(
                        """
                        SELECT app_id, batch_id, realm_id FROM segment_batch b
                        WHERE state = 'committed' AND garbage_since < now() - \(grace) * interval '1 second'
                            AND NOT EXISTS (
                                SELECT FROM segment_reader p WHERE p.app_id = b.app_id AND p.realm_id = b.realm_id)
                        LIMIT 10000
                        """)
                }
            return try rows.map {
                Batch(
                    appID: try $0.value("app_id"), id: try $0.value("batch_id"), realmID: try $0.value("realm_id"))
            }
        }
    }

    /// Removes a batch in short transactions; its row goes last, so that an interrupted removal is taken up again.
    private func remove(_ batch: Batch) throws {
        try store.blobs.removeAll(of: batch.id, in: batch.appID)
        _ = try pool.transaction(isLong: true) { connection in
            try connection.execute(
                "DELETE FROM segment_batch WHERE app_id = \(batch.appID) AND batch_id = \(batch.id)")
        }
    }

    /// Removes what no snapshot of the realm names, columns before segments.
    private func removeGarbage(of batch: Batch) throws -> (segments: Int, wholeBatch: Bool) {
        try pool.transaction(isLong: true) { connection in
            try connection.query(
                """
                SELECT FROM segment_batch WHERE app_id = \(batch.appID) AND batch_id = \(batch.id) FOR UPDATE
                """)
            let columns = try connection.execute(
                """
                DELETE FROM segment_column
                WHERE app_id = \(batch.appID) AND batch_id = \(batch.id) AND ordinal NOT IN (
                    SELECT named.ordinal
                    FROM snapshot s, unnest(s.column_batches, s.column_ordinals) AS named (batch_id, ordinal)
                    WHERE s.app_id = \(batch.appID) AND s.realm_id = \(batch.realmID)
                        AND named.batch_id = \(batch.id))
                """)
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
                """
            ).map { try $0.value("ordinal", as: Int32.self) }
            try store.blobs.remove(segments, of: batch.id, in: batch.appID, connection)
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
            if columns > 0 {
                // Segments that only these columns named are garbage now, in whichever batch they are.
                try connection.execute(
                    """
                    UPDATE segment_batch SET garbage_since = now()
                    WHERE app_id = \(batch.appID) AND realm_id = \(batch.realmID) AND batch_id <> \(batch.id)
                        AND state = 'committed' AND garbage_since IS NULL
                    """)
            }
            return (columns + segments.count, emptied == 1)
        }
    }
}
