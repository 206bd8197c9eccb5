import Columns
import Postgres
import RealmModel

/// Batches with few bytes, of stores of one app: one statement writes them, and they belong to their realms at once.
///
/// Bytes as few as these are in their rows wherever those of others are: it is the statement that counts.
package struct SmallBatches {
    private let stores: [(store: PostgresSegmentStore, realm: RealmModel.UUID)]

    /// - Parameter stores: with the realms whose snapshots name what they have written.
    package init(_ stores: [(store: PostgresSegmentStore, realm: RealmModel.UUID)]) {
        self.stores = stores.filter { !$0.store.segments.isEmpty || !$0.store.columns.isEmpty }
    }

    /// Writes the batches, of attempts whose lease the transaction has found to count.
    package func insert(_ connection: PostgresConnection) throws {
        guard let app = stores.first?.store.appID else { return }
        let segments = stores.flatMap { store, _ in store.segments.rows.map { (store.batch, $0.ordinal, $0.content) } }
        let columns = stores.flatMap { store, _ in
            store.columns.rows.map { (store.batch, $0.ordinal, $0.content, StoredReferences($0.content)) }
        }
        // Arrays of arrays go as texts: what was joined again by numbers would be compared each with each by a plan that knows none.
        let named = References(columns.map(\.3.ids))
        try connection.execute(
            """
            WITH batches AS (
                INSERT INTO segment_batch (app_id, batch_id, realm_id, owner, state, garbage_since)
                SELECT \(app), batch, realm, owner, 'committed', now()
                FROM unnest(\(PostgresArray(stores.map(\.store.batch))), \(PostgresArray(stores.map(\.realm))),
                    \(PostgresArray(stores.map(\.store.owner.name)))) AS new (batch, realm, owner)
            ), segments AS (
                INSERT INTO segment (app_id, batch_id, ordinal, stored_bytes, bytes)
                SELECT \(app), batch, ordinal, octet_length(bytes), bytes
                FROM unnest(\(PostgresArray(segments.map(\.0))), \(PostgresArray(segments.map(\.1))),
                    \(PostgresArray(segments.map { PostgresBytes($0.2) }))) AS new (batch, ordinal, bytes)
            )
            INSERT INTO segment_column
                (app_id, batch_id, ordinal, segments, stored_bytes, segment_batches, segment_ordinals)
            SELECT \(app), batch, ordinal, list, bytes, batches::uuid[], numbers::integer[]
            FROM unnest(\(PostgresArray(columns.map(\.0))), \(PostgresArray(columns.map(\.1))),
                \(PostgresArray(columns.map { PostgresBytes(SnapshotCoding.encode(column: $0.2)) })),
                \(PostgresArray(columns.map(\.3.bytes))), \(named.batchTexts), \(named.ordinalTexts))
                AS new (batch, ordinal, list, bytes, batches, numbers)
            """)
    }
}

/// The stored segments of a column, and their bytes.
struct StoredReferences {
    var ids: [SegmentID] = []
    var bytes = 0

    init(_ segments: [Segment]) {
        for case .stored(let id, let storedBytes) in segments.map(\.content) {
            ids.append(id)
            bytes += storedBytes
        }
    }
}
