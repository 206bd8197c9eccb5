import HTTPServer
import JobStore
import MigrationJobs
import RealmJSON
import RealmModel
import StoreCore
import Synchronization

/// Where a fleet stands as Server-Sent Events, from now until it is over, or removed with its app.
///
/// The id of an event says where it stood then: a client that comes back with it hears of the fleet when it stands elsewhere.
final class FleetEventStream {
    /// The changes of the fleet that it was told of.
    private final class Changes: Sendable {
        let count = Atomic(0)
    }

    private let request: APIRequest
    private let fleet: Fleet
    private let jobs: JobStore
    private let observation: Observation?
    private let changes: Changes
    private let keyHold: KeyWatch.Hold?
    /// The changes before the last look; nil before the first.
    private var seen: Int?
    private var revision: String
    private var hasBegun = false
    private var isDone = false

    /// Follows a fleet.
    ///
    /// - Parameters:
    ///   - request: whose waker is woken when there is something new.
    ///   - revision: where the fleet stood when the client last heard of it.
    init(_ request: APIRequest, _ fleet: Fleet, after revision: String?, jobs: JobStore, events: JobEvents) {
        self.request = request
        self.fleet = fleet
        self.revision = revision ?? ""
        self.jobs = jobs
        let changes = Changes()
        self.changes = changes
        keyHold = request.holdKey()
        observation = request.whole.map { whole in
            let waker = whole.waker
            return events.observe(fleet.identity) {
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
        guard !isDone, !request.shouldStopWaiting, keyHold?.hasEnded != true else { return .end }
        guard hasBegun else {
            hasBegun = true
            return .bytes(Array("retry: 2000\n\n".utf8))
        }
        let changes = changes.count.load(ordering: .sequentiallyConsistent)
        guard changes != seen else { return .nothing }
        seen = changes
        let current: Fleet
        do {
            current = try jobs.fleets.find(fleet.id, in: fleet.app)
        } catch StoreError.notFound {
            isDone = true
            return .bytes(goneEvent)
        }
        isDone = current.isOver
        guard isDone || current.revision != revision else { return .nothing }
        revision = current.revision
        let data = String(decoding: current.json().encoded(), as: UTF8.self)
        return .bytes(Array("id: \(revision)\nevent: \(isDone ? "done" : "fleet")\ndata: \(data)\n\n".utf8))
    }
}
