/// Realm's schema modes: which differences between the stored and the target schema are permitted, and what is done.
public enum SchemaMode: String, Hashable, Sendable, CaseIterable {
    /// Migrate when the version is raised; at the same version only classes and indexes may be added.
    case automatic
    /// Nothing is written; the version must be the stored one.
    case immutable
    /// Nothing is written, whatever the version.
    case readOnly
    /// Start empty where a migration would be needed.
    case softResetFile
    /// Start empty where anything differs.
    case hardResetFile
    /// Add only, and skip embedded classes that nothing links to.
    case additiveDiscovered
    /// Add only, and refuse embedded classes that nothing links to.
    case additiveExplicit
    /// The script makes every change, and the schema has to be the target afterwards.
    case manual
}
