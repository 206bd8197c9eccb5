import RealmModel
import Threads

/// Somebody who follows an app, until it is let go of.
public final class AppFollower: Sendable {
    private let events: JobEvents
    private let app: RealmModel.UUID
    private let follower: Int
    private let state: Mutex<(text: [UInt8], count: Int)>

    init(_ events: JobEvents, _ app: RealmModel.UUID, _ start: AppNews.Start) {
        self.events = events
        self.app = app
        follower = start.follower
        state = Mutex((Array(start.text.utf8), start.count))
    }

    deinit { events.leave(app, follower) }

    /// The events since the last time, as Server-Sent Events; empty where there were none.
    ///
    /// - Returns: also whether the app was removed, so that no more will come.
    public func next() -> (events: [UInt8], isGone: Bool) {
        state.withLock { state in
            let news = events.news(of: app, behind: state.count)
            defer { state = ([], news.count) }
            return (state.text + news.bytes, news.isGone)
        }
    }
}
