import Columns
import FileStore
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
            Problem(.internalError, "The job \(job.id) can't be read; the service's log says why.")
        case let error as PostgresError: problem(for: error)
        case let error as HTTPError: problem(for: error)
        case Readiness.Obstacle.database: .unavailable
        case Readiness.Obstacle.readOnlyDatabase:
            problem(for: PostgresError(sqlState: "25006", message: ""))
        case Readiness.Obstacle.disk: fullDisk
        case let error as FileError where error.isOfFullDisk: fullDisk
        case is AuditJournalError:
            Problem(.insufficientStorage, "The audit log can't be written, so that nothing is changed.", status: 507)
        default: .internalError
        }
    }

    private static let fullDisk = Problem(
        .insufficientStorage, "A disk that the service writes to is full.", fields: ["Retry-After": "5"])

    private static func clientReset(_ error: SchemaViewError, _ recovery: RealmModel.UUID?) -> Problem {
        var document = ProblemDocument(
            .clientResetRequired,
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
        case .malformedMessage: Problem(.malformedRequest, error.description)
        case .malformedTarget: Problem(.malformedTarget, error.description)
        case .timedOut: Problem(.requestTimeout, error.description)
        case .unknownExpectation: Problem(.expectationFailed, error.description)
        case .headTooLarge: Problem(.requestHeadTooLarge, error.description)
        case .unsupportedTransferCoding: Problem(.unsupportedTransferCoding, error.description)
        case .unsupportedVersion: Problem(.httpVersionNotSupported, error.description)
        case .contentTooLarge, .contentExpands: Problem(.contentTooLarge, error.description)
        case .unsupportedContentCoding:
            Problem(
                .unsupportedContentEncoding, "The body has to be plain, gzip or zstd.",
                fields: ["Accept-Encoding": "gzip, zstd"])
        case .malformedContentCoding: Problem(.malformedContentEncoding, error.description)
        case .spoolFailed: Problem(.insufficientStorage, "The body could not be kept.", status: 507)
        case .spoolFull:
            Problem(.spoolFull, error.description, fields: ["Retry-After": "5"])
        case .overloaded: Problem(.overloaded, error.description, fields: ["Retry-After": "1"])
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
