import HTTPServer
import JobStore
import MigrationJobs
import RealmJSON
import RealmModel
import StoreCore
import Synchronization

/// A job's progress, log and end as Server-Sent Events (WHATWG HTML, section 9.2).
///
/// The id of an event is the number of the last log line before it, so that a client that comes back misses no line.
final class JobEventStream {
    private enum Position {
        case opening
        case following
        case done
    }

    /// The changes of the job that it was told of.
    private final class Changes: Sendable {
        let count = Atomic(0)
    }

    private static let linesAtOnce = 500

    private let request: APIRequest
    private let job: RealmModel.UUID
    private let jobs: JobStore
    private let observation: Observation?
    private let changes: Changes
    private let keyHold: KeyWatch.Hold?
    /// The changes before the last look; nil where there is more to be seen without another.
    private var seen: Int?
    private var position = Position.opening
    private var lastLine: Int
    private var lastProgress: JobProgress?
    private var lastState: JobState?

    /// Follows a job.
    ///
    /// - Parameters:
    ///   - request: whose waker is woken when there is something new.
    ///   - lastLine: the number of the last log line that the client has.
    init(_ request: APIRequest, job: RealmModel.UUID, after lastLine: Int, jobs: JobStore, events: JobEvents) {
        self.request = request
        self.job = job
        self.lastLine = lastLine
        self.jobs = jobs
        let changes = Changes()
        self.changes = changes
        keyHold = request.holdKey()
        observation = request.whole.map { whole in
            let waker = whole.waker
            return events.observe(job) { _, _ in
                changes.count.add(1, ordering: .sequentiallyConsistent)
                waker.wake()
            }
        }
    }

    /// The stream as the body of a response; a comment every 15 seconds shows that it is still there.
    var body: HTTPLiveBody {
        HTTPLiveBody(heartbeat: Array(": still here\n\n".utf8), silence: .seconds(15)) { try self.next() }
    }

    private func next() throws -> HTTPLiveBody.Piece {
        guard !request.shouldStopWaiting, keyHold?.hasEnded != true else { return .end }
        switch position {
        case .done: return .end
        case .opening:
            position = .following
            return .bytes(Array("retry: 2000\n\n".utf8))
        case .following:
            let changes = changes.count.load(ordering: .sequentiallyConsistent)
            guard changes != seen else { return .nothing }
            seen = changes
            do {
                let text = try news()
                return text.isEmpty ? .nothing : .bytes(Array(text.utf8))
            } catch StoreError.notFound {
                // A rehearsal goes with its realm, even while it runs.
                position = .done
                return .bytes(goneEvent)
            }
        }
    }

    /// The events since the last look.
    private func news() throws -> String {
        let current = try jobs.find(job)
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
        if lines.next != nil { seen = nil }
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
