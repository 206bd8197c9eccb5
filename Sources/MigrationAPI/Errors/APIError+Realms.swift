import Problems
import RealmMigration
import RealmModel
import SyncedRealms

/// Apps, realms and all that is theirs: schemas, scripts, snapshots, exports.
extension APIError {
    /// There is no such thing.
    static func notFound(_ thing: MissingThing, _ name: String) -> APIError {
        APIError(thing.problemCode, "There is no \(thing.rawValue) “\(name)”.")
    }

    // MARK: Declarations

    /// A schema that Realm does not accept.
    static func schemaInvalid(_ errors: [SchemaValidationError], pointer: String) -> APIError {
        APIError(
            Problem(
                .schemaInvalid, SchemaValidationError.text(errors),
                realmCode: RealmErrorCode.schemaValidationFailed.rawValue,
                errors: errors.map {
                    ProblemItem(
                        $0.message, pointer: pointer, className: $0.className, property: $0.property, hint: $0.hint)
                }))
    }

    /// A script that no migration can run.
    static func scriptInvalid(_ error: MigrationError, pointer: String) -> APIError {
        let place = error.details.first
        return APIError(
            .scriptInvalid, error.message,
            errors: [
                ProblemItem(
                    error.message, pointer: pointer, line: place?.line, column: place?.column, hint: place?.hint)
            ])
    }

    /// A rename of a class or a property that no version has.
    static func renameUnknown(_ message: String, pointer: String) -> APIError {
        APIError(.renameUnknown, message, at: pointer)
    }

    /// A migration to version 0, which no realm is below.
    static func migrationNeverRuns(pointer: String) -> APIError {
        APIError(
            .migrationNeverRuns,
            "No realm has a version below 0, so that no migration to version 0 ever runs: leave its script and renames out.",
            at: pointer)
    }

    /// A schema version that the app has not declared.
    static func schemaVersionUnknown(_ version: UInt64) -> APIError {
        APIError(
            .schemaVersionUnknown, "The app has no schema version \(version). Declare it first, or send a schema.",
            errors: [ProblemItem("The app has no schema version \(version).", pointer: "/targetVersion")])
    }

    // MARK: Synced realms

    /// A schema version that a client names and the app has not declared.
    static func clientVersionUnknown(_ version: UInt64) -> APIError {
        APIError(
            .schemaVersionUnknown,
            "The app has no schema version \(version), which \(ClientRealm.versionField) names.")
    }

    /// A development mode of a realm that is not synced.
    static let developmentModeOfLocalRealm = APIError(
        .malformedDocument, "Only a synced realm has a development mode.", at: "/developmentMode")

    /// Nobody knows any more what changed since a snapshot.
    static func snapshotGone(_ id: String) -> APIError {
        APIError(
            .snapshotGone,
            "The changes since the snapshot \(id) are no longer known: leave `since` out, and begin anew.")
    }

    /// A realm that was never uploaded has nothing to migrate or to change.
    static let realmWithoutSnapshot = APIError(
        .realmWithoutSnapshot, "The realm has no snapshot yet: upload one first.")

    /// A migration has the realm, of which a token may know no more.
    static let migrationActive = APIError(
        .migrationActive, "A migration of the realm is queued or running: wait for its end.")

    // MARK: Exports

    /// Objects that lack a required value, which a format has no way to say.
    static func objectsUnsynced(_ count: Int, format: String) -> APIError {
        APIError(
            .objectsUnsynced,
            "\(count) \(count == 1 ? "object lacks" : "objects lack") a required value, which \(format) can't hold: "
                + "GET …/unsynced lists them and POST …/backfills fills them; or take Realm JSON, which leaves the members out."
        )
    }

    /// The app does not say what its realms are given back as.
    static let exportPolicyMissing = APIError(
        .exportPolicyMissing,
        "The app does not say what its realms are given back as: an administrator says it by PUT …/exports.")

    /// A realm that is to be migrated before it is given back, with its version.
    static func exportOfAnotherVersion(_ version: UInt64?, wanted: UInt64) -> APIError {
        APIError(
            .exportOfAnotherVersion,
            "The realm is of \(version.map { "schema version \($0)" } ?? "no schema version"), and it is given back as of "
                + "\(wanted): migrate it first, or upload it with Prefer: wait.")
    }

    /// The migration before an export did not succeed.
    static func exportFailed(_ document: ProblemDocument) -> APIError { APIError(Problem(document)) }
}
