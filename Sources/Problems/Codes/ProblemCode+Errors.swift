import RealmMigration
import RealmModel

extension ProblemCode {
    /// The code of bad input.
    init(_ code: InputError.Code) {
        self =
            switch code {
            case .notARealm: .notARealm
            case .truncated: .truncated
            case .damaged: .damaged
            case .unsupportedFormat: .unsupportedFormat
            case .wrongEncryptionKey: .wrongEncryptionKey
            case .malformedJSON: .malformedJSON
            case .malformedDocument: .malformedDocument
            case .unknownMember: .unknownMember
            case .scriptLanguageUnsupported: .scriptLanguageUnsupported
            case .schemaInvalid: .schemaInvalid
            case .unknownClass: .unknownClass
            case .unknownProperty: .unknownProperty
            case .typeMismatch: .typeMismatch
            case .missingValue: .missingValue
            case .duplicateKey: .duplicateKey
            case .brokenLink: .brokenLink
            case .notInFormat: .notInFormat
            case .tooLarge: .tooLarge
            }
    }

    /// The code of a script that failed.
    init(_ failure: MigrationError.ScriptFailure) {
        self =
            switch failure {
            case .syntax: .scriptSyntaxError
            case .exception: .scriptFailed
            case .notIndependent: .scriptNotIndependent
            case .timeLimit: .scriptTimeout
            case .memoryLimit: .scriptMemoryExceeded
            case .outputLimit: .scriptOutputExceeded
            case .crash: .scriptHostCrashed
            case .unavailable: .scriptHostUnavailable
            case .cancelled: .cancelled
            }
    }

    /// The code of Realm's own refusal.
    init(_ code: RealmErrorCode) {
        self =
            switch code {
            case .schemaValidationFailed: .schemaInvalid
            case .schemaMismatch: .schemaMismatch
            case .invalidSchemaVersion: .invalidSchemaVersion
            case .invalidSchemaChange: .invalidSchemaChange
            case .migrationFailed: .migrationFailed
            case .illegalOperation: .illegalOperation
            case .invalidProperty: .invalidProperty
            case .invalidName: .invalidName
            case .missingPropertyValue: .missingPropertyValue
            case .propertyNotNullable: .propertyNotNullable
            case .typeMismatch: .typeMismatch
            case .readOnlyProperty: .readOnlyProperty
            case .invalidatedObject: .invalidatedObject
            case .noSuchTable: .noSuchTable
            case .crossTableLinkTarget: .crossTableLinkTarget
            case .wrongTransactionState: .wrongTransactionState
            case .objectAlreadyExists: .objectAlreadyExists
            case .modifyPrimaryKey: .modifyPrimaryKey
            case .outOfBounds: .outOfBounds
            case .invalidArgument: .invalidArgument
            case .limitExceeded: .limitExceeded
            case .invalidDictionaryKey: .invalidDictionaryKey
            }
    }
}
