import RealmModel

/// A migration to a version, as it is declared: a script, and what it leaves to this program.
public struct DeclaredMigration: Hashable, Sendable {
    /// The script; nil for "no script", which Realm treats otherwise than a script that does nothing.
    public var script: ScriptSource?
    /// Renames that are done before the script.
    public var renames: [PropertyRename]
    /// Classes that get another name before anything else is done.
    public var classRenames: [ClassRename]
    /// How objects that share a primary key are treated, by class.
    public var primaryKeyPolicies: [PrimaryKeyPolicy]
    /// How values are treated when an optional property is made required; nil for what Realm does.
    public var nullability: MigrationOptions.Nullability?
    /// Which objects get declared defaults; nil for what Realm does.
    public var applyDefaults: MigrationOptions.ApplyDefaults?

    /// Declares a migration.
    public init(
        script: ScriptSource? = nil, renames: [PropertyRename] = [], classRenames: [ClassRename] = [],
        primaryKeyPolicies: [PrimaryKeyPolicy] = [], nullability: MigrationOptions.Nullability? = nil,
        applyDefaults: MigrationOptions.ApplyDefaults? = nil
    ) {
        self.script = script
        self.renames = renames
        self.classRenames = classRenames
        self.primaryKeyPolicies = primaryKeyPolicies
        self.nullability = nullability
        self.applyDefaults = applyDefaults
    }

    /// The renames as a comparison of schemas takes them.
    public var schemaRenames: [SchemaRename] {
        classRenames.map { .objectType(from: $0.from, to: $0.to) }
            + renames.map { .property(className: $0.className, from: $0.from, to: $0.to) }
    }
}

extension MigrationOptions {
    /// The choices of a declared migration, Realm's own where it makes none.
    public init(_ declared: DeclaredMigration, resolveEmbeddedConstraints: Bool, addedRequired: AddedRequired) {
        self.init(
            nullability: declared.nullability ?? .reset, applyDefaults: declared.applyDefaults ?? .new,
            resolveEmbeddedConstraints: resolveEmbeddedConstraints, addedRequired: addedRequired,
            primaryKeyPolicies: declared.primaryKeyPolicies)
    }
}
