import Problems
import RealmComparison
import RealmMigration
import RealmModel
import RealmSync
import SyncedRealms

/// Where workers and the events of jobs say what happened to them; one line an event.
public protocol WorkerLog: Sendable {
    /// Something failed.
    ///
    /// - Parameters:
    ///   - what: what was being done, as a clause; holds no value of an object.
    ///   - job: the job that it concerns, where it is one.
    ///   - reason: why, in words that hold no value of an object.
    func failed(_ what: String, job: UUID?, _ reason: String)

    /// An attempt of a job began, or is over.
    func happened(_ event: AttemptEvent)
}

extension WorkerLog {
    /// Something failed with an error.
    func failed(_ what: String, job: UUID? = nil, _ error: any Error) {
        failed(what, job: job, Self.reason(error))
    }

    /// The error in words.
    ///
    /// An error whose sentences may say what objects hold is told by its code, and by the names of classes and properties.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as MigrationError:
            let kinds = [error.script?.rawValue, error.code?.rawValue].compactMap { $0 }
            return kinds.isEmpty ? "the migration was refused" : kinds.joined(separator: ", ")
        case is RehearsalFailure, is BackfillError, is PartnerError, is PartnerRefusal:
            let problem = ProblemDocument(ending: error)
            let places = problem.errors.compactMap { item in
                item.className.map { [$0, item.property].compactMap(\.self).joined(separator: ".") }
            }
            return ([problem.code] + places).joined(separator: ", ")
        default: return "\(error)"
        }
    }
}
