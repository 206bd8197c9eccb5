import Columns
import RealmEditing
import RealmMigration
import RealmModel
import RealmSync

extension ProblemDocument {
    /// The problem of bad input.
    public init(_ error: InputError) {
        let realmCode = error.code == .schemaInvalid ? RealmErrorCode.schemaValidationFailed.rawValue : nil
        self.init(
            Self.status(error.code), error.code.rawValue, error.message, realmCode: realmCode, errors: error.details)
    }

    /// The problem of a migration that was refused or failed.
    public init(_ error: MigrationError) {
        self.init(
            Self.status(error.script),
            error.script?.rawValue ?? error.code.map(Self.code) ?? "migration_refused", error.message,
            realmCode: error.code?.rawValue, errors: error.details, stack: error.stack, objectsDone: error.objectsDone)
    }

    private static func status(_ failure: MigrationError.ScriptFailure?) -> Int {
        switch failure {
        case .crash: 500
        case .unavailable: 503
        case nil, .syntax, .exception, .timeLimit, .memoryLimit, .outputLimit, .cancelled: 422
        }
    }

    /// The problem of a batch of changes that was refused.
    package init(_ error: ChangeError) {
        switch error {
        case .refused(let error, let pointer): self.init(error, pointer: pointer)
        case .brokenLink(let className, let pointer):
            let message = "A link leads to an object of \(className) that is neither in the realm nor in the batch."
            self.init(
                422, InputError.Code.brokenLink.rawValue, message,
                errors: [ProblemItem(message, pointer: pointer, className: className)])
        case .linkWaits(let className, let property, let primaryKey, let pointer):
            let message =
                "\(className).\(property) leads to an object whose partner is still to be made: send the batch again in a moment, "
                + "or without this property."
            self.init(
                422, InputError.Code.brokenLink.rawValue, message,
                errors: [
                    ProblemItem(
                        message, pointer: pointer, className: className, property: property, primaryKey: primaryKey)
                ])
        case .notStored(let className, let property):
            let name = property.map { "property \(className).\($0)" } ?? "class \(className)"
            let message = "The server-side schema has no \(name) yet: a migration of the realm adds it."
            self.init(
                422, (property == nil ? InputError.Code.unknownClass : .unknownProperty).rawValue, message,
                errors: [ProblemItem(message, className: className, property: property)])
        case .conflict(let objects):
            let message = "Objects of the batch were changed since its base."
            self.init(
                409, "change_conflict", message,
                errors: objects.prefix(Self.longestConflict).map {
                    ProblemItem(
                        "The object was changed since.", className: $0.className, primaryKey: $0.primaryKey)
                })
        }
    }

    /// The most objects that a conflict names.
    private static let longestConflict = 1000

    private init(_ error: EditingError, pointer: String) {
        let details = error.details.isEmpty ? [ProblemItem(error.message)] : error.details
        self.init(
            422, Self.code(error.code), error.message, realmCode: error.code.rawValue,
            errors: details.map { item in
                var item = item
                item.pointer = item.pointer ?? pointer
                return item
            })
    }

    /// The problem of a snapshot whose columns can't be read.
    public init(_ error: ColumnError) {
        self.init(500, "snapshot_damaged", error.description)
    }

    /// 400 where the bytes are not of their format, 422 where they are and say what can't be.
    private static func status(_ code: InputError.Code) -> Int {
        switch code {
        case .notARealm, .truncated, .damaged, .malformedJSON, .unknownMember: 400
        case .unsupportedFormat, .wrongEncryptionKey, .malformedDocument, .schemaInvalid, .unknownClass,
            .unknownProperty, .typeMismatch, .missingValue, .duplicateKey, .brokenLink, .tooLarge,
            .scriptLanguageUnsupported:
            422
        case .notInFormat: 406
        }
    }

    private static func code(_ code: RealmErrorCode) -> String {
        switch code {
        case .schemaValidationFailed: "schema_invalid"
        case .schemaMismatch: "schema_mismatch"
        case .invalidSchemaVersion: "invalid_schema_version"
        case .invalidSchemaChange: "invalid_schema_change"
        case .migrationFailed: "migration_failed"
        case .illegalOperation: "illegal_operation"
        case .invalidProperty: "invalid_property"
        case .invalidName: "invalid_name"
        case .missingPropertyValue: "missing_property_value"
        case .propertyNotNullable: "property_not_nullable"
        case .typeMismatch: "type_mismatch"
        case .readOnlyProperty: "read_only_property"
        case .invalidatedObject: "invalidated_object"
        case .noSuchTable: "no_such_table"
        case .crossTableLinkTarget: "cross_table_link_target"
        case .wrongTransactionState: "wrong_transaction_state"
        case .objectAlreadyExists: "object_already_exists"
        case .modifyPrimaryKey: "modify_primary_key"
        case .outOfBounds: "out_of_bounds"
        case .invalidArgument: "invalid_argument"
        case .limitExceeded: "limit_exceeded"
        case .invalidDictionaryKey: "invalid_dictionary_key"
        }
    }
}
