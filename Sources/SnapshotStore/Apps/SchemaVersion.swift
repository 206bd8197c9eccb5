import RealmModel

/// A version of an app's schema, with the migration that leads to it; never changes once declared.
public struct SchemaVersion: Hashable, Sendable {
    /// The version number.
    public var version: UInt64
    /// The classes.
    public var schema: Schema
    /// How realms of earlier versions are brought here; nil where nothing was declared.
    public var migration: DeclaredMigration?
    /// When it was declared.
    public var createdAt: Timestamp
}
