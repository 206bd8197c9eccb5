import Columns
import FileStore
import Postgres
import Problems
import RealmExport
import RealmMigration
import RealmModel
import Sandbox
import ServiceClient
import StoreCore

/// The message of a command that failed, for standard error.
struct Failure {
    private let problem: ProblemDocument
    private var hint: String?

    init(_ error: any Error) {
        var problem =
            switch error {
            case let error as ErrorInFile: Self.problem(error.cause)
            default: Self.problem(error)
            }
        if let error = error as? ErrorInFile { (problem.file, hint) = (error.file, error.hint) }
        if let error = error as? FileError { problem.file = error.path }
        self.problem = problem
    }

    private static func problem(_ error: any Error) -> ProblemDocument {
        switch error {
        case let error as FileError: return ProblemDocument(error)
        case ExportError.fullDisk: return ProblemDocument(.insufficientStorage, "\(error)")
        case let error as HostFailure: return ProblemDocument(.hostFailed, error.description)
        case let error as PostgresError: return ProblemDocument(.databaseError, error.description)
        case let error as InputError: return ProblemDocument(error)
        case let error as MigrationError: return ProblemDocument(error)
        case let error as ColumnError: return ProblemDocument(error)
        case let error as ServiceRefusal: return error.problem
        case let error as ServiceUnreachable:
            return ProblemDocument(.serviceUnreachable, "\(error.address) can't be reached: \(error.reason).")
        case let error as UnexpectedAnswer:
            return ProblemDocument(
                .unexpectedAnswer, "\(error.address) answers as no realmshift does: \(error.reason).")
        case let error as CommandFailure: return ProblemDocument(.failed, error.message)
        case let error as ProblemDocument: return error
        case let error as StoreError:
            let known = ProblemDocument(error)
            // Clients are not told what is the operator's business; here the operator is the reader.
            return known == .internalError ? ProblemDocument(.failed, error.description) : known
        default: return ProblemDocument(.failed, String(describing: error))
        }
    }

    /// The exit status of the process.
    static func status(_ error: any Error) -> ExitStatus {
        switch error {
        case let error as ErrorInFile: status(error.cause)
        case is ServiceUnreachable: .unavailable
        case let refusal as ServiceRefusal: refusal.isTemporary ? .unavailable : refusal.isDenial ? .denied : .failed
        default: .failed
        }
    }

    /// A message for people, or one line of problem JSON (RFC 9457).
    func text(asJSON: Bool) -> String {
        if asJSON { return TerminalText.json(problem.json()) + "\n" }
        return FailureText(problem).text + (hint.map { "  \($0)\n" } ?? "")
    }
}

extension ProblemDocument {
    /// The problem of a file that can't be opened, read or written, without its name.
    init(_ error: FileError) {
        self.init(error.isOfFullDisk ? .insufficientStorage : .fileError, error.reason)
    }
}
