import JobStore
import RealmJSON

/// A job as a page of a terminal: what it is, how far it is, and its log's last lines.
struct JobPage {
    var job = JSONValue.null
    var progress: JSONValue?
    var log: [String] = []

    /// The job's kind, realm and state.
    var title: String {
        let realm = job["realm"]?.isNull == false ? "\(job.text("app"))/\(job.text("realm"))" : job.text("app")
        let target = job["toVersion"]?.int.map { " to version \($0)" } ?? ""
        return "\(Self.kind(of: job)) of \(realm)\(target): \(state)  \(job.text("id"))"
    }

    /// The kind of a job for people: a migration that leaves the realm as it is is a rehearsal.
    static func kind(of job: JSONValue) -> String { job["dryRun"] == true ? "rehearsal" : job.text("kind") }

    /// A job that was still queued when it was asked for runs when it says how far it is.
    private var state: String {
        progress != nil && job.text("state") == "queued" ? "running" : job.text("state")
    }

    /// How far it is, for a log.
    var progressText: String? { progressLine?.text }

    private var progressLine: ProgressLine? {
        progress.map { progress in
            ProgressLine(
                JobProgress(
                    phase: progress.text("phase"), className: progress["class"]?.string,
                    objectsDone: progress.count("objectsDone"), objectsTotal: progress.count("objectsTotal"),
                    objectsPerSecond: progress["objectsPerSecond"]?.double, etaSeconds: progress["etaSeconds"]?.double))
        }
    }

    /// The lines of the page.
    func lines(columns: Int, rows: Int) -> [String] {
        let bar = progressLine.map { [$0.bar(columns: columns + 1, blocks: TerminalProgress.hasBlocks)] } ?? []
        let room = max(rows - 1 - bar.count, 0)
        return [title] + bar + log.suffix(min(room, 12)).map { "  " + $0 }
    }
}
