import RealmModel

/// A migration to a version: a script, and what it leaves to this program.
///
/// It is one value from the request of a client to the host that runs the script.
public struct DeclaredMigration: Hashable, Sendable {
    /// How values are treated when an optional property is made required.
    public enum Nullability: String, Hashable, Sendable, CaseIterable {
        /// All values are reset to the type's zero, as Realm does.
        case reset
        /// Values stay; a null among them fails the migration.
        case keep
    }

    /// Which objects get the defaults that the target schema declares.
    public enum ApplyDefaults: String, Hashable, Sendable, CaseIterable {
        /// Objects that the script creates, as Realm does.
        case new
        /// Existing objects too, in properties that the migration adds.
        case existing
    }

    /// The script; nil for "no script", which Realm treats otherwise than a script that does nothing.
    public var script: ScriptSource?
    /// Renames that are done before the script.
    public var renames: [PropertyRename]
    /// Classes that get another name before anything else is done.
    public var classRenames: [ClassRename]
    /// How objects that share a primary key are treated, by class.
    public var primaryKeyPolicies: [PrimaryKeyPolicy]
    /// The classes whose callbacks look at nothing but the two objects that they are given, and at the old realm.
    ///
    /// The script is held to it, and its row groups may run side by side, in worlds of their own.
    public var independent: [String]
    /// How values are treated when an optional property is made required; nil for what Realm does.
    public var nullability: Nullability?
    /// Which objects get declared defaults; nil for what Realm does.
    public var applyDefaults: ApplyDefaults?

    /// The choices among a few words; the JSON and the command line have those that stand here, and no others.
    public static let choices = [
        MigrationChoice(
            "nullability", \.nullability,
            help: "of a property that becomes required: reset its values to zero (default), or keep them, and fail "
                + "where one is null"),
        MigrationChoice(
            "applyDefaults", \.applyDefaults,
            help: "give defaults of added properties to new objects alone (default), or to existing ones too"),
    ]

    /// Declares a migration.
    public init(
        script: ScriptSource? = nil, renames: [PropertyRename] = [], classRenames: [ClassRename] = [],
        primaryKeyPolicies: [PrimaryKeyPolicy] = [], independent: [String] = [], nullability: Nullability? = nil,
        applyDefaults: ApplyDefaults? = nil
    ) {
        self.script = script
        self.renames = renames
        self.classRenames = classRenames
        self.primaryKeyPolicies = primaryKeyPolicies
        self.independent = independent
        self.nullability = nullability
        self.applyDefaults = applyDefaults
    }

    /// The script to run: one that does nothing where functions that merge objects are called when it has ended.
    public var runnableScript: ScriptSource? {
        let merges = primaryKeyPolicies.contains { $0.merge != nil }
        return script ?? (merges ? ScriptSource(.javaScript, "function migrate() {}") : nil)
    }

    /// The renames as a comparison of schemas takes them.
    public var schemaRenames: [SchemaRename] {
        classRenames.map { .objectType(from: $0.from, to: $0.to) }
            + renames.map { .property(className: $0.className, from: $0.from, to: $0.to) }
    }
}
