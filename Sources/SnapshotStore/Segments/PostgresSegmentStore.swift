import Columns
import Postgres
import RealmModel

/// Segments and columns in PostgreSQL.
///
/// What is written waits in memory until there are some MiB of it, then goes to its table by one COPY under the name of
/// one batch; what is read comes row by row. For one thread at a time.
public final class PostgresSegmentStore: SegmentStore {
    /// Who writes a batch, which decides when it is given up.
    enum Owner: Hashable {
        /// An upload: given up when it gave no sign of life for the grace period.
        case upload
        /// An attempt of a job, whose lease token is the batch's name: given up with the lease.
        case attempt
        /// Nobody: the store only reads.
        case reader
    }

    /// Bytes of segments that are collected before they are written.
    private static let bufferLimit = 4 << 20

    /// The app whose segments these are.
    public let appID: RealmModel.UUID
    let realmID: RealmModel.UUID
    /// The name of what this store writes.
    public let batch: BatchID

    private let pool: PostgresPool
    private let owner: Owner
    private let reading: ReaderPin
    private var hasBatch = false
    private var nextOrdinal: Int32 = 0
    private var preloaded = PreloadedSegments()
    private var segments = PendingRows<[UInt8]>()
    private var columns = PendingRows<[Segment]>()

    /// The segments and columns written so far: 0 for a migration that only changed metadata.
    public var writtenCount: Int { Int(nextOrdinal) }

    init(
        _ pool: PostgresPool, appID: RealmModel.UUID, realmID: RealmModel.UUID, limits: MaintenanceLimits,
        owner: Owner = .reader, batch: BatchID = BatchID(.version7())
    ) {
        self.pool = pool
        self.appID = appID
        self.realmID = realmID
        self.owner = owner
        self.batch = batch
        reading = ReaderPin(pool, appID: appID, realmID: realmID, grace: limits.grace)
    }

    /// Keeps the bytes of a segment.
    ///
    /// - Throws: `PostgresError`; `StoreError.uploadExpired` and `leaseLost` where the batch was given up.
    public func write(segment bytes: [UInt8]) throws -> SegmentID {
        let id = try nextID()
        segments.append(bytes, id.ordinal, bytes: bytes.count)
        try flushWhereFull()
        return id
    }

    /// Keeps a column.
    ///
    /// - Throws: as `write(segment:)`.
    public func write(column list: [Segment]) throws -> SegmentID {
        let id = try nextID()
        columns.append(list, id.ordinal, bytes: list.count * 40)
        try flushWhereFull()
        return id
    }

    /// The bytes of a segment of any batch of the app.
    ///
    /// - Throws: `ColumnError.missing`, `PostgresError`.
    public func read(segment id: SegmentID) throws -> [UInt8] {
        if id.batch == batch, let bytes = segments[id.ordinal] { return bytes }
        if let bytes = preloaded.segments[id] { return bytes }
        let row = try row(
            """
            SELECT bytes FROM segment
            WHERE app_id = \(appID) AND batch_id = \(id.batch) AND ordinal = \(id.ordinal)
            """, id)
        return try row.value("bytes", as: PostgresBytes.self).bytes
    }

    /// The segments of a column of any batch of the app.
    ///
    /// - Throws: `ColumnError.missing`, `damaged`; `PostgresError`.
    public func read(column id: SegmentID) throws -> [Segment] {
        if id.batch == batch, let list = columns[id.ordinal] { return list }
        if let bytes = preloaded.columns[id] { return try SnapshotCoding.decodeColumn(bytes) }
        let row = try row(
            """
            SELECT segments FROM segment_column
            WHERE app_id = \(appID) AND batch_id = \(id.batch) AND ordinal = \(id.ordinal)
            """, id)
        return try SnapshotCoding.decodeColumn(try row.value("segments", as: PostgresBytes.self).bytes)
    }

