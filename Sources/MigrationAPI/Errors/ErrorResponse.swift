import Columns
import HTTPServer
import MigrationJobs
import Postgres
import Problems
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

/// Turns every error that reaches the API into the problem that the client sees.
///
/// What jobs and commands meet as well, `ProblemDocument` tells for all of them.
enum ErrorResponse {
    /// The problem of an error; what is not the client's business is `internal_error` without a word of it.
    static func problem(for error: any Error) -> Problem {
        switch error {
        case let error as APIError: problem(for: error)
        case let error as InputError: Problem(ProblemDocument(error))
        case let error as MigrationError: Problem(ProblemDocument(error))
        case let error as ChangeError: Problem(ProblemDocument(error))
        case let error as ColumnError: Problem(ProblemDocument(error))
        case let excess as WorkBudget.Excess: Problem(excess)
        case let error as StoreError: Problem(ProblemDocument(error), fields: fields(of: error))
        case let error as PartnerError: Problem(ProblemDocument(error))
        case let error as PartnerRefusal: Problem(ProblemDocument(error))
        case let error as SyncedRealmError: Problem(ProblemDocument(error))
        case let error as ServerSchemaError: Problem(ProblemDocument(error))
        case let error as BackfillError: Problem(ProblemDocument(error))
        case let error as ModelError: Problem(ProblemDocument(error))
        case let error as ClientResetError: clientReset(error.view, error.recovery)
        case let job as UnreadableJob:
            Problem(500, "internal_error", "The job \(job.id) can't be read; the service's log says why.")
        case let error as PostgresError: problem(for: error)
        case let error as HTTPError: problem(for: error)
        case Readiness.Obstacle.database: .unavailable
        case Readiness.Obstacle.readOnlyDatabase:
            problem(for: PostgresError(sqlState: "25006", message: ""))
        case Readiness.Obstacle.disk:
            Problem(
                503, "insufficient_storage", "A disk that the service writes to is full.", fields: ["Retry-After": "5"])
        case is AuditJournalError:
            Problem(507, "insufficient_storage", "The audit log can't be written, so that nothing is changed.")
        default: .internalError
        }
    }

    // MARK: The API's own

