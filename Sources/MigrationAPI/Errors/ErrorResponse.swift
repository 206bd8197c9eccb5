import Columns
import HTTPServer
import JobStore
import MigrationJobs
import Postgres
import Problems
import RealmMigration
import RealmModel
import RealmSync
import StoreCore
import SyncedRealms

/// Turns every error that reaches the API into the problem that the client sees.
///
/// Errors that jobs and commands meet as well are told by `ProblemDocument`, for all of them.
enum ErrorResponse {
    /// The problem of an error; what is not the client's business is `internal_error` without a word of it.
    static func problem(for error: any Error) -> Problem {
        switch error {
        case let error as APIError: error.problem
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
        case let gone as SnapshotGone: APIError.snapshotGone("\(gone.id)").problem
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
