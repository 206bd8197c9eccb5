import Columns

/// A snapshot that can be read: what is known of it, what it holds, and the store that has its segments.
public struct OpenSnapshot {
    /// Its metadata.
    public let info: SnapshotInfo
    /// Its classes and columns.
    public let snapshot: Snapshot
    /// Has its segments; for one thread at a time.
    ///
    /// Reading goes on to work for as long as it lasts, even where the realm is deleted meanwhile: maintenance leaves
    /// segments alone for its grace period, and a reader that is at work for longer says so in the database.
    public let store: PostgresSegmentStore
}
