import RealmMigration
import RealmModel

/// A version of an app's schema, with the migration that leads to it.
public struct DeclaredVersion: Hashable, Sendable {
    /// The version number.
    public var version: UInt64
    /// Counts what was declared under the number, from 1; no revision has two contents.
    public var revision: Int
    /// The classes.
    public var schema: Schema
    /// How realms of earlier versions are brought here; nil where nothing was declared.
    public var migration: DeclaredMigration?
    /// When the revision was declared.
    public var createdAt: Timestamp
}

/// The outcome of a declaration.
public enum Declaration: Hashable, Sendable {
    /// Nothing was declared under the number.
    case new
    /// It says what was declared before.
    case same
    /// It takes the place of another.
    case revised
}
