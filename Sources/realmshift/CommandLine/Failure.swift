import MigrationAPI
import MigrationScript
import Postgres
import SnapshotStore

/// What a command that failed says on standard error.
struct Failure {
    private let problem: ProblemDocument

    init(_ error: any Error) {
        switch error {
        case let error as FileError: problem = ProblemDocument(code: "file_error", detail: error.description)
        case let error as HostFailure: problem = ProblemDocument(code: "host_failed", detail: error.description)
        case let error as PostgresError: problem = ProblemDocument(code: "database_error", detail: error.description)
        default:
            let known = ProblemDocument(error)
            // The API hides what is its operator's business; here the operator is the reader.
            problem = known.isInternal ? ProblemDocument(code: "failed", detail: String(describing: error)) : known
        }
    }

    /// A message for people, or one line of problem JSON (RFC 9457).
    func text(asJSON: Bool) -> String {
        if asJSON { return String(decoding: problem.json, as: UTF8.self) + "\n" }
        return "realmshift: \(problem.detail)\n" + problem.places.map { "  \($0)\n" }.joined()
    }
}
