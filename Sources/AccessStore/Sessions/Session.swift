import RealmModel

/// A browser's access in place of a key: what that key permits, until the key or the session ends.
///
/// A session that nobody has used for twelve hours has ended.
public struct Session: Hashable, Sendable {
    /// Sessions of a key at a time, at most: one more ends the one that was used longest ago.
    public static let limit = 100
    /// Its secrets begin with this, and those of keys and tokens do not.
    public static let mark = "rss_"

    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The key that it was made with.
    public var key: APIKey
}
