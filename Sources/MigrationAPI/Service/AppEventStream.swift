import HTTPServer
import JobStore
import MigrationJobs
import RealmModel

/// The events of an app as Server-Sent Events, until the app is removed.
///
/// The id of an event is its place in the news that the process keeps: who comes back with one that is not known any more gets `reset`.
final class AppEventStream {
    private let request: APIRequest
    private let follower: AppFollower?
    private let keyHold: KeyWatch.Hold?
    private var hasBegun = false
    private var isDone = false

    /// Follows an app.
    ///
    /// - Parameters:
    ///   - request: whose waker is woken when there is something new.
    ///   - id: that of the last event that the client has.
    init(_ request: APIRequest, _ app: RealmModel.UUID, after id: String?, events: JobEvents) {
        self.request = request
        keyHold = request.holdKey()
        follower = request.whole.map { whole in
            let waker = whole.waker
            return events.follow(app, after: id) { waker.wake() }
        }
    }

    /// The stream as the body of a response; a comment every 15 seconds shows that it is still there.
    var body: HTTPLiveBody {
        HTTPLiveBody(heartbeat: Array(": still here\n\n".utf8), silence: .seconds(15)) { self.next() }
    }

    private func next() -> HTTPLiveBody.Piece {
        guard !isDone, !request.shouldStopWaiting, keyHold?.hasEnded != true, let follower else { return .end }
        guard hasBegun else {
            hasBegun = true
            return .bytes(Array("retry: 2000\n\n".utf8))
        }
        let news = follower.next()
        isDone = news.isGone
        let bytes = news.events + (isDone ? goneEvent : [])
        return bytes.isEmpty ? .nothing : .bytes(bytes)
    }
}

extension APIRequest {
    /// The things of an app that its path names, and that it has changed where it was answered well; jobs tell of themselves.
    var appChange: (app: String, change: AppChange)? {
        guard let app = parameters["app"] else { return nil }
        if let realm = parameters["realm"] { return (app, .realm(realm)) }
        if let version = parameters["version"].flatMap(SchemaVersionNumber.parse) { return (app, .version(version)) }
        if let fleet = parameters["fleet"].flatMap({ RealmModel.UUID($0) }) { return (app, .fleet(fleet)) }
        return nil
    }
}