    private static func problem(for error: APIError) -> Problem {
        switch error {
        case .unauthorized(let isKeyGiven):
            Problem(
                401, "unauthorized",
                isKeyGiven ? "The key is not known." : "A key is needed, as Authorization: Bearer KEY.",
                fields: [
                    "WWW-Authenticate": "Bearer realm=\"realmshift\"" + (isKeyGiven ? ", error=\"invalid_token\"" : "")
                ])
        case .scopeMissing(let scope):
            Problem(403, "scope_missing", "The key has not the scope \(scope.rawValue).")
        case .notForTokens:
            Problem(
                403, "not_for_tokens",
                "The operation is about more than realms, which are all that a token opens: it needs a key.")
        case .allAppsMissing:
            Problem(
                403, "scope_missing",
                "The figures are of all apps together: a key needs the scope \(KeyScope.read.rawValue) and no apps of its own."
            )
        case .rateLimited(let untilNext):
            Problem(
                429, "rate_limited", "The key has sent as many requests as it may for now.",
                fields: ["Retry-After": "\(max(1, untilNext.wholeSeconds))"])
        case .idempotencyInFlight:
            Problem(
                409, "idempotency_in_flight",
                "The request of this \(IdempotentRequests.field) is being answered: ask again in a moment.",
                fields: ["Retry-After": "1"])
        case .idempotencyMismatch:
            Problem(
                422, "idempotency_mismatch",
                "Another request was sent with this \(IdempotentRequests.field) in the last day: each has one of its own."
            )
        case .preconditionFailed:
            Problem(
                412, "precondition_failed",
                "It is in another state than If-Match asks for: read it again, and decide anew.")
        case .tusVersion:
            Problem(
                412, "tus_version_unsupported", "Uploads in parts speak tus 1.0.0, which Tus-Resumable has to say.",
                fields: ["Tus-Version": "1.0.0"])
        case .checksumMismatch:
            Problem(460, "checksum_mismatch", "The bytes are not those that Upload-Checksum is of: none was kept.")
        case .notReady:
            Problem(503, "not_ready", "The service is coming up, or going down.", fields: ["Retry-After": "1"])
        case .routeNotFound:
            Problem(404, "not_found", "There is nothing at this path: /openapi.json describes what there is.")
        case .methodNotAllowed(let allowed):
            Problem(
                405, "method_not_allowed", "This path takes \(allowed.joined(separator: ", ")), and no other method.",
                fields: ["Allow": allowed.joined(separator: ", ")])
        case .notFound(let thing, let name):
            Problem(404, code(thing), "There is no \(thing.rawValue) “\(name)”.")
        case .notAcceptable(let offered):
            Problem(
                406, "not_acceptable", "Accept permits nothing of what there is: \(offered.joined(separator: ", ")).")
        case .unsupportedMediaType(let accepted):
            Problem(
                415, "unsupported_media_type",
                "The body has to be \(accepted.joined(separator: " or ")), and Content-Type to say so.",
                fields: ["Accept": accepted.joined(separator: ", ")])
        case .invalidField(let name, let message):
            refused("invalid_header", "The field \(name) \(message)")
        case .invalidParameter(let name, let message):
            refused("invalid_parameter", "The parameter \(name) \(message)")
        case .unknownParameters(let names, let known): unknownParameters(names, known)
        case .repeatedParameter(let name):
            refused("invalid_parameter", "The parameter \(name) stands twice in the query.")
        case .invalidMember(let pointer, let message):
            Problem(422, "malformed_document", message, errors: [ProblemItem(message, pointer: pointer)])
        case .schemaInvalid(let errors, let pointer): schemaInvalid(errors, pointer)
        case .scriptLanguageUnsupported(let pointer):
            Problem(
                422, "script_language_unsupported", onlyJavaScript,
                errors: [ProblemItem(onlyJavaScript, pointer: pointer)])
        case .scriptInvalid(let error, let pointer): scriptInvalid(error, pointer)
        case .renameUnknown(let message, let pointer):
            Problem(422, "rename_unknown", message, errors: [ProblemItem(message, pointer: pointer)])
        case .migrationNeverRuns(let pointer):
            Problem(
                422, "migration_never_runs", migrationNeverRuns,
                errors: [ProblemItem(migrationNeverRuns, pointer: pointer)])
        case .schemaVersionUnknown(let version):
            Problem(
                422, "schema_version_unknown", "The app has no schema version \(version), and the request no schema.",
                errors: [ProblemItem("The app has no schema version \(version).", pointer: "/targetVersion")])
        case .objectsUnsynced(let count, let format):
            Problem(
                409, "objects_unsynced",
                "\(count) \(count == 1 ? "object lacks" : "objects lack") a required value, which \(format) can't hold: "
                    + "GET …/unsynced lists them and POST …/backfills fills them; or take Realm JSON, which leaves the members "
                    + "out.")
        case .clientVersionUnknown(let version):
            Problem(
                422, "schema_version_unknown",
                "The app has no schema version \(version), which \(ClientRealm.versionField) names.")
        case .developmentModeOfLocalRealm:
            Problem(
                422, "malformed_document", developmentModeOfLocalRealm,
                errors: [ProblemItem(developmentModeOfLocalRealm, pointer: "/developmentMode")])
        case .snapshotGone(let id):
            Problem(
                410, "snapshot_gone",
                "What changed since the snapshot \(id) is not known any more: leave `since` out, and begin anew.")
        case .exportPolicyMissing:
            Problem(
                404, "export_policy_missing",
                "The app does not say what its realms are given back as: an administrator says it by PUT …/exports.")
        case .exportOfAnotherVersion(let version, let wanted):
            Problem(
                409, "export_of_another_version",
                "The realm is of \(version.map { "schema version \($0)" } ?? "no schema version"), and it is given back as of "
                    + "\(wanted): migrate it first, or upload it with Prefer: wait.")
        case .exportFailed(let document): Problem(document)
        case .realmWithoutSnapshot:
            Problem(422, "realm_without_snapshot", "The realm has no snapshot yet: upload one first.")
        }
    }

    private static let developmentModeOfLocalRealm = "Only a synced realm has a development mode."
    private static let onlyJavaScript = "Scripts are run in javascript and in swift, and in no other language."

    private static func refused(_ code: String, _ message: String) -> Problem {
        Problem(400, code, message, errors: [ProblemItem(message)])
    }

