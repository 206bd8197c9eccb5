import Postgres
import RealmModel
import StoreCore
import Threads

/// Why a `JobListener` woke.
public enum JobSignal: Hashable, Sendable {
    /// A job was queued: workers may look, after the pause where there is one.
    ///
    /// - Parameter lane: nil where an older program queued it, which does not say where.
    case queued(lane: JobLane?, after: Duration)
    /// A job changed its state or was asked to stop.
    case changed(RealmModel.UUID)
    /// A running job was asked to stop.
    case cancelRequested(RealmModel.UUID)
    /// Something of an app has changed.
    case appChanged(RealmModel.UUID, AppChange)
}

/// The hint to listeners that a job has changed.
struct JobHint {
    let job: RealmModel.UUID
    /// Where it waits to be claimed; nil where it does not.
    private var lane: JobLane?
    /// Until it may be claimed.
    private var pause = Duration.zero
    private let isCancelRequested: Bool

    static let columns: StaticString = """
        job_id, app_id, priority, returned, state, cancel_requested, extract(epoch FROM run_at - now())::double precision AS pause
        """

    init(row: PostgresRow) throws {
        job = try row.value("job_id")
        if try row.value("state", as: String.self) == JobState.queued.rawValue {
            lane = try JobLane(row: row)
            pause = .seconds(max(try row.value("pause", as: Double.self), 0))
        }
        isCancelRequested = try row.value("cancel_requested")
    }

    init(_ job: Job, pause: Duration) {
        self.job = job.id
        if job.state == .queued { (lane, self.pause) = (job.lane, pause) }
        isCancelRequested = job.isCancelRequested
    }

    /// The channels on which it is told, with what is said there.
    var notifications: [(channel: String, payload: String)] {
        [("realmshift_job", job.description)] + (queued.map { [("realmshift_queue", $0)] } ?? [])
            + (isCancelRequested ? [("realmshift_cancel", job.description)] : [])
    }

    /// The payload for a queued job: its app, its priority, milliseconds, and whether it came back.
    private var queued: String? {
        lane.map { lane in
            let pause = Int((pause / .milliseconds(1)).rounded(.up))
            return "\(lane.app) \(lane.priority.rank) \(pause)" + (lane.isReturned ? " returned" : "")
        }
    }
}

/// Hints that are to be told: who tells one takes those along that come meanwhile, so that many together are one statement.
final class PendingHints: Sendable {
    private struct State {
        var hints: [JobHint] = []
        var isTelling = false
    }

    private let state = Mutex(State())

    /// Adds hints, and tells them unless somebody who tells others will do that.
    func add(_ hints: [JobHint], telling tell: ([JobHint]) -> Void) {
        let tells = state.withLock { state in
            state.hints += hints
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard tells else { return }
        while let hints = next() { tell(hints) }
    }

    private func next() -> [JobHint]? {
        state.withLock { state in
            guard !state.hints.isEmpty else {
                state.isTelling = false
                return nil
            }
            defer { state.hints = [] }
            return state.hints
        }
    }
}

extension JobStore {
    /// Tells listeners of a job, after the transaction that changed it.
    ///
    /// - Parameter pause: until the job may be claimed, where it is queued.
    package func announce(_ job: Job, pause: Duration = .zero) { announce(JobHint(job, pause: pause)) }

    /// Tells listeners of a job, after the transaction that changed it.
    func announce(_ hint: JobHint) { announce([hint]) }

    /// Tells listeners of jobs, after the transactions that changed them.
    ///
    /// A hint and no more: listeners poll too, and engines without NOTIFY answer with an error that means nothing.
    /// Outside the transaction, because NOTIFY makes all committing sessions wait for one another.
    func announce(_ hints: [JobHint]) {
        pendingHints.add(hints) { hints in
            let notifications = hints.flatMap(\.notifications)
            _ = try? pool.withConnection { connection in
                // A transaction that notifies writes a record to the log, which nobody need wait for.
                try connection.query(
                    """
                    SELECT pg_notify(channel, payload), set_config('synchronous_commit', 'off', true)
                    FROM unnest(\(PostgresArray(notifications.map(\.channel))),
                        \(PostgresArray(notifications.map(\.payload)))) AS told (channel, payload)
                    """)
            }
        }
    }
}

extension JobSignal {
    fileprivate init?(_ notification: PostgresNotification) {
        let payload = notification.payload
        switch notification.channel {
        case "realmshift_queue":
            let words = payload.split(separator: " ")
            guard words.count == 3 || words.dropFirst(3) == ["returned"], let app = RealmModel.UUID(String(words[0])),
                let priority = Int(words[1]).flatMap({ try? JobPriority(rank: $0) }), let pause = Int(words[2])
            else {
                self = .queued(lane: nil, after: .zero)
                return
            }
            self = .queued(
                lane: JobLane(app: app, priority: priority, isReturned: words.count > 3), after: .milliseconds(pause))
        case "realmshift_job":
            guard let job = RealmModel.UUID(payload) else { return nil }
            self = .changed(job)
        case "realmshift_cancel":
            guard let job = RealmModel.UUID(payload) else { return nil }
            self = .cancelRequested(job)
        case "realmshift_app":
            let words = payload.split(separator: " ")
            guard let app = words.first.flatMap({ RealmModel.UUID(String($0)) }),
                let change = AppChange(words: Array(words.dropFirst()))
            else { return nil }
            self = .appChanged(app, change)
        default: return nil
        }
    }
}

/// Waits for signals on a connection of its own.
///
/// For one thread.
public final class JobListener {
    private let jobs: JobStore
    private var connection: PostgresConnection?
    private var hasNotify = true

    /// Connects at the first wait.
    public init(_ jobs: JobStore) { self.jobs = jobs }

    /// Waits for signals.
    ///
    /// - Parameter timeout: how long at most; the caller looks for itself then, because signals may get lost.
    /// - Returns: nil at once where it can't wait: the connection is lost, or the engine has no LISTEN.
    public func wait(timeout: Duration) -> [JobSignal]? {
        do {
            return try connect()?.waitForNotifications(timeout: timeout).compactMap(JobSignal.init)
        } catch {
            // The next wait connects again.
            connection = nil
            return nil
        }
    }

    private func connect() throws(PostgresError) -> PostgresConnection? {
        if let connection { return connection }
        guard hasNotify else { return nil }
        let fresh = try jobs.pool.connect()
        do {
            try fresh.listen("realmshift_job")
            try fresh.listen("realmshift_queue")
            try fresh.listen("realmshift_cancel")
            try fresh.listen("realmshift_app")
        } catch {
            hasNotify = error.isTransient
            throw error
        }
        connection = fresh
        return fresh
    }
}
