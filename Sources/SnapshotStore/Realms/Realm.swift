import RealmModel

/// The two kinds of realms, which differ in what may change them.
public enum RealmKind: String, Hashable, Sendable, CaseIterable {
    /// A file of one device: migrations may do anything.
    case local
    /// A realm that clients of several versions share: additive changes only.
    case synced
}

/// One database of one user or device.
public struct Realm: Hashable, Sendable {
    /// The app's name.
    public var app: String
    /// The realm's name, unique in its app.
    public var name: String
    /// What may change it.
    public var kind: RealmKind
    /// What was uploaded, migrated or restored last; nil before the first upload.
    public var currentSnapshot: RealmModel.UUID?
    /// When it was made.
    public var createdAt: Timestamp

    let appID: RealmModel.UUID
    let id: RealmModel.UUID
}