    /// Reads all of a snapshot's columns and segments at once, where they are few bytes, for a reader that needs most of them.
    public func preload(_ snapshot: OpenSnapshot) throws {
        guard snapshot.info.storedBytes <= PreloadedSegments.byteLimit else { return }
        try reading.renew()
        preloaded = try pool.withConnection { try PreloadedSegments(snapshot.info, $0) }
    }

    private func row(_ statement: PostgresStatement, _ id: SegmentID) throws -> PostgresRow {
        try reading.renew()
        guard let row = try pool.withConnection({ try $0.query(statement).first }) else {
            throw ColumnError.missing(id)
        }
        return row
    }

    private func nextID() throws -> SegmentID {
        guard owner != .reader, nextOrdinal < .max else {
            throw StoreError.damaged("a store that takes nothing was written to")
        }
        defer { nextOrdinal += 1 }
        return SegmentID(batch: batch, ordinal: nextOrdinal)
    }

    private func flushWhereFull() throws {
        if segments.byteCount + columns.byteCount >= Self.bufferLimit { try flush() }
    }

    /// Writes what waits in memory.
    func flush() throws {
        guard !segments.isEmpty || !columns.isEmpty else { return }
        try pool.transaction { connection in
            try self.claimBatch(connection)
            try self.copySegments(connection)
            try self.copyColumns(connection)
        }
        hasBatch = true
        segments.removeAll()
        columns.removeAll()
    }

    /// Gives a sign of life, which is refused where the batch was given up.
    private func claimBatch(_ connection: PostgresConnection) throws {
        switch (owner, hasBatch) {
        case (.reader, _): return
        case (.upload, false):
            try connection.execute(
                """
                INSERT INTO segment_batch (app_id, batch_id, realm_id, owner)
                VALUES (\(appID), \(batch), \(realmID), 'upload')
                """)
        case (.upload, true):
            let touched = try connection.execute(
                """
                UPDATE segment_batch SET touched_at = now()
                WHERE app_id = \(appID) AND batch_id = \(batch) AND state = 'staged'
                """)
            guard touched == 1 else { throw StoreError.uploadExpired }
        case (.attempt, _):
            let held = try connection.query("SELECT FROM job WHERE lease_token = \(batch) AND state = 'running'")
            guard !held.isEmpty else { throw StoreError.leaseLost }
            guard !hasBatch else { return }
            try connection.execute(
                """
                INSERT INTO segment_batch (app_id, batch_id, realm_id, owner)
                VALUES (\(appID), \(batch), \(realmID), 'attempt')
                """)
        }
    }

    private func copySegments(_ connection: PostgresConnection) throws {
        guard !segments.isEmpty else { return }
        try connection.copyIn("COPY segment (app_id, batch_id, ordinal, bytes) FROM STDIN (FORMAT binary)") { rows in
            for (ordinal, bytes) in segments.rows {
                try rows.write([
                    PostgresParameter(appID), PostgresParameter(batch), PostgresParameter(ordinal),
                    PostgresParameter(PostgresBytes(bytes)),
                ])
            }
        }
    }

    private func copyColumns(_ connection: PostgresConnection) throws {
        guard !columns.isEmpty else { return }
        try connection.copyIn(
            """
            COPY segment_column (app_id, batch_id, ordinal, segments, stored_bytes, segment_batches, segment_ordinals)
            FROM STDIN (FORMAT binary)
            """
        ) { rows in
            for (ordinal, list) in columns.rows {
                let stored = StoredReferences(list)
                try rows.write([
                    PostgresParameter(appID), PostgresParameter(batch), PostgresParameter(ordinal),
                    PostgresParameter(PostgresBytes(SnapshotCoding.encode(column: list))),
                    PostgresParameter(stored.bytes), PostgresParameter(stored.ids.batches),
                    PostgresParameter(stored.ids.ordinals),
                ])
            }
        }
    }

    // MARK: Committing

    /// Bytes up to which what waits is written by the transaction that commits it, rather than before.
    private static let smallLimit = 64 << 10

    /// Writes what waits in memory, unless it is so little that `commitBatch` had better write it.
    func flushUnlessSmall() throws {
        if hasBatch || segments.byteCount + columns.byteCount > Self.smallLimit { try flush() }
    }

