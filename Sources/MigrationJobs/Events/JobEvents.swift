import JobStore
import RealmModel
import StoreCore
import Threads

/// Tells of changes of jobs and fleets, and of all that happens in an app: one listening connection and one thread for all who wait.
///
/// Changes of jobs' states arrive by NOTIFY; progress and log lines, fleets, and everything where there is no NOTIFY, are found by one
/// query in half a second for all jobs that are watched, and by one for all fleets.
public final class JobEvents: Sendable {
    private struct State {
        var isRunning = false
        var jobs = Watchers<RealmModel.UUID, JobRevision>()
        var fleets = Watchers<FleetIdentity, String>()
        var nextID = 0
        var news = AppNews()
        var onSignal: [Int: @Sendable (JobSignal) -> Void] = [:]
    }

    private static let pollInterval = Duration.milliseconds(500)
    private let jobs: JobStore
    private let log: any WorkerLog
    private let state = Monitor(State())
    private let thread = ThreadGroup()

    /// Events of a store's jobs; nothing happens before `start`.
    ///
    /// - Parameter log: is told what fails.
    public init(_ jobs: JobStore, log: any WorkerLog) {
        self.jobs = jobs
        self.log = log
    }

    /// Starts the thread.
    public func start() {
        let starts = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { thread.start("job-events") { [self] in listen() } }
    }

    /// Ends the thread and waits for that, half a second at most; observers hear no more.
    public func stop() {
        state.change { $0.isRunning = false }
        thread.wait(timeout: .seconds(5))
    }

    /// Calls a closure after every change of a job's state, progress or log, until the observation is cancelled or let
    /// go of.
    ///
    /// - Parameter changed: called by the one thread of this object, so it has to be short and must not block: it wakes
    ///   a suspended connection or signals. A job that is not there (any more) counts as cancelled, at revision -1.
    public func observe(
        _ job: RealmModel.UUID, _ changed: @escaping @Sendable (_ revision: Int, _ state: JobState) -> Void
    ) -> Observation {
        let id = state.withLock { state in
            state.jobs.add(job) { changed($0?.revision ?? -1, $0?.state ?? .cancelled) }
        }
        return Observation { [weak self] in self?.state.withLock { $0.jobs.remove(id, of: job) } }
    }

    /// Calls a closure after changes of a fleet's state and counts, until the observation is cancelled or let go of.
    ///
    /// - Parameter changed: as for jobs; called, too, where the fleet is not there any more.
    public func observe(_ fleet: FleetIdentity, _ changed: @escaping @Sendable () -> Void) -> Observation {
        let id = state.withLock { $0.fleets.add(fleet) { _ in changed() } }
        return Observation { [weak self] in self?.state.withLock { $0.fleets.remove(id, of: fleet) } }
    }

    /// Follows an app: its realms, jobs, fleets and schema versions.
    ///
    /// - Parameters:
    ///   - id: that of the last event that the follower has; nil for one who begins.
    ///   - wake: called when there is something new, as `changed` is for jobs.
    public func follow(_ app: RealmModel.UUID, after id: String?, _ wake: @escaping @Sendable () -> Void) -> AppFollower
    {
        let epoch = String(UInt64.random(in: 0 ... .max), radix: 36)
        let start = state.withLock { $0.news.follow(app, after: id, epoch: epoch, wake) }
        return AppFollower(self, app, start)
    }

    func news(of app: RealmModel.UUID, behind count: Int) -> (bytes: [UInt8], count: Int, isGone: Bool) {
        state.withLock { $0.news.events(of: app, behind: count) }
    }

    func leave(_ app: RealmModel.UUID, _ follower: Int) {
        state.withLock { $0.news.leave(app, follower, at: .now) }
    }

    /// Calls a closure whenever a job is queued or asked to stop, as a hint.
    func observeSignals(_ signalled: @escaping @Sendable (JobSignal) -> Void) -> Observation {
        let id = state.withLock { state in
            state.nextID += 1
            state.onSignal[state.nextID] = signalled
            return state.nextID
        }
        return Observation { [weak self] in self?.state.withLock { $0.onSignal[id] = nil } }
    }

    private func listen() {
        let listener = JobListener(jobs)
        var nextPoll = ContinuousClock.now
        while state.withLock({ $0.isRunning }) {
            let heard = listener.wait(timeout: Self.pollInterval)
            let signals = heard ?? waitWithoutListening()
            state.withLock { state in
                state.news.hear(signals)
                if heard == nil { state.news.miss() }
            }
            for signalled in state.withLock({ Array($0.onSignal.values) }) {
                for signal in signals { signalled(signal) }
            }
            guard nextPoll <= .now || isWatched(signals) else { continue }
            nextPoll = .now + Self.pollInterval
            deliverChanges()
            deliverChangesOfFleets()
            jobs.tellAppChanges()
            deliverNews()
        }
    }

    private func waitWithoutListening() -> [JobSignal] {
        state.wait(timeout: Self.pollInterval) { !$0.isRunning }
        return []
    }

    private func isWatched(_ signals: [JobSignal]) -> Bool {
        state.withLock { state in
            signals.contains { if case .changed(let job) = $0 { state.jobs.contains(job) } else { false } }
        }
    }

    private func deliverNews() {
        let (changed, apps) = state.withLock { ($0.news.changedJobs(at: .now), $0.news.followed) }
        guard !apps.isEmpty else { return }
        do {
            let changes = try jobs.changedJobs(changed, of: apps)
            let found = try jobs.look(at: apps)
            for wake in state.withLock({ $0.news.add(changes, found, at: .now) }) { wake() }
        } catch {
            state.withLock { $0.news.miss() }
            log.failed("news of apps were not found", error)
        }
    }

    private func deliverChangesOfFleets() {
        let watched = state.withLock { $0.fleets.watched }
        guard !watched.isEmpty else { return }
        let found: [FleetIdentity: String]
        do {
            found = try jobs.fleets.revisions(watched)
        } catch {
            // The next round finds the changes.
            log.failed("changes of fleets were not found", error)
            return
        }
        for fleet in watched {
            for tell in state.withLock({ $0.fleets.note(fleet, found[fleet]) }) { tell(found[fleet]) }
        }
    }

    private func deliverChanges() {
        let watched = state.withLock { $0.jobs.watched }
        guard !watched.isEmpty else { return }
        let revisions: [JobRevision]
        do {
            revisions = try jobs.revisions(watched)
        } catch {
            // The next round finds the changes.
            log.failed("changes of jobs were not found", error)
            return
        }
        let found = Dictionary(revisions.map { ($0.id, $0) }) { $1 }
        for job in watched {
            for tell in state.withLock({ $0.jobs.note(job, found[job]) }) { tell(found[job]) }
        }
    }
}
