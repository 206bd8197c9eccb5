import RealmModel
import StoreCore

/// A key that clients authenticate with; the secret itself is not kept, only its SHA-256.
public struct APIKey: Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The purpose of the key, in its maker's words.
    public var name: String
    /// The scopes that the key has.
    public var scopes: Set<KeyScope>
    /// Where it permits that.
    public var apps: VisibleApps
    /// When it was made.
    public var createdAt: Timestamp
    /// When it becomes invalid by itself; nil for never.
    public var expiresAt: Timestamp?
}
