import RealmModel

/// An app: what schema versions and realms belong to.
public struct App: Hashable, Sendable {
    /// The name that clients use.
    public var name: String
    /// When it was made.
    public var createdAt: Timestamp
    /// A UUIDv7; another app of the same name, made after this one was removed, has another.
    public let id: RealmModel.UUID
}
