import RealmModel
import StoreCore

/// A secret of hours that a key has made for some realms of an app; the secret itself is not kept, only its SHA-256.
public struct RealmToken: Hashable, Sendable {
    /// The longest that one is valid.
    public static let longestLife = Duration.seconds(86_400)
    /// Tokens of a key that are valid at a time, at most.
    public static let limit = 10_000
    /// The scopes that a token may have: `admin` concerns the whole service.
    public static let scopes = KeyScope.allCases.filter { $0 != .admin }

    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The key that made it, with which it ends.
    public var maker: RealmModel.UUID
    /// The name of that key.
    public var makerName: String
    /// The app that its realms are of.
    public var app: String
    /// The realms that it opens, there or not.
    public var realms: RealmNames
    /// Its scopes there.
    public var scopes: Set<KeyScope>
    /// When it was made.
    public var createdAt: Timestamp
    /// When it becomes invalid by itself.
    public var expiresAt: Timestamp
}

/// The tokens that somebody may see.
public enum VisibleTokens: Hashable, Sendable {
    /// Those that a key has made.
    case made(by: RealmModel.UUID)
    /// Those of some apps, whoever made them, and those that a key has made.
    case of(VisibleApps, orMadeBy: RealmModel.UUID)

    /// Whether a token is among them.
    func contains(_ token: RealmToken) -> Bool {
        switch self {
        case .made(let key): token.maker == key
        case .of(let apps, let key): token.maker == key || apps.contains(token.app)
        }
    }
}
