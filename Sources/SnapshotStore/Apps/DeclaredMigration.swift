import RealmModel

/// A migration as clients declare it; its JSON is that of the API.
public struct DeclaredMigration: Hashable, Sendable {
    /// The script's language, `javascript` or `swift`; nil with `source`.
    public var language: String?
    /// The script, of Swift the document `{"sources", "stubs"?, "parameters"?, "block"?}`; nil for "no script", which Realm treats otherwise than a script that does nothing.
    public var source: String?
    /// Renames that are done before the script.
    public var renames: [Rename]
    /// Classes that get another name before anything else is done.
    public var classRenames: [ClassRename]
    /// How objects that share a primary key are treated, by class.
    public var primaryKeyPolicies: [PrimaryKeyPolicy]
    /// How values are treated when an optional property is made required; nil for what Realm does.
    public var nullability: Nullability?
    /// Which objects get declared defaults; nil for what Realm does.
    public var applyDefaults: ApplyDefaults?

    /// A property that gets another name.
    public struct Rename: Hashable, Sendable {
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

    /// A class that gets another name.
    public struct ClassRename: Hashable, Sendable {
        /// The name before.
        public var from: String
        /// The name afterwards.
        public var to: String

        /// Describes a rename.
        public init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    /// How objects of a class that share a primary key are treated.
    public struct PrimaryKeyPolicy: Hashable, Sendable {
        /// The treatment of the objects.
        public enum Choice: String, Hashable, Sendable, CaseIterable {
            case fail
            case keepFirst
            case keepLast
            case merge
        }

        /// The class.
        public var className: String
        /// The treatment of the objects.
        public var onDuplicate: Choice
        /// The function that merges two; nil where they are not merged.
        public var merge: String?

        /// Describes a policy.
        public init(className: String, onDuplicate: Choice, merge: String? = nil) {
            self.className = className
            self.onDuplicate = onDuplicate
            self.merge = merge
        }
    }

    /// How values are treated when an optional property is made required.
    public enum Nullability: String, Hashable, Sendable, CaseIterable {
        case reset
        case keep
    }

    /// Which objects get the defaults that the schema declares.
    public enum ApplyDefaults: String, Hashable, Sendable, CaseIterable {
        case new
        case existing
    }

    /// Declares a migration.
    public init(
        language: String? = nil, source: String? = nil, renames: [Rename] = [], classRenames: [ClassRename] = [],
        primaryKeyPolicies: [PrimaryKeyPolicy] = [], nullability: Nullability? = nil,
        applyDefaults: ApplyDefaults? = nil
    ) {
        self.language = language
        self.source = source
        self.renames = renames
        self.classRenames = classRenames
        self.primaryKeyPolicies = primaryKeyPolicies
        self.nullability = nullability
        self.applyDefaults = applyDefaults
    }
}

extension DeclaredMigration {
    /// The renames as a comparison of schemas takes them.
    public var schemaRenames: [SchemaRename] {
        classRenames.map { .objectType(from: $0.from, to: $0.to) }
            + renames.map { .property(className: $0.className, from: $0.from, to: $0.to) }
    }
}
