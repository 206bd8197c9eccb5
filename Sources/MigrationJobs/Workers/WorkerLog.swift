import RealmMigration
import RealmModel

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

    /// The error in words; of what a script says only the kind, because it may say what objects hold.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? MigrationError else { return "\(error)" }
        let kinds = [error.script?.rawValue, error.code?.rawValue].compactMap { $0 }
        return kinds.isEmpty ? "the migration was refused" : kinds.joined(separator: ", ")
    }
}
