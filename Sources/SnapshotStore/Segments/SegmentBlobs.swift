import Columns
import Postgres
import RealmModel

/// Where the bytes of segments are: put, got many at once, removed.
///
/// A row of `segment` says that a segment exists and how many bytes it has, wherever they are; the bytes of a batch that is
/// written by one statement are in their rows always. An implementation keeps bytes and their rows, nothing else: who
/// writes a batch, what a snapshot names and what is garbage is decided outside.
protocol SegmentBlobs: Sendable {
    /// Keeps segments of a batch, and adds their rows in the transaction that claims it.
    ///
    /// The batch was committed before: where the transaction is rolled back, maintenance finds it given up one day and
    /// removes all that there is.
    func put(
        _ segments: [(ordinal: Int32, content: [UInt8])], of batch: BatchID, in appID: RealmModel.UUID,
        _ connection: PostgresConnection
    ) throws
    /// The bytes of segments of any batches of an app; those that are not there are left out.
    func get(_ ids: [SegmentID], in appID: RealmModel.UUID) throws -> [SegmentID: [UInt8]]
    /// Removes some segments of a batch, in the transaction that found them to be garbage; where that is rolled back, they
    /// still are, and are removed again.
    func remove(
        _ ordinals: [Int32], of batch: BatchID, in appID: RealmModel.UUID, _ connection: PostgresConnection) throws
    /// Removes some segments of a batch that goes as a whole; where the transaction is rolled back, they are removed again.
    ///
    /// - Returns: how many; fewer than the limit where there are no more.
    func remove(
        atMost limit: Int, of batch: BatchID, in appID: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> Int
}

/// Segments whose bytes are in their rows.
struct PostgresSegmentBlobs: SegmentBlobs {
    let pool: PostgresPool

    func put(
        _ segments: [(ordinal: Int32, content: [UInt8])], of batch: BatchID, in appID: RealmModel.UUID,
        _ connection: PostgresConnection
    ) throws {
        guard !segments.isEmpty else { return }
        try connection.copyIn(
            "COPY segment (app_id, batch_id, ordinal, stored_bytes, bytes) FROM STDIN (FORMAT binary)"
        ) { rows in
            for (ordinal, bytes) in segments {
                try rows.write([
                    PostgresParameter(appID), PostgresParameter(batch), PostgresParameter(ordinal),
                    PostgresParameter(bytes.count), PostgresParameter(PostgresBytes(bytes)),
                ])
            }
        }
    }

    func get(_ ids: [SegmentID], in appID: RealmModel.UUID) throws -> [SegmentID: [UInt8]] {
        try pool.bytes(of: ids, in: appID, column: "bytes", table: "segment")
    }

    func remove(
        _ ordinals: [Int32], of batch: BatchID, in appID: RealmModel.UUID, _ connection: PostgresConnection
    ) throws {
        try connection.execute(
            """
            DELETE FROM segment
            WHERE app_id = \(appID) AND batch_id = \(batch) AND ordinal = ANY(\(PostgresArray(ordinals)))
            """)
    }

    func remove(
        atMost limit: Int, of batch: BatchID, in appID: RealmModel.UUID, _ connection: PostgresConnection
    ) throws -> Int {
        try connection.execute(
            """
            DELETE FROM segment WHERE app_id = \(appID) AND batch_id = \(batch) AND ordinal IN (
                SELECT ordinal FROM segment WHERE app_id = \(appID) AND batch_id = \(batch) LIMIT \(limit))
            """)
    }
}
