import RealmEditing
import RealmModel

/// Realm's texts, each in one place. `%1`-style texts are quoted from REALM_SEMANTICS, section 1.
extension MigrationError {
    // MARK: Classes

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
            details: errors.map {
                ProblemItem($0.message, className: $0.className, property: $0.property, hint: $0.hint)
            })
    }

    /// Changes that are not permitted, under the header that says why.
    init(_ code: RealmErrorCode, _ header: SchemaMessageHeader, _ changes: [SchemaChange]) {
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

    static func renameOfUnknownClass(_ rename: ClassRename) -> MigrationError {
        refused(rename, .noSuchTable, rename.from, "Cannot rename class '\(rename.from)' because it does not exist.")
    }

    static func renameOfKeptClass(_ rename: ClassRename) -> MigrationError {
        refused(
            rename, .illegalOperation, rename.from,
            "Cannot rename class '\(rename.from)' to '\(rename.to)' because the target schema still has it.")
    }

    static func policyOfUnknownClass(_ className: String, hint: String?) -> MigrationError {
        MigrationError(
            .noSuchTable, "The policy for primary keys of class '\(className)' has no such class in the target schema.",
            details: [ProblemItem("The target schema has no such class.", className: className, hint: hint)])
    }

    static func policyWithoutPrimaryKey(_ className: String) -> MigrationError {
        let message =
            "The policy for primary keys of class '\(className)' has no effect, as the class has no primary key."
        return MigrationError(
            .illegalOperation, message, details: [ProblemItem("No primary key.", className: className)])
    }

    static func renameToUnknownClass(_ rename: ClassRename) -> MigrationError {
        refused(
            rename, .noSuchTable, rename.to,
            "Cannot rename class '\(rename.from)' to '\(rename.to)' because the target schema has no such class.")
    }

    static func renameToFilledClass(_ rename: ClassRename) -> MigrationError {
        refused(
            rename, .illegalOperation, rename.to,
            "Cannot rename class '\(rename.from)' to '\(rename.to)' because that has objects of its own.")
    }

    private static func refused(
        _ rename: ClassRename, _ code: RealmErrorCode, _ className: String, _ message: String
    ) -> MigrationError {
        MigrationError(code, message, details: [ProblemItem(message, className: className)])
    }

    static func renamedPropertyMissing(_ className: String, _ property: String) -> MigrationError {
        of(.invalidProperty, className, property, "Renamed property '\(className).\(property)' does not exist.")
    }

    private static func refused(_ rename: PropertyRename, _ code: RealmErrorCode, _ reason: String) -> MigrationError {
        of(
            code, rename.className, rename.from,
            "Cannot rename property '\(rename.className).\(rename.from)'" + reason)
    }

    // MARK: The end of a migration

    static func duplicatePrimaryKey(
        _ className: String, _ property: String, _ duplicates: PrimaryKeyDuplicates
    ) -> MigrationError {
        let pairs = duplicates.pairs.flatMap { pair in
            [(pair.first, pair.second), (pair.second, pair.first)].map { key, other in
                ProblemItem(
                    "Object \(other.value) has the same primary key.", className: className, property: property,
                    key: key,
                    primaryKey: pair.value)
            }
        }
        var error = MigrationError(
            .migrationFailed, "Primary key property '\(className).\(property)' has duplicate values after migration.",
            details: [
                ProblemItem(
                    "\(duplicates.objectCount) objects have a primary key that another object has.",
                    className: className, property: property)
            ] + pairs)
        error.findings = [
            .collisions(
                className: className, property: property, objectCount: duplicates.objectCount,
                pairs: duplicates.pairs.map {
                    MigrationFinding.Collision(value: $0.value, first: $0.first, second: $0.second)
                })
        ]
        return error
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
            "Cannot convert '\(className)' to embedded: at least one object has no incoming links and would be deleted.",
            hint: "Nothing links to object \(key.value): link to it, or delete it in the script. \(resolving)")
    }

    static func embeddedShared(_ className: String, key: ObjectKey) -> MigrationError {
        conversion(
            className, key: key,
            "Cannot convert '\(className)' to embedded: at least one object has more than one incoming link.",
            hint: "Object \(key.value) has several: give each of its owners a copy in the script. \(resolving)")
    }

    private static let resolving =
        "resolveEmbeddedConstraints, --resolve-embedded on the command line, deletes objects without links and copies shared ones."

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
        _ className: String, key: ObjectKey? = nil, _ message: String, hint: String? = nil
    ) -> MigrationError {
        MigrationError(
            .illegalOperation, message, details: [ProblemItem(message, className: className, key: key, hint: hint)])
    }

    private static func of(
        _ code: RealmErrorCode, _ className: String, _ property: String, _ message: String
    ) -> MigrationError {
        MigrationError(code, message, details: [ProblemItem(message, className: className, property: property)])
    }
}
