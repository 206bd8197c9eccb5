import MigrationAPI
import RealmJSON

/// What a command that failed says on standard error.
struct Failure {
    private let error: any Error

    init(_ error: any Error) { self.error = error }

    /// A message for people, or one line of problem JSON (RFC 9457).
    func text(asJSON: Bool) -> String {
        let problem = Problem(error)
        if asJSON { return String(decoding: problem.json.encoded(), as: UTF8.self) + "\n" }
        return "realmshift: \(problem.detail)\n" + problem.places.map { "  \($0)\n" }.joined()
    }
}
