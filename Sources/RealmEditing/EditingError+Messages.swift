import RealmModel

/// Realm's texts, each in one place, quoted from REALM_SEMANTICS, section 1.
extension EditingError {
    package static func invalidatedObject(_ className: String) -> EditingError {
        EditingError(
            .invalidatedObject, "Accessing object of type \(className) which has been invalidated or deleted",
            details: [ProblemItem("The object was deleted.", className: className)])
    }

    static func oldRealmIsReadOnly() -> EditingError {
        EditingError(.wrongTransactionState, "Cannot modify the old realm: its objects are read only in a migration.")
    }

    static func missingValue(_ className: String, _ property: String) -> EditingError {
        of(.missingPropertyValue, className, property, "Missing value for property '\(className).\(property)'")
    }

    static func notNullable(_ className: String, _ property: String) -> EditingError {
        of(
            .propertyNotNullable, className, property,
            "Invalid null value for non-nullable property '\(className).\(property)'.")
    }

    /// - Parameters:
    ///   - expected: with its article: "a number".
    ///   - found: likewise; the kind of value, never the value.
    static func wrongType(_ className: String, _ property: String, expected: String, found: String) -> EditingError {
        of(
            .typeMismatch, className, property, "Expected '\(className).\(property)' to be \(expected), got \(found)")
    }

    static func readOnly(_ className: String, _ property: String) -> EditingError {
        of(.readOnlyProperty, className, property, "Cannot assign to read only property '\(className).\(property)'.")
    }

    static func arrayCount(_ className: String, count: Int, expected: Int) -> EditingError {
        EditingError(
            .invalidArgument,
            "Invalid array input: number of values (\(count)) does not match number of properties (\(expected)).",
            details: [ProblemItem("The array needs a value for every property.", className: className)])
    }

    static func unknownMember(_ className: String, _ member: String) -> EditingError {
        of(.invalidProperty, className, member, "Property '\(className).\(member)' does not exist.")
    }

    static func tooBig(_ className: String, _ property: String, _ what: String) -> EditingError {
        of(.limitExceeded, className, property, "\(what) too big")
    }

    static func withinSet(_ className: String, _ property: String, _ kind: String) -> EditingError {
        of(.illegalOperation, className, property, "\(kind) within a Set are not supported.")
    }

    static func dictionaryKey(_ className: String, _ property: String, _ fault: String) -> EditingError {
        of(.invalidDictionaryKey, className, property, "Dictionary::insert: key must not \(fault)")
    }

    package static func unknownClass(_ className: String) -> EditingError {
        EditingError(
            .noSuchTable, "Object type '\(className)' not found in schema.",
            details: [ProblemItem("No such class.", className: className)])
    }

    static func explicitEmbedded(_ className: String) -> EditingError {
        EditingError(
            .illegalOperation, "Explicit creation of embedded object not allowed in: class_\(className)",
            details: [ProblemItem("Embedded objects are made by their parent.", className: className)])
    }

    static func mixedLink(_ className: String, kind: String) -> EditingError {
        EditingError(
            .illegalOperation, "Cannot link to \(kind) object",
            details: [ProblemItem("Mixed values hold no links to objects of the class.", className: className)])
    }

    /// The value is in the details alone: a message may go into a log.
    static func objectAlreadyExists(_ className: String, _ property: String, _ value: Value) -> EditingError {
        let message = "Attempting to create an object of type '\(className)' with an existing primary key value."
        return EditingError(
            .objectAlreadyExists, message,
            details: [ProblemItem(message, className: className, property: property, primaryKey: value)])
    }

    static func modifiedPrimaryKey(_ className: String, _ property: String) -> EditingError {
        of(
            .modifyPrimaryKey, className, property,
            "Cannot modify primary key after creation: '\(className).\(property)'")
    }

    static func noPrimaryKey(_ className: String) -> EditingError {
        EditingError(
            .invalidArgument, "Object type '\(className)' has no primary key",
            details: [ProblemItem("The class has no primary key.", className: className)])
    }

    static func noSuchRowGroup() -> EditingError {
        EditingError(.outOfBounds, "There is no such row group.")
    }

    static func noSuchSide() -> EditingError {
        EditingError(.invalidArgument, "The realm as it was is not at hand.")
    }

    private static func of(
        _ code: RealmErrorCode, _ className: String, _ property: String, _ message: String
    ) -> EditingError {
        EditingError(code, message, details: [ProblemItem(message, className: className, property: property)])
    }
}
