import HTTPServer
import JobStore
import MigrationJobs
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore
import SyncedRealms
import Synchronization

/// `GET /v1/apps/{app}/realms/{realm}/changes`: lines up to the current snapshot, or events that go on.
struct ChangeFeedResource: Sendable {
    private static let lines = "application/x-ndjson"
    private static let events = "text/event-stream"

    let jobs: JobStore
    let realmEvents: RealmEvents

    private var store: SnapshotStore { jobs.store }

    var routes: [APIRoute] {
        [
            APIRoute(
                "GET", "/v1/apps/{app}/realms/{realm}/changes", "followChanges", requires: .read, tokens: .realm,
                query: ["since"],
                respond: follow)
        ]
    }

    private func follow(_ request: APIRequest) throws -> HTTPResponse {
        let isStream = try Self.wantsEvents(request.head)
        // A client that comes back says by the id of the last event what it has.
        let since = (isStream ? request.head.fields["Last-Event-ID"] : nil) ?? request.head.queryValue("since")
        let position = try since.map { text in
            guard let id = RealmModel.UUID(text) else {
                throw APIError.invalidParameter(name: "since", message: "has to be the id of a snapshot.")
            }
            return id
        }
        let store = store
        let client = try request.clientRealm(in: jobs)
        let feed = ChangeFeed(since: position, in: store) { try request.clientRealm(in: jobs) }
        // Problems with the request are told before the first byte.
        let first = try feed.next()
        guard isStream else { return Self.lines(first, feed) }
        let stream = ChangeEventStream(request, client.realm.identity, first, feed, realmEvents)
        return HTTPResponse(
            status: 200,
            fields: ["Content-Type": Self.events, "Cache-Control": "no-store", "X-Accel-Buffering": "no"],
            body: .live(stream.body))
    }

    private static func wantsEvents(_ head: HTTPRequestHead) throws(APIError) -> Bool {
        guard let chosen = Accept(head.fields["Accept"]).best(of: [lines, events]) else {
            throw .notAcceptable(offered: [lines, events])
        }
        return chosen == events
    }

    /// Up to the snapshot that is current when the end is reached.
    private static func lines(_ first: [ChangeFeed.Line]?, _ feed: ChangeFeed) -> HTTPResponse {
        let state = Pending(first)
        return HTTPResponse(
            status: 200, fields: ["Content-Type": lines, "Cache-Control": "no-store"],
            body: .stream(.working) {
                guard let lines = try state.take() ?? feed.next() else { return nil }
                var bytes: [UInt8] = []
                for line in lines {
                    bytes += line.bytes
                    bytes.append(UInt8(ascii: "\n"))
                }
                return bytes
            })
    }

    /// Lines that were made before anybody asked for them.
    private final class Pending {
        private var lines: [ChangeFeed.Line]?

        init(_ lines: [ChangeFeed.Line]?) { self.lines = lines }

        func take() -> [ChangeFeed.Line]? {
            defer { lines = nil }
            return lines
        }
    }
}

/// The changes of a realm as Server-Sent Events (WHATWG HTML, section 9.2), which go on: between them the connection sleeps, and
/// takes no thread.
///
/// The end of a batch has the snapshot as its id, so that a client that comes back goes on behind it.
final class ChangeEventStream {
    private let request: APIRequest
    private let feed: ChangeFeed
    private let observation: Observation?
    private let changes: Changes
    private let keyHold: KeyWatch.Hold?
    /// The changes before the last look; nil where there is more without another.
    private var seen: Int?
    private var pending: [ChangeFeed.Line]?
    private var isOpen = false

    /// The new snapshots that it was told of.
    private final class Changes: Sendable {
        let count = Atomic(0)
    }

    init(
        _ request: APIRequest, _ realm: RealmIdentity, _ first: [ChangeFeed.Line]?, _ feed: ChangeFeed,
        _ events: RealmEvents
    ) {
        self.request = request
        self.feed = feed
        pending = first
        let changes = Changes()
        self.changes = changes
        keyHold = request.holdKey()
        observation = request.whole.map { whole in
            let waker = whole.waker
            return events.observe(realm) {
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
        guard isOpen else {
            isOpen = true
            return .bytes(Array("retry: 2000\n\n".utf8))
        }
        let changes = changes.count.load(ordering: .sequentiallyConsistent)
        guard pending != nil || changes != seen else { return .nothing }
        let lines: [ChangeFeed.Line]?
        do {
            lines = try pending ?? feed.next()
        } catch let error as APIError {
            return end(error)
        } catch let error as ClientResetError {
            return end(error)
        } catch let error as SnapshotGone {
            return end(error)
        } catch let error as StoreError {
            return end(error)
        }
        pending = nil
        guard let lines else {
            seen = changes
            return .nothing
        }
        seen = nil
        return .bytes(lines.flatMap(\.event))
    }

    /// The answer that a request would get now, as the last event.
    private func end(_ error: any Error) -> HTTPLiveBody.Piece {
        guard !isEnded else { return .end }
        isEnded = true
        let problem = ErrorResponse.problem(for: error).document.json(instance: request.head.path)
        seen = nil
        return .bytes(Array("event: problem\ndata: ".utf8) + problem.encoded() + Array("\n\n".utf8))
    }

    private var isEnded = false
}

extension ChangeFeed.Line {
    /// The line's JSON.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .change(let bytes): bytes
        case .snapshot(let id): Array("{\"snapshot\":\"\(id)\"}".utf8)
        }
    }

    /// The line as an event.
    fileprivate var event: [UInt8] {
        var event: [UInt8] = []
        if case .snapshot(let id) = self { event += Array("id: \(id)\n".utf8) }
        return event + Array("data: ".utf8) + bytes + Array("\n\n".utf8)
    }
}
