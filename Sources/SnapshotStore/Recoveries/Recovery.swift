import RealmModel

/// A place for the changes of clients of an earlier schema: of before sync was enabled with another one, or before a partner came to its
/// end.
public struct Recovery: Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The last snapshot of the old schema, which may have been deleted.
    public var snapshot: RealmModel.UUID
    /// All classes and properties that the realm's schema had whenever sync was enabled with another one.
    public var retired: Schema
    /// When the schema became another one.
    public var createdAt: Timestamp
}

/// Changes that a client had not sent by then, as they came.
public struct RecoveryBatch: Hashable, Sendable {
    /// Its number in the recovery, from 1.
    public var ordinal: Int
    /// The schema version of the client.
    public var version: UInt64
    /// The batch: JSON as `…/changes` takes it.
    public var changes: [UInt8]
    /// When it came.
    public var createdAt: Timestamp
    /// When it was done; nil while it was not.
    public var replayedAt: Timestamp?
    /// The list of what the replay left out of it, as JSON; nil while it was not done.
    public var leftOut: [UInt8]?
}
