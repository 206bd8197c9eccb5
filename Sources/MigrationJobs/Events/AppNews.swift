import JobStore
import RealmJSON
import RealmModel

/// The latest news of the apps that somebody follows, or has followed until a moment ago: who comes back gets what was missed.
///
/// A value without I/O: it is told what was heard and found, and says whom to wake.
struct AppNews: Sendable {
    /// News that is kept of an app.
    static let kept = 500
    /// How long news is kept of an app that nobody follows any more.
    static let patience = Duration.seconds(120)
    /// Between two resets, where nothing is heard of changes.
    static let resetInterval = Duration.seconds(5)

    private struct App: Sendable {
        /// Tells numbers of this list from those of another process, or of an earlier list.
        let epoch: String
        var count = 0
        var events: [[UInt8]] = []
        var followers: [Int: @Sendable () -> Void] = [:]
        var leftAt: ContinuousClock.Instant?
        var changes: Set<AppChange> = []
        var isGone = false

        var first: Int { count - events.count }

        mutating func add(_ name: String, _ data: JSONValue) {
            count += 1
            let json = String(decoding: data.encoded(), as: UTF8.self)
            events.append(Array("id: \(epoch)-\(count)\nevent: \(name)\ndata: \(json)\n\n".utf8))
            if events.count > AppNews.kept { events.removeFirst(events.count - AppNews.kept) }
        }
    }

    private var apps: [RealmModel.UUID: App] = [:]
    private var nextFollower = 0
    private var jobs: Set<RealmModel.UUID> = []
    private var fleets: [FleetAtWork: String] = [:]
    private var hasMissed = false
    private var lastReset: ContinuousClock.Instant?

    /// The apps of which news is gathered; of one that was removed there is no more.
    var followed: [RealmModel.UUID] { apps.filter { !$0.value.isGone }.map(\.key) }

    // MARK: Following

    /// The place in an app's news at which somebody begins.
    struct Start: Sendable {
        let follower: Int
        let count: Int
        /// The beginning of the stream.
        let text: String
    }

    /// Begins to gather news of an app for somebody.
    ///
    /// - Parameters:
    ///   - id: that of the last event that the follower has; nil for one who begins.
    ///   - epoch: for a list that is made now.
    mutating func follow(
        _ app: RealmModel.UUID, after id: String?, epoch: String, _ wake: @escaping @Sendable () -> Void
    ) -> Start {
        nextFollower += 1
        var followed = apps[app] ?? App(epoch: epoch)
        followed.followers[nextFollower] = wake
        followed.leftAt = nil
        apps[app] = followed
        let number = id.flatMap { id in
            id.hasPrefix(followed.epoch + "-") ? Int(id.dropFirst(followed.epoch.count + 1)) : nil
        }
        if let number, (followed.first...followed.count).contains(number) {
            return Start(follower: nextFollower, count: number, text: "")
        }
        let place = "id: \(followed.epoch)-\(followed.count)\n"
        return Start(
            follower: nextFollower, count: followed.count,
            text: place + (id == nil ? "\n" : Self.reset))
    }

    private static let reset = "event: reset\ndata: {}\n\n"

    mutating func leave(_ app: RealmModel.UUID, _ follower: Int, at now: ContinuousClock.Instant) {
        apps[app]?.followers[follower] = nil
        if apps[app]?.followers.isEmpty == true { apps[app]?.leftAt = now }
    }

    /// The events behind a place, and the place behind them; who is too late for some begins anew.
    ///
    /// - Returns: also whether the app was removed.
    func events(of app: RealmModel.UUID, behind count: Int) -> (bytes: [UInt8], count: Int, isGone: Bool) {
        guard let news = apps[app], news.count > count else { return ([], count, apps[app]?.isGone == true) }
        guard count >= news.first else {
            return (Array("id: \(news.epoch)-\(news.count)\n\(Self.reset)".utf8), news.count, news.isGone)
        }
        return (Array(news.events.suffix(news.count - count).joined()), news.count, news.isGone)
    }

    // MARK: Hearing

    /// Takes what listeners were told.
    mutating func hear(_ signals: [JobSignal]) {
        guard !apps.isEmpty else { return }
        for signal in signals {
            switch signal {
            case .changed(let job): jobs.insert(job)
            case .appChanged(let app, let change): apps[app]?.changes.insert(change)
            case .queued, .cancelRequested: break
            }
        }
    }

    /// Notes that changes may not have been heard of.
    mutating func miss() { hasMissed = !apps.isEmpty }

    /// The jobs that have changed since the last time; lists are forgotten of apps that nobody has followed for some time.
    mutating func changedJobs(at now: ContinuousClock.Instant) -> [RealmModel.UUID] {
        apps = apps.filter { $0.value.leftAt.map { now - $0 < Self.patience } ?? true }
        if apps.isEmpty { (fleets, hasMissed) = ([:], false) }
        defer { jobs = [] }
        return Array(jobs)
    }

    /// Adds what was found, and what was heard besides.
    ///
    /// - Returns: those to wake.
    mutating func add(
        _ changed: [ChangedJob], _ found: FollowedApps, at now: ContinuousClock.Instant
    ) -> [@Sendable () -> Void] {
        let counts = apps.mapValues(\.count)
        for app in found.gone { apps[app]?.isGone = true }
        for job in changed {
            apps[job.app]?.add("job", job.json)
            guard ["succeeded", "failed", "cancelled"].contains(job.state) else { continue }
            if let realm = job.realm { apps[job.app]?.changes.insert(.realm(realm)) }
            if job.fleet != nil { apps[job.app]?.changes.insert(.realms) }
        }
        let moved = Set(fleets.keys).union(found.fleets.keys).filter { fleets[$0] != found.fleets[$0] }
        for fleet in moved { apps[fleet.app]?.changes.insert(.fleet(fleet.id)) }
        fleets = found.fleets
        let resets = hasMissed && lastReset.map { now - $0 >= Self.resetInterval } ?? true
        if resets { (hasMissed, lastReset) = (false, now) }
        for name in apps.keys {
            if resets { apps[name]?.add("reset", [:]) }
            let changes = apps[name]?.changes ?? []
            apps[name]?.changes = []
            for (event, data) in changes.map(\.event).sorted(by: { $0.order < $1.order }).map({ ($0.name, $0.data) }) {
                apps[name]?.add(event, data)
            }
        }
        return apps.filter { found.gone.contains($0.key) || $0.value.count != counts[$0.key] }.flatMap {
            $0.value.followers.values
        }
    }
}

extension AppChange {
    /// The event that tells of it, and its place among those of the same moment.
    fileprivate var event: (order: String, name: String, data: JSONValue) {
        switch self {
        case .realm(let name): ("realm \(name)", "realm", ["name": .string(name)])
        case .realms: ("realm", "realm", ["name": .null])
        case .version(let number): ("version \(number)", "version", ["version": JSONValue(number)])
        case .fleet(let id): ("fleet \(id)", "fleet", ["id": .string("\(id)")])
        case .removedJob(let id, let kind, let realm, let fleet):
            (
                "job \(id)", "job",
                ChangedJob(id: id, app: id, kind: kind, realm: realm, fleet: fleet, state: "removed").json
            )
        case .figures: ("figures", "figures", [:])
        }
    }
}

extension ChangedJob {
    /// The job as its app's followers see it.
    fileprivate var json: JSONValue {
        [
            "id": .string("\(id)"), "kind": .string(kind), "realm": realm.map { .string($0) } ?? .null,
            "fleet": fleet.map { .string("\($0)") } ?? .null, "state": .string(state),
        ]
    }
}
