import RealmMigration
import RealmModel
import Sandbox
import ScriptWire

extension MigrationError {
    /// The error of a migration whose host has ended.
    ///
    /// - Parameter progress: what the host told last of how far it was.
    init(_ failure: HostFailure, limits: ScriptLimits, at progress: MigrationProgress? = nil) {
        switch failure {
        case .timeLimit:
            self.init(nil, "The script ran longer than \(limits.timeoutSeconds) seconds.", script: .timeLimit)
        case .memoryLimit:
            self.init(nil, Self.memoryMessage(limits.memoryBytes), script: .memoryLimit)
        case .outputLimit: self.init(exceeding: .writtenBytes, of: limits)
        case .cancelled: self.init(nil, "The migration was cancelled.", script: .cancelled)
        case .notLoaded:
            self.init(
                nil, "Scripts can't be run here: the libraries that realmshift-script needs are missing.",
                script: .unavailable)
        case .crash: self.init(nil, failure.description, script: .crash)
        case .notStarted:
            self.init(nil, "Scripts can't be run here: \(failure.description)", script: .unavailable)
        }
        guard let progress, let className = progress.className, failure != .cancelled else { return }
        objectsDone = progress.objectsDone
        details = [
            ProblemItem(
                "\(progress.objectsDone) of \(progress.objectsTotal) objects of this class were done.",
                className: className)
        ]
    }
}
