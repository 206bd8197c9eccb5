import Columns
import Problems
import RealmMigration
import RealmSync
import SnapshotStore

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
            case let error as BackfillError: ProblemDocument(error)
            default: .internalError
            }
    }
}
