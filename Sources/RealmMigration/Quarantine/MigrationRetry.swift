import Columns
import RealmModel

/// A migration that is done once more for some objects alone, on what it made.
public struct MigrationRetry: Hashable, Sendable {
    /// The realm as it was before the migration: what the script sees as the old one.
    public var source: Snapshot
    /// The objects that enumerations visit, by class: their object keys.
    public var keys: [NameKey: Set<Int64>]

    /// Describes a retry.
    public init(source: Snapshot, keys: [NameKey: Set<Int64>]) {
        self.source = source
        self.keys = keys
    }
}
