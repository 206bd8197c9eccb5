import Columns
import Postgres
import RealmModel
import StoreCore

/// Segments and columns in PostgreSQL.
///
/// Writes wait in memory until there are some MiB of them, then go to their table by one COPY under the name of one batch;
/// reads are segment by segment, or many at once where the reader announces them. For one thread at a time.
public final class PostgresSegmentStore: SegmentStore {
    /// Who writes a batch, which decides when it is given up.
    package enum Owner: Hashable {
        /// A draft, which the table calls an upload: given up when it gave no sign of life for the grace period.
        case draft
        /// An attempt of a job, whose lease token is the batch's name: given up with the lease.
        case attempt
        /// Nobody: the store only reads.
        case reader

        /// The owner's name in the table.
        var name: String { self == .draft ? "upload" : "attempt" }
    }

    /// Bytes of segments that are collected before they are written.
    private static let bufferLimit = 4 << 20
    /// Bytes that a segment takes in the list of its column, near enough for a limit.
    private static let segmentSize = 40

    /// The app whose segments these are.
    public let appID: RealmModel.UUID
    let realmID: RealmModel.UUID
    /// The name of what this store writes.
    public let batch: BatchID

    let snapshots: SnapshotStore
    let pool: PostgresPool
    private let recentBytes: RecentlyRead<[UInt8]>
    private let recentArrays: RecentlyRead<ColumnArray>
    private let recentPatches: RecentlyRead<PatchReader>
    /// Primary keys that were looked up ahead, by column.
    var lookedUp: [SegmentID: PrimaryKeysAhead] = [:]
    private let blobs: any SegmentBlobs
    let owner: Owner
    private let reading: ReaderPin
    /// Whether single objects are read rather than all: others of their row groups are likely to follow, by other readers, and
    /// decoded segments are kept for them.
    public var looksUpObjects = false
    package private(set) var hasBatch = false
    private var nextOrdinal: Int32 = 0
    private var preloaded = PreloadedSegments()
    private var segmentsAhead = ReadAhead()
    private var columnsAhead = ReadAhead()
    private(set) var segments = PendingRows<[UInt8]>()
    private(set) var columns = PendingRows<[Segment]>()
    /// The patches that were written, known to others once they are committed.
    private var patches: [(id: SegmentID, read: PatchReader)] = []

    package init(
        _ snapshots: SnapshotStore, appID: RealmModel.UUID, realmID: RealmModel.UUID, owner: Owner = .reader,
        batch: BatchID = BatchID(.version7())
    ) {
        self.snapshots = snapshots
        pool = snapshots.pool
        blobs = snapshots.blobs
        recentBytes = snapshots.recentBytes
        recentArrays = snapshots.recentArrays
        recentPatches = snapshots.recentPatches
        self.appID = appID
        self.realmID = realmID
        self.owner = owner
        self.batch = batch
        reading = ReaderPin(pool, appID: appID, realmID: realmID, grace: snapshots.limits.grace)
    }

