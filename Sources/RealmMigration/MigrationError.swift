import RealmModel

/// Why a migration failed, in Realm's words where Realm has them.
public struct MigrationError: Error, Hashable, Sendable {
    /// Realm Core's names of errors (`realmCode` of a problem document).
    public enum Code: String, Hashable, Sendable {
        case schemaValidationFailed = "SchemaValidationFailed"
        case schemaMismatch = "SchemaMismatch"
        case invalidSchemaVersion = "InvalidSchemaVersion"
        case invalidSchemaChange = "InvalidSchemaChange"
        case migrationFailed = "MigrationFailed"
        case illegalOperation = "IllegalOperation"
        case invalidProperty = "InvalidProperty"
        case invalidName = "InvalidName"
        case missingPropertyValue = "MissingPropertyValue"
        case propertyNotNullable = "PropertyNotNullable"
        case typeMismatch = "TypeMismatch"
        case readOnlyProperty = "ReadOnlyProperty"
        case invalidatedObject = "InvalidatedObject"
        case noSuchTable = "NoSuchTable"
        case crossTableLinkTarget = "CrossTableLinkTarget"
        case wrongTransactionState = "WrongTransactionState"
        case objectAlreadyExists = "ObjectAlreadyExists"
        case outOfBounds = "OutOfBounds"
        case invalidArgument = "InvalidArgument"
    }

    /// One thing that is wrong, with where it is.
    public struct Detail: Hashable, Sendable {
        /// The class that it concerns.
        public var className: String?
        /// The property that it concerns.
        public var property: String?
        /// The object that it concerns.
        public var key: ObjectKey?
        /// What is wrong, without any object's values.
        public var message: String

        /// Describes one thing.
        public init(className: String? = nil, property: String? = nil, key: ObjectKey? = nil, message: String) {
            self.className = className
            self.property = property
            self.key = key
            self.message = message
        }
    }

    /// Realm's name of the error; nil for what a script throws and what only realmshift refuses.
    public var code: Code?
    /// The whole message, Realm's own text where Realm has one.
    public var message: String
    /// The single things that are wrong.
    public var details: [Detail]

    /// Describes a failure.
    public init(_ code: Code?, _ message: String, details: [Detail] = []) {
        self.code = code
        self.message = message
        self.details = details
    }
}

extension MigrationError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
