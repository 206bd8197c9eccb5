import RealmModel

/// Realm's texts, each in one place. `%1`-style texts are quoted from REALM_SEMANTICS, section 1.
extension MigrationError {
    // MARK: Objects

    static func invalidatedObject(_ className: String) -> MigrationError {
        MigrationError(
            .invalidatedObject, "Accessing object of type \(className) which has been invalidated or deleted",
            details: [ProblemItem("The object was deleted.", className: className)])
    }

    static func oldRealmIsReadOnly() -> MigrationError {
        MigrationError(.wrongTransactionState, "Cannot modify the old realm: its objects are read only in a migration.")
    }

    static func missingValue(_ className: String, _ property: String) -> MigrationError {
        of(.missingPropertyValue, className, property, "Missing value for property '\(className).\(property)'")
    }

    static func notNullable(_ className: String, _ property: String) -> MigrationError {
        of(
            .propertyNotNullable, className, property,
            "Invalid null value for non-nullable property '\(className).\(property)'.")
    }

    /// - Parameters:
    ///   - expected: with its article: "a number".
    ///   - found: likewise; the kind of value, never the value.
    static func wrongType(_ className: String, _ property: String, expected: String, found: String) -> MigrationError {
        of(
            .typeMismatch, className, property, "Expected '\(className).\(property)' to be \(expected), got \(found)")
    }

    static func readOnly(_ className: String, _ property: String) -> MigrationError {
        of(.readOnlyProperty, className, property, "Cannot assign to read only property '\(className).\(property)'.")
    }

    static func arrayCount(_ className: String, count: Int, expected: Int) -> MigrationError {
        MigrationError(
            .invalidArgument,
            "Invalid array input: number of values (\(count)) does not match number of properties (\(expected)).",
            details: [ProblemItem("The array needs a value for every property.", className: className)])
    }

    static func unknownMember(_ className: String, _ member: String) -> MigrationError {
        of(.invalidProperty, className, member, "Property '\(className).\(member)' does not exist.")
    }

    static func tooBig(_ className: String, _ property: String, _ what: String) -> MigrationError {
        of(.limitExceeded, className, property, "\(what) too big")
    }

    static func dictionaryKey(_ className: String, _ property: String, _ fault: String) -> MigrationError {
        of(.invalidDictionaryKey, className, property, "Dictionary::insert: key must not \(fault)")
    }

    // MARK: Classes

    static func unknownClass(_ className: String) -> MigrationError {
        MigrationError(
            .noSuchTable, "Object type '\(className)' not found in schema.",
            details: [ProblemItem("No such class.", className: className)])
    }

    static func explicitEmbedded(_ className: String) -> MigrationError {
        MigrationError(
            .illegalOperation, "Explicit creation of embedded object not allowed in: class_\(className)",
            details: [ProblemItem("Embedded objects are made by their parent.", className: className)])
    }

    static func mixedLink(_ className: String, kind: String) -> MigrationError {
        MigrationError(
            .illegalOperation, "Cannot link to \(kind) object",
            details: [ProblemItem("Mixed values hold no links to objects of the class.", className: className)])
    }

    static func linkedFromOutside(_ className: String) -> MigrationError {
        MigrationError(
            .crossTableLinkTarget, "Cannot remove class_\(className) that is target of outside links",
            details: [ProblemItem("A property of another class still links to it.", className: className)])
    }

    static func setOfEmbedded(_ className: String, _ property: String) -> MigrationError {
        of(.illegalOperation, className, property, "Set of embedded objects not supported")
    }

    static func linkToAsymmetric(_ className: String, _ property: String) -> MigrationError {
        of(.illegalOperation, className, property, "Ephemeral objects not supported")
    }

    // MARK: Indexes

    static func indexNotSupported(_ className: String, _ property: String) -> MigrationError {
        of(.illegalOperation, className, property, "Index not supported for this property: \(property)")
    }

    static func fullTextPrimaryKey(_ className: String, _ property: String) -> MigrationError {
        of(
            .invalidProperty, className, property,
            "Invalid property for object type: primary key cannot have a full text index")
    }

    static func longListEntry(
        _ className: String, _ property: String, key: ObjectKey, byteCount: Int
    ) -> MigrationError {
        let message =
            "String of length \(byteCount) exceeds maximum string length of \(RealmLimits.listIndexBytes)."
        return MigrationError(
            .limitExceeded, message,
            details: [ProblemItem(message, className: className, property: property, key: key)])
    }

    // MARK: Schemas

    /// The target schema is none that Realm accepts.
    init(_ errors: [SchemaValidationError]) {
        self.init(
            .schemaValidationFailed, SchemaValidationError.text(errors),
            details: errors.map { ProblemItem($0.message, className: $0.className, property: $0.property) })
    }

    /// Changes that are not permitted, under the header that says why.
    init(_ code: Code, _ header: SchemaMessageHeader, _ changes: [SchemaChange]) {
        self.init(
            code, header.text(changes),
            details: changes.compactMap { change in
                change.message.map {
                    ProblemItem($0, className: change.className, property: change.propertyName)
                }
            })
    }

