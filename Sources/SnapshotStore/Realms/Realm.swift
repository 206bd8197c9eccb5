import RealmModel
import StoreCore

/// A condition of a change, checked on the realm when nobody else can change it any more; throws where the realm is
/// another, or, nil, none.
public typealias RealmCondition = @Sendable (Realm?) throws -> Void

/// One database of one user or device.
public struct Realm: Hashable, Sendable {
    /// The app's name.
    public var app: String
    /// The realm's name, unique in its app.
    public var name: String
    /// Its kind, which decides what may change it.
    public var kind: RealmKind
    /// The snapshot that was uploaded, migrated or restored last; nil before the first upload.
    public var currentSnapshot: RealmModel.UUID?
    /// Names and values by which realms are selected.
    public var labels: [String: String]
    /// When it was made.
    public var createdAt: Timestamp
    /// How its clients share it; nil for a local realm.
    public var sync: Sync?

    package let appID: RealmModel.UUID
    package let id: RealmModel.UUID
    /// Another number where the current snapshot is kept in another way, its contents being the same.
    let representation: Int

    /// The state of a synced realm beside its snapshots.
    public struct Sync: Hashable, Sendable {
        /// Whether sync was terminated, and not enabled since.
        public var isTerminated: Bool
        /// How many objects lack a value that their class requires, so that clients don't get them.
        public var unsyncedCount: Int
        /// The recovery for clients of the schema before; nil where sync was never enabled with another.
        public var recovery: RealmModel.UUID?
        /// Whether what a client's model has more is added to the realm's schema.
        public var isInDevelopment: Bool
        /// The part of the realm's schema that partners stand in for now: clients that know it have to start over.
        public var retired = Schema()

        /// Whether clients read and write.
        ///
        /// - Parameter limit: how many objects may be unsynced.
        public func state(unsyncedLimit limit: Int) -> SyncState {
            if isTerminated { return .terminated }
            return unsyncedCount > limit ? .terminateRequired : .enabled
        }
    }
}
