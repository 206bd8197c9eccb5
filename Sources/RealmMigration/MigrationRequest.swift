import Columns
import RealmModel

/// One migration: from a snapshot to a target schema at a version.
public struct MigrationRequest: Sendable {
    /// The value of present objects in a required property that is added, unless a default is applied.
    public enum AddedRequired: String, Hashable, Sendable {
        /// The type's zero, as in a local realm.
        case zero
        /// No value, which null stands for: a synced realm leaves such objects out until they are filled.
        case absent
    }

    /// The realm as it is; never changed.
    public var source: Snapshot
    /// The schema to reach.
    public var target: Schema
    /// The version to reach.
    public var targetVersion: UInt64
    /// The mode, which says what is permitted.
    public var mode: SchemaMode
    /// The script, the renames and the choices.
    public var migration: DeclaredMigration
    /// Whether a class that becomes embedded loses orphans and has objects with several links copied.
    public var resolveEmbeddedConstraints: Bool
    /// The value of present objects in a required property that is added.
    public var addedRequired: AddedRequired
    /// How many objects are set aside whose callback throws; nil where the first of them fails the migration.
    public var quarantineLimit: Int?
    /// The objects for which the migration is done once more; nil for a migration.
    public var retry: MigrationRetry?
    /// The share of the independent classes that the script visits; nil for a whole migration.
    ///
    /// A share ends with the script: its result is the realm that the script leaves.
    public var share: MigrationShare?
    /// Where the script's time and chance come from; nil has it see the machine's.
    public var origin: ScriptOrigin?

    /// Describes a migration; what is not said is as Realm does it.
    public init(
        source: Snapshot, target: Schema, targetVersion: UInt64, mode: SchemaMode = .automatic,
        migration: DeclaredMigration = DeclaredMigration(), resolveEmbeddedConstraints: Bool = false,
        addedRequired: AddedRequired = .zero, origin: ScriptOrigin? = nil
    ) {
        self.source = source
        self.target = target
        self.targetVersion = targetVersion
        self.mode = mode
        self.migration = migration
        self.resolveEmbeddedConstraints = resolveEmbeddedConstraints
        self.addedRequired = addedRequired
        self.origin = origin
    }
}

/// A property that gets another name and keeps its values.
public struct PropertyRename: Hashable, Sendable {
    /// The class.
    public var className: String
    /// The stored name before.
    public var from: String
    /// The stored name afterwards.
    public var to: String

    /// Describes a rename.
    public init(className: String, from: String, to: String) {
        self.className = className
        self.from = from
        self.to = to
    }
}

/// The result of a migration.
public struct MigrationResult: Sendable {
    /// The realm afterwards.
    public var snapshot: Snapshot
    /// Whether the script was run: Realm runs it whenever the version is raised, and only then.
    public var scriptRan: Bool
    /// Whether the mode writes nothing: the snapshot is the source, seen through the target schema.
    public var isUnchanged: Bool
    /// The warnings for the job's log, a sentence each.
    public var warnings: [String]
    /// The findings about the objects.
    public var findings: [MigrationFinding]
    /// The renames that were declared or that the script made, from the source's names to the target's.
    public var renames: [SchemaRename]
    /// How often the script asked for objects or changed anything; 0 of one that found nothing to do at its version.
    public var operationCount = 0
    /// The script's output; nothing where it was not run by a host.
    public var output = ScriptOutput()
    /// The objects that were set aside, with what went wrong.
    public var quarantined: [ProblemItem] = []

    /// Puts a result together.
    public init(
        snapshot: Snapshot, scriptRan: Bool, isUnchanged: Bool = false, warnings: [String] = [],
        findings: [MigrationFinding] = [], renames: [SchemaRename] = []
    ) {
        self.snapshot = snapshot
        self.scriptRan = scriptRan
        self.isUnchanged = isUnchanged
        self.warnings = warnings
        self.findings = findings
        self.renames = renames
    }
}

/// How far a migration is.
public struct MigrationProgress: Hashable, Sendable {
    /// `prepare`, `script`, `finish` or `commit`.
    public var phase: String
    /// The class that is worked on, where there is one.
    public var className: String?
    /// Objects done in this phase and class.
    public var objectsDone: Int
    /// All objects of this phase and class.
    public var objectsTotal: Int

    /// Describes progress.
    public init(phase: String, className: String? = nil, objectsDone: Int = 0, objectsTotal: Int = 0) {
        self.phase = phase
        self.className = className
        self.objectsDone = objectsDone
        self.objectsTotal = objectsTotal
    }
}