    static func invalidName(_ message: String, in className: String) -> MigrationError {
        MigrationError(.invalidName, message, details: [ProblemItem(message, className: className)])
    }

    // MARK: Versions

    static func versionTooLow(_ version: UInt64, stored: UInt64) -> MigrationError {
        MigrationError(
            .invalidSchemaVersion, "Provided schema version \(version) is less than last set version \(stored).")
    }

    static func versionDiffers(_ version: UInt64, stored: UInt64) -> MigrationError {
        MigrationError(
            .invalidSchemaVersion, "Provided schema version \(version) does not equal last set version \(stored).")
    }

    // MARK: Renames

    static func renameOfUnknownClass(_ className: String) -> MigrationError {
        MigrationError(
            .noSuchTable, "Cannot rename properties for type '\(className)' because it does not exist.",
            details: [ProblemItem("No such class.", className: className)])
    }

    static func renameInRemovedClass(_ className: String) -> MigrationError {
        MigrationError(
            .noSuchTable,
            "Cannot rename properties for type '\(className)' because it has been removed from the Realm.",
            details: [ProblemItem("The target schema has no such class.", className: className)])
    }

    static func renameOfKeptProperty(_ rename: PropertyRename) -> MigrationError {
        refused(rename, .illegalOperation, " to '\(rename.to)' because the source property still exists.")
    }

    static func renameOfUnknownProperty(_ rename: PropertyRename) -> MigrationError {
        refused(rename, .invalidProperty, " because it does not exist.")
    }

    static func renameChangesType(_ rename: PropertyRename, from: String, to: String) -> MigrationError {
        refused(
            rename, .illegalOperation,
            " to '\(rename.to)' because it would change from type '\(from)' to '\(to)'.")
    }

    static func renameMakesRequired(_ rename: PropertyRename) -> MigrationError {
        refused(rename, .illegalOperation, " to '\(rename.to)' because it would change from optional to required.")
    }

    static func renamedPropertyMissing(_ className: String, _ property: String) -> MigrationError {
        of(.invalidProperty, className, property, "Renamed property '\(className).\(property)' does not exist.")
    }

    private static func refused(_ rename: PropertyRename, _ code: Code, _ reason: String) -> MigrationError {
        of(
            code, rename.className, rename.from,
            "Cannot rename property '\(rename.className).\(rename.from)'" + reason)
    }

    // MARK: The end of a migration

    static func duplicatePrimaryKey(
        _ className: String, _ property: String, _ duplicates: PrimaryKeyIndex.Duplicates
    ) -> MigrationError {
        let pairs = duplicates.pairs.flatMap { pair in
            [(pair.first, pair.second), (pair.second, pair.first)].map { key, other in
                ProblemItem(
                    "Object \(other.value) has the same primary key.", className: className, property: property,
                    key: key,
                    primaryKey: pair.value)
            }
        }
        return MigrationError(
            .migrationFailed, "Primary key property '\(className).\(property)' has duplicate values after migration.",
            details: [
                ProblemItem(
                    "\(duplicates.objectCount) objects have a primary key that another object has.",
                    className: className, property: property)
            ] + pairs)
    }

    static func nullsKept(_ className: String, _ property: String, count: Int, keys: [ObjectKey]) -> MigrationError {
        MigrationError(
            .migrationFailed,
            "Property '\(className).\(property)' cannot be made required: it is null in \(count) "
                + (count == 1 ? "object." : "objects."),
            details: keys.map {
                ProblemItem("The value is null.", className: className, property: property, key: $0)
            })
    }

    static func embeddedWithPrimaryKey(_ className: String) -> MigrationError {
        conversion(className, "Cannot change '\(className)' to embedded when using a primary key.")
    }

    static func embeddedOrphan(_ className: String, key: ObjectKey) -> MigrationError {
        conversion(
            className, key: key,
            "Cannot convert '\(className)' to embedded: at least one object has no incoming links and would be deleted."
        )
    }

    static func embeddedShared(_ className: String, key: ObjectKey) -> MigrationError {
        conversion(
            className, key: key,
            "Cannot convert '\(className)' to embedded: at least one object has more than one incoming link.")
    }

    static func embeddedInMixed(_ className: String, origin: String, property: String) -> MigrationError {
        conversion(
            className,
            "Cannot convert '\(className)' to embedded: there is an incoming link from the Mixed property "
                + "'\(origin).\(property)', which does not support linking to embedded objects.")
    }

    static func asymmetricConversion(_ className: String, from: String, to: String) -> MigrationError {
        MigrationError(
            .migrationFailed, "Cannot change '\(className)' from \(from) to \(to)",
            details: [ProblemItem("Asymmetric classes cannot be converted.", className: className)])
    }

    private static func conversion(
        _ className: String, key: ObjectKey? = nil, _ message: String
    ) -> MigrationError {
        MigrationError(
            .illegalOperation, message, details: [ProblemItem(message, className: className, key: key)])
    }

    private static func of(_ code: Code, _ className: String, _ property: String, _ message: String) -> MigrationError {
        MigrationError(code, message, details: [ProblemItem(message, className: className, property: property)])
    }
}
