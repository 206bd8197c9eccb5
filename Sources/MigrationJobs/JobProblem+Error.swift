import Columns
import RealmMigration
import RealmModel
import SnapshotStore

extension JobProblem {
    /// The problem that a failed migration is, in Realm's words where it has some.
    public init(_ error: MigrationError) {
        self.init(
            code: Self.code(of: error), realmCode: error.code?.rawValue, detail: error.message,
            errors: error.details, stack: error.stack, objectsDone: error.objectsDone)
    }

    /// The problem that any error is which ends a job; only Realm's and the store's own texts are let through.
    init(ending error: any Error) {
        switch error {
        case let error as MigrationError: self.init(error)
        case let error as ColumnError: self.init(code: "snapshot_damaged", detail: error.description)
        case let error as StoreError: self.init(code: Self.code(of: error), detail: error.description)
        default: self.init(code: "internal_error", detail: "The migration failed for a cause outside of it.")
        }
    }

    private static func code(of error: MigrationError) -> String {
        if let script = error.script { return script.rawValue }
        guard let code = error.code else { return "migration_failed" }
        return code == .schemaValidationFailed ? "schema_invalid" : snakeCase(code.rawValue)
    }

    private static func code(of error: StoreError) -> String {
        switch error {
        case .notFound(let thing, _): "\(snakeCase(thing.rawValue))_not_found"
        case .realmChanged: "realm_changed"
        default: "internal_error"
        }
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { text, character in
            if character.isUppercase, !text.isEmpty { text += "_" }
            text += character.lowercased()
        }
    }
}