    private static func unknownParameters(_ names: [String], _ known: [String]) -> Problem {
        let messages = names.prefix(Problem.longestList).map {
            UnknownName.message($0, kind: "query parameter", of: "This operation", known: known)
        }
        return Problem(400, "unknown_parameter", messages[0], errors: messages.map { ProblemItem($0) })
    }

    private static let migrationNeverRuns =
        "No realm has a version below 0, so that no migration to version 0 ever runs: leave its script and renames out."

    private static func scriptInvalid(_ error: MigrationError, _ pointer: String) -> Problem {
        let place = error.details.first
        return Problem(
            422, "script_invalid", error.message,
            errors: [ProblemItem(error.message, pointer: pointer, line: place?.line, column: place?.column)])
    }

    private static func schemaInvalid(_ errors: [SchemaValidationError], _ pointer: String) -> Problem {
        Problem(
            422, "schema_invalid", SchemaValidationError.text(errors),
            realmCode: RealmErrorCode.schemaValidationFailed.rawValue,
            errors: errors.map {
                ProblemItem($0.message, pointer: pointer, className: $0.className, property: $0.property)
            })
    }

    private static func clientReset(_ error: SchemaViewError, _ recovery: RealmModel.UUID?) -> Problem {
        var document = ProblemDocument(
            409, "client_reset_required",
            "The realm's schema serves clients of schema version \(error.version) no more: they have to start over with a "
                + "version that fits it.",
            errors: error.conflicts.map {
                ProblemItem($0.message, className: $0.className, property: $0.property, step: error.version)
            })
        document.recovery = recovery
        return Problem(document)
    }

    private static func code(_ thing: MissingThing) -> String {
        switch thing {
        case .app: "app_not_found"
        case .schemaVersion: "schema_version_not_found"
        case .realm: "realm_not_found"
        case .snapshot: "snapshot_not_found"
        case .job: "job_not_found"
        case .objectClass: "class_not_found"
        case .object: "object_not_found"
        case .apiKey: "api_key_not_found"
        case .token: "token_not_found"
        case .upload: "upload_not_found"
        case .fleet: "fleet_not_found"
        }
    }

    // MARK: The database

    private static func fields(of error: StoreError) -> HTTPFields {
        if case .databaseTooNew = error { Problem.unavailable.fields } else { [:] }
    }

    private static func problem(for error: PostgresError) -> Problem {
        guard error.isTransient else { return .internalError }
        guard error.isReadOnly || error.isDiskFull else { return .unavailable }
        return Problem(ProblemDocument(ofLoss: error), fields: Problem.unavailable.fields)
    }

    // MARK: HTTP

    private static func problem(for error: HTTPError) -> Problem {
        switch error {
        case .malformedMessage: Problem(400, "malformed_request", error.description)
        case .malformedTarget: Problem(400, "malformed_target", error.description)
        case .timedOut: Problem(408, "request_timeout", error.description)
        case .unknownExpectation: Problem(417, "expectation_failed", error.description)
        case .headTooLarge: Problem(431, "request_head_too_large", error.description)
        case .unsupportedTransferCoding: Problem(501, "unsupported_transfer_coding", error.description)
        case .unsupportedVersion: Problem(505, "http_version_not_supported", error.description)
        case .contentTooLarge, .contentExpands: Problem(413, "content_too_large", error.description)
        case .unsupportedContentCoding:
            Problem(
                415, "unsupported_content_encoding", "The body has to be plain, gzip or zstd.",
                fields: ["Accept-Encoding": "gzip, zstd"])
        case .malformedContentCoding: Problem(400, "malformed_content_encoding", error.description)
        case .spoolFailed: Problem(507, "insufficient_storage", "The body could not be kept.")
        case .spoolFull:
            Problem(503, "spool_full", error.description, fields: ["Retry-After": "5"])
        case .overloaded: Problem(503, "overloaded", error.description, fields: ["Retry-After": "1"])
        case .cannotListen, .unreadableCertificate: .internalError
        }
    }
}

extension Problem {
    /// Something that is not the client's fault, and not the client's business.
    static let internalError = Problem(.internalError)
    /// The database can't be reached just now.
    static let unavailable = Problem(.databaseUnavailable, fields: ["Retry-After": "2"])
}