    /// Keeps the bytes of a segment.
    ///
    /// - Throws: `PostgresError`; `StoreError.draftExpired` and `leaseLost` where the batch was given up.
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
        columns.append(list, id.ordinal, bytes: list.count * Self.segmentSize)
        try flushWhereFull()
        return id
    }

    /// The bytes of a segment of any batch of the app.
    ///
    /// - Throws: `ColumnError.missing`, `PostgresError`.
    public func read(segment id: SegmentID) throws -> [UInt8] {
        if id.batch == batch, let bytes = segments[id.ordinal] { return bytes }
        if let bytes = preloaded.segments[id] ?? recentBytes(of: id) { return bytes }
        guard let bytes = try segmentsAhead.take(id) ?? fetchSegment(id) else { throw ColumnError.missing(id) }
        noteRecent(bytes, of: id)
        return bytes
    }

    /// The values of a segment.
    ///
    /// - Throws: as `read(segment:)`; `ColumnError.damaged`.
    public func read(_ segment: Segment, as type: ColumnType) throws -> ColumnArray {
        guard looksUpObjects, case .stored(let id, _) = segment.content else { return try decode(segment, as: type) }
        if let array = recentArrays[id, in: appID], array.hasLayout(of: type) { return array }
        let array = try decode(segment, as: type)
        recentArrays.note(array, of: id, in: appID)
        return array
    }

    /// Keeps a patch; whoever changes the class next need not read it.
    ///
    /// - Throws: as `write(segment:)`.
    public func write(patch contents: PatchContents) throws -> Patch {
        let bytes = contents.encoded()
        let patch = contents.patch(in: try write(segment: bytes), storedBytes: bytes.count)
        if looksUpObjects { patches.append((patch.segment, PatchReader(contents))) }
        return patch
    }

    /// A patch, which the process may have read before.
    ///
    /// - Throws: as `read(segment:)`; `ColumnError.damaged`.
    public func read(patch: Patch) throws -> PatchReader {
        if let known = recentPatches[patch.segment, in: appID] { return known }
        let read = try PatchReader(try read(segment: patch.segment))
        recentPatches.note(read, of: patch.segment, in: appID)
        return read
    }

    /// Announces a patch that the process does not know.
    public func willRead(patch: Patch) {
        guard recentPatches[patch.segment, in: appID] == nil else { return }
        segmentsAhead.announce(patch.segment, byteCount: patch.storedBytes)
    }

    private func fetchSegment(_ id: SegmentID) throws -> [UInt8]? {
        try reading.renew()
        return try segmentsAhead.fetch(id) { try blobs.get($0, in: appID) }
    }

    /// Notes what is to be read next, so that it comes with what is read before it.
    public func willRead(_ segment: Segment) {
        guard case .stored(let id, let storedBytes) = segment.content, preloaded.segments[id] == nil,
            recentBytes(of: id) == nil, !looksUpObjects || recentArrays[id, in: appID] == nil
        else { return }
        segmentsAhead.announce(id, byteCount: storedBytes)
    }

    /// Notes as much of a column.
    public func willRead(column id: SegmentID, segmentCount: Int) {
        guard preloaded.columns[id] == nil, recentBytes(of: id) == nil else { return }
        columnsAhead.announce(id, byteCount: segmentCount * Self.segmentSize)
    }

    /// The segments of a column of any batch of the app.
    ///
    /// - Throws: `ColumnError.missing`, `damaged`; `PostgresError`.
    public func read(column id: SegmentID) throws -> [Segment] {
        if id.batch == batch, let list = columns[id.ordinal] { return list }
        if let bytes = preloaded.columns[id] ?? recentBytes(of: id) { return try SnapshotCoding.decodeColumn(bytes) }
        guard let bytes = try columnsAhead.take(id) ?? fetchColumn(id) else { throw ColumnError.missing(id) }
        noteRecent(bytes, of: id)
        return try SnapshotCoding.decodeColumn(bytes)
    }

    private func fetchColumn(_ id: SegmentID) throws -> [UInt8]? {
        try reading.renew()
        return try columnsAhead.fetch(id, columns(_:))
    }

    /// The bytes that another reader of the process read; a store that writes too goes through a realm once.
    private func recentBytes(of id: SegmentID) -> [UInt8]? {
        owner == .reader || looksUpObjects ? recentBytes[id, in: appID] : nil
    }

    private func noteRecent(_ bytes: [UInt8], of id: SegmentID) {
        if owner == .reader || looksUpObjects { recentBytes.note(bytes, of: id, in: appID) }
    }

    private func columns(_ ids: [SegmentID]) throws -> [SegmentID: [UInt8]] {
        try pool.bytes(of: ids, in: appID, column: "segments", table: "segment_column")
    }

    /// Reads all of a snapshot's columns and segments at once, where they are few bytes, for a reader that needs most of them.
    public func preload(_ snapshot: OpenSnapshot) throws {
        guard snapshot.info.storedBytes <= PreloadedSegments.byteLimit else { return }
        try reading.renew()
        preloaded = try pool.withConnection { try PreloadedSegments([snapshot.info.id], of: appID, $0) }
    }

    /// Takes what was read of several snapshots at once.
    package func take(_ preloaded: PreloadedSegments) { self.preloaded = preloaded }

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
    ///
    /// The batch is known to maintenance before any of its bytes are anywhere, so that none can be left behind.
    func flush() throws {
        guard !segments.isEmpty || !columns.isEmpty else { return }
        if !hasBatch {
            try pool.transaction { try self.makeBatch($0) }
            hasBatch = true
        }
        try pool.transaction(isLong: true) { connection in
            try self.claimBatch(connection)
            try self.blobs.put(self.segments.rows, of: self.batch, in: self.appID, connection)
            try self.copyColumns(connection)
        }
        segments.removeAll()
        columns.removeAll()
    }

    private func makeBatch(_ connection: PostgresConnection) throws {
        if owner == .attempt { try requireLease(connection) }
        try connection.execute(
            """
            INSERT INTO segment_batch (app_id, batch_id, realm_id, owner)
            VALUES (\(appID), \(batch), \(realmID), \(owner.name))
            """)
    }

    /// Gives a sign of life, which is refused where the batch was given up.
    private func claimBatch(_ connection: PostgresConnection) throws {
        switch owner {
        case .reader: return
        case .draft:
            let touched = try connection.execute(
                """
                UPDATE segment_batch SET touched_at = now()
                WHERE app_id = \(appID) AND batch_id = \(batch) AND state = 'staged'
                """)
            guard touched == 1 else { throw StoreError.draftExpired }
        case .attempt: try requireLease(connection)
        }
    }

    private func requireLease(_ connection: PostgresConnection) throws {
        let held = try connection.query("SELECT FROM job WHERE lease_token = \(batch) AND state = 'running'")
        guard !held.isEmpty else { throw StoreError.leaseLost }
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
    package func flushUnlessSmall() throws {
        if hasBatch || segments.byteCount + columns.byteCount > Self.smallLimit { try flush() }
    }

    /// Makes the batch part of what its realm's snapshots may name; `flushUnlessSmall` has to come before.
    ///
    /// Segments that no snapshot names, such as intermediate results, are garbage from now on.
    ///
    /// - Throws: `StoreError.draftExpired`, `leaseLost`.
    package func commitBatch(to realm: Realm, _ connection: PostgresConnection) throws {
        guard hasBatch else { return try insertSmallBatch(into: realm, connection) }
        let committed = try connection.execute(
            """
            UPDATE segment_batch SET state = 'committed', realm_id = \(realm.id), garbage_since = now()
            WHERE app_id = \(appID) AND batch_id = \(batch) AND state = 'staged'
            """)
        guard committed == 1 else { throw owner == .draft ? StoreError.draftExpired : .leaseLost }
    }

    /// Writes a batch that fits into one statement; that of an attempt whose lease the transaction has found to count.
    private func insertSmallBatch(into realm: Realm, _ connection: PostgresConnection) throws {
        try SmallBatches([(self, realm.id)]).insert(connection)
    }

    /// Says that the transaction of `commitBatch` was committed.
    package func didCommit() {
        segments.removeAll()
        columns.removeAll()
        for patch in patches { recentPatches.note(patch.read, of: patch.id, in: appID) }
        patches = []
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
