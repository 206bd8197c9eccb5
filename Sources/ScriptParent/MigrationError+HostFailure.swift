import RealmMigration
import RealmModel
import Sandbox
import ScriptWire

extension MigrationError {
    /// The error of a migration whose host has ended.
    ///
    /// - Parameters:
    ///   - progress: what the host told last of how far it was.
    ///   - line: where the script was when the host told last.
    init(_ failure: HostFailure, limits: ScriptLimits, at progress: MigrationProgress? = nil, line: Int? = nil) {
        switch failure {
        case .timeLimit:
            let message = "The script ran longer than \(limits.timeoutSeconds) seconds."
            self.init(
                nil, message, script: .timeLimit, details: [ProblemItem(message, line: line, hint: Self.longerHint)])
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
        let done = "\(progress.objectsDone) of \(progress.objectsTotal) objects of this class were done."
        details.insert(ProblemItem(done, className: className), at: 0)
    }

    private static let longerHint =
        "Look for a loop without an end; a longer limit is --timeout of the command line, limits.timeoutSeconds of a request."
}
