import RealmModel

/// What is kept for clients of a schema that sync was terminated with, of one realm.
public struct Recovery: Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The last snapshot of the old schema, which may have been deleted.
    public var snapshot: RealmModel.UUID
    /// All classes and properties that the realm's schema ever had up to then.
    public var retired: Schema
    /// When sync was enabled with another schema.
    public var createdAt: Timestamp
}

/// Changes that a client had not sent when sync was terminated, as they came.
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
}