    /// Makes the batch part of what its realm's snapshots may name; `flushUnlessSmall` has to come before.
    ///
    /// What no snapshot names, as intermediate results, is garbage from now on.
    ///
    /// - Throws: `StoreError.uploadExpired`, `leaseLost`.
    func commitBatch(to realm: Realm, _ connection: PostgresConnection) throws {
        guard hasBatch else { return try insertSmallBatch(into: realm, connection) }
        let committed = try connection.execute(
            """
            UPDATE segment_batch SET state = 'committed', realm_id = \(realm.id), garbage_since = now()
            WHERE app_id = \(appID) AND batch_id = \(batch) AND state = 'staged'
            """)
        guard committed == 1 else { throw owner == .upload ? StoreError.uploadExpired : .leaseLost }
    }

    /// Writes a batch that fits into one statement; that of an attempt whose lease the transaction has found to count.
    private func insertSmallBatch(into realm: Realm, _ connection: PostgresConnection) throws {
        guard !segments.isEmpty || !columns.isEmpty else { return }
        let lists = columns.rows.map { ($0.ordinal, StoredReferences($0.content)) }
        let named = lists.flatMap { ordinal, stored in stored.ids.map { (ordinal, $0) } }
        try connection.execute(
            """
            WITH batch AS (
                INSERT INTO segment_batch (app_id, batch_id, realm_id, owner, state, garbage_since)
                VALUES (\(appID), \(batch), \(realm.id), \(owner == .upload ? "upload" : "attempt"), 'committed', now())
                RETURNING app_id, batch_id
            ), segments AS (
                INSERT INTO segment (app_id, batch_id, ordinal, bytes)
                SELECT app_id, batch_id, ordinal, bytes
                FROM batch, unnest(\(PostgresArray(segments.rows.map(\.ordinal))),
                    \(PostgresArray(segments.rows.map { PostgresBytes($0.content) }))) AS new (ordinal, bytes)
            ), named AS (
                SELECT of, array_agg(batch ORDER BY place) AS batches, array_agg(number ORDER BY place) AS numbers
                FROM unnest(\(PostgresArray(named.map(\.0))), \(named.map(\.1).batches), \(named.map(\.1).ordinals))
                    WITH ORDINALITY AS reference (of, batch, number, place)
                GROUP BY of
            )
            INSERT INTO segment_column
                (app_id, batch_id, ordinal, segments, stored_bytes, segment_batches, segment_ordinals)
            SELECT app_id, batch_id, ordinal, list, bytes, coalesce(batches, '{}'), coalesce(numbers, '{}')
            FROM batch, unnest(\(PostgresArray(columns.rows.map(\.ordinal))),
                \(PostgresArray(columns.rows.map { PostgresBytes(SnapshotCoding.encode(column: $0.content)) })),
                \(PostgresArray(lists.map(\.1.bytes)))) AS new (ordinal, list, bytes)
            LEFT JOIN named ON named.of = new.ordinal
            """)
    }

    /// Says that the transaction of `commitBatch` was committed.
    func didCommit() {
        segments.removeAll()
        columns.removeAll()
    }

    /// Forgets what was not committed; what was stays.
    public func close() {
        abandon()
    }

    /// Leaves the batch to maintenance at once; where that can't be said now, maintenance finds out by itself.
    func abandon() {
        segments.removeAll()
        columns.removeAll()
        guard hasBatch else { return }
        _ = try? pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE segment_batch SET state = 'removing'
                WHERE app_id = \(appID) AND batch_id = \(batch) AND state = 'staged'
                """)
        }
    }
}

/// The stored segments of a column, and their bytes.
private struct StoredReferences {
    var ids: [SegmentID] = []
    var bytes = 0

    init(_ segments: [Segment]) {
        for case .stored(let id, let storedBytes) in segments.map(\.content) {
            ids.append(id)
            bytes += storedBytes
        }
    }
}
