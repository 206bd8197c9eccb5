import Foundation
import MigrationJobs
import RealmJSON
import RealmModel
import SnapshotStore

/// A job's progress, log and end as Server-Sent Events (WHATWG HTML, section 9.2).
///
/// The id of an event is the number of the last log line before it, so that a client that comes back misses no line.
final class JobEventStream {
    private enum Position {
        case opening
        case following
        case done
    }

    /// How long the stream may be silent.
    private static let heartbeat = 15.0
    private static let linesAtOnce = 500

    private let job: RealmModel.UUID
    private let jobs: JobQueue
    private let wait: JobWait
    private let isOver: () -> Bool
    private var position = Position.opening
    private var lastLine: Int
    private var lastProgress: JobProgress?
    private var lastState: JobState?

    /// Follows a job.
    ///
    /// - Parameters:
    ///   - lastLine: the number of the last log line that the client has.
    ///   - isOver: whether nobody listens any more.
    init(
        _ job: RealmModel.UUID, after lastLine: Int, jobs: JobQueue, events: JobEvents, isOver: @escaping () -> Bool
    ) {
        self.job = job
        self.lastLine = lastLine
        self.jobs = jobs
        self.isOver = isOver
        wait = JobWait(job, events)
    }

    /// The next bytes of the stream, at the latest after 15 seconds; nil at its end.
    func next() throws -> [UInt8]? {
        switch position {
        case .done: return nil
        case .opening:
            position = .following
            return Array("retry: 2000\n\n".utf8)
        case .following: return try follow()
        }
    }

    private func follow() throws -> [UInt8]? {
        let deadline = Date(timeIntervalSinceNow: Self.heartbeat)
        while !isOver() {
            let known = wait.changeCount
            let text = try news()
            if !text.isEmpty { return Array(text.utf8) }
            guard Date() < deadline else { return Array(": still here\n\n".utf8) }
            wait.wait(known: known, until: deadline, orWhen: isOver)
        }
        return nil
    }

    /// What happened since the last look.
    private func news() throws -> String {
        let current = try jobs.job(job)
        let lines = try jobs.log(of: job, after: lastLine, PageRequest(limit: Self.linesAtOnce))
        var text = ""
        for line in lines.items {
            lastLine = line.ordinal
            text += event("log", line.json)
        }
        if current.progress != lastProgress || current.state != lastState {
            (lastProgress, lastState) = (current.progress, current.state)
            if let progress = current.progress { text += event("progress", progress.json) }
        }
        // The lines come before the end, however many there are.
        if current.state.isFinished && lines.next == nil {
            text += event("done", current.json)
            position = .done
        }
        return text
    }

    private func event(_ name: String, _ data: JSONValue) -> String {
        "id: \(lastLine)\nevent: \(name)\ndata: \(String(decoding: data.encoded(), as: UTF8.self))\n\n"
    }
}
