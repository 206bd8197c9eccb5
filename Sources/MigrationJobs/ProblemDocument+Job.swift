import Columns
import Problems
import RealmComparison
import RealmMigration
import RealmModel
import RealmSync
import StoreCore
import SyncedRealms

extension ProblemDocument {
    /// The problem of an error that ends a job; what is not the client's business is `internal_error`.
    init(ending error: any Error) {
        self =
            switch error {
            case let error as MigrationError: ProblemDocument(error)
            case let error as ColumnError: ProblemDocument(error)
            case let error as StoreError: ProblemDocument(error)
            case let error as PartnerError: ProblemDocument(error)
            case let error as PartnerRefusal: ProblemDocument(error)
            case let error as SyncedRealmError: ProblemDocument(error)
            case let error as RehearsalFailure: ProblemDocument(error)
            case let error as BackfillError: ProblemDocument(error)
            default: .internalError
            }
    }
}

extension ProblemDocument {
    /// The problem of findings that fail whoever asked for the rehearsal.
    init(_ error: RehearsalFailure) {
        self.init(
            .rehearsalFailed, error.message,
            errors: error.findings.map { ProblemItem($0.message, className: $0.className, property: $0.property) })
    }
}
