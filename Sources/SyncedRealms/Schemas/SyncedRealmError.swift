import Problems
import RealmModel
import RealmSync

/// Why a realm that its clients share is not migrated.
public enum SyncedRealmError: Error, Hashable, Sendable {
    /// It takes no script.
    case scriptNotAllowed
    /// Its schema grows and is not replaced, whatever a mode asks for.
    case modeNotAllowed(String)
    /// It does not take the schema.
    case schema(ServerSchemaError)
}

extension ProblemDocument {
    /// The problem of a migration that a synced realm does not take.
    public init(_ error: SyncedRealmError) {
        switch error {
        case .scriptNotAllowed:
            self.init(
                .syncedScriptNotAllowed,
                "A synced realm takes no migration script: its clients would not run it. Additions need none; values of new "
                    + "properties come by a backfill, and other changes by a partner class.")
        case .modeNotAllowed(let mode):
            self.init(
                .syncedModeNotAllowed,
                "A synced realm grows by additions alone, and has no mode “\(mode)”: leave the mode out.")
        case .schema(let error): self.init(error)
        }
    }

    /// The problem of a schema that a synced realm does not take.
    public init(_ error: ServerSchemaError) {
        switch error {
        case .invalid(let errors): self.init(invalidInSyncedRealm: errors)
        case .breaking(let changes):
            self.init(
                .syncedBreakingChange, "A synced realm takes no breaking change of its schema.",
                realmCode: RealmErrorCode.invalidSchemaChange.rawValue,
                errors: changes.map { ProblemItem($0.refusal, className: $0.className, property: $0.property) })
        case .notReplaceable(let className):
            let message =
                "The class “\(className)” can't have another primary key or be of another kind, and its embedded objects can't "
                + "lack a value: give the class another name, and its objects to that by a partner class."
            self.init(
                .syncedBreakingChange, message, realmCode: RealmErrorCode.invalidSchemaChange.rawValue,
                errors: [ProblemItem(message, className: className)])
        case .embeddedWithoutValue(let className, let property):
            let message =
                "Embedded objects of \(className) are there, and would lack the required property \(property): they can't be "
                + "left out without their owners. Declare it optional, or with a default and the migration's applyDefaults "
                + "“existing”."
            self.init(
                .syncedBreakingChange, message, realmCode: RealmErrorCode.invalidSchemaChange.rawValue,
                errors: [ProblemItem(message, className: className, property: property)])
        }
    }
}
