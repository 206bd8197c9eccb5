import MigrationAPI
import MigrationScript
import Postgres
import SnapshotStore

/// What a command that failed says on standard error.
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
        case let error as FileError: return ProblemDocument(code: "file_error", detail: error.reason)
        case let error as HostFailure: return ProblemDocument(code: "host_failed", detail: error.description)
        case let error as PostgresError: return ProblemDocument(code: "database_error", detail: error.description)
        default:
            let known = ProblemDocument(error)
            // The API hides what is its operator's business; here the operator is the reader.
            return known.isInternal ? ProblemDocument(code: "failed", detail: String(describing: error)) : known
        }
    }

    /// A message for people, or one line of problem JSON (RFC 9457).
    func text(asJSON: Bool) -> String {
        if asJSON { return String(decoding: problem.json, as: UTF8.self) + "\n" }
        return FailureText(problem).text + (hint.map { "  \($0)\n" } ?? "")
    }
}
