import RealmModel

/// A migration as clients declare it; its JSON is that of the API.
public struct DeclaredMigration: Hashable, Sendable {
    /// The script's language, `javascript`; nil with `source`.
    public var language: String?
    /// The script; nil for "no script", which Realm treats otherwise than a script that does nothing.
    public var source: String?
    /// Renames that are done before the script.
    public var renames: [Rename]
    /// What becomes of values when an optional property is made required; nil for what Realm does.
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

    /// What becomes of values when an optional property is made required.
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
        language: String? = nil, source: String? = nil, renames: [Rename] = [], nullability: Nullability? = nil,
        applyDefaults: ApplyDefaults? = nil
    ) {
        self.language = language
        self.source = source
        self.renames = renames
        self.nullability = nullability
        self.applyDefaults = applyDefaults
    }
}

extension DeclaredMigration {
    /// The renames as a comparison of schemas takes them.
    public var schemaRenames: [SchemaRename] {
        renames.map { .property(className: $0.className, from: $0.from, to: $0.to) }
    }
}
