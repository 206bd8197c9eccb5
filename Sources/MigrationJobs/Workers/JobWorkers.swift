import JobStore
import RealmMigration
import RealmModel
import StoreCore
import Threads

/// Threads that claim jobs and run them, and one for each of what they need beside: their leases are renewed, their progress is reported
/// and lost ones are queued again whatever else takes long.
public final class JobWorkers: Sendable {
    private struct State {
        var isRunning = false
        /// Workers between asking whether to go on and having registered what they claimed.
        var claiming = 0
        /// Workers that run a job.
        var busy = 0
        var attempts: [RealmModel.UUID: JobAttempt] = [:]
        var turns = JobTurns()
        /// When all lanes are to be looked at again.
        var nextLook = ContinuousClock.now
        /// Whether a job that runs here may have been asked to stop.
        var isBeatDue = false
        var observation: Observation?
        /// When it last was looked which jobs wait.
        var lookedAt = ContinuousClock.now

        /// The apps of the jobs that run here.
        var apps: Set<RealmModel.UUID> { Set(attempts.values.map(\.lease.job.appID)) }
    }

    /// Who asks for a job.
    private enum Slot {
        /// Takes any.
        case common
        /// Takes jobs when all others are busy, and none of an app that keeps one of them busy: no app ever has the last one.
        case reserve
    }

    private let jobs: JobStore
    private let events: JobEvents
    private let configuration: WorkerConfiguration
    private let log: any WorkerLog
    private let runner: JobRunner
    private let chores: JobChores
    private let state = Monitor(State())
    private let hints: Hints
    private let reserveHints = Hints(capacity: 1)
    private let workers = ThreadGroup()
    private let keepers = ThreadGroup()

    /// Makes a pool; nothing happens before `start`.
    ///
    /// - Parameters:
    ///   - events: wakes the workers; where it is not started, they only poll.
    ///   - host: runs migrations with a script; without one such jobs fail.
    ///   - log: is told what fails.
    public init(
        _ jobs: JobStore, events: JobEvents, host: (any ScriptRunner)?,
        configuration: WorkerConfiguration = WorkerConfiguration(), log: any WorkerLog
    ) {
        self.jobs = jobs
        self.events = events
        self.configuration = configuration
        hints = Hints(capacity: configuration.workers)
        self.log = log
        let tools = JobTools(jobs: jobs, host: host, scriptLimits: configuration.scriptLimits)
        runner = JobRunner(tools: tools, log: log)
        chores = JobChores(tools, runner: runner, log: log)
    }

    /// The jobs that are running here.
    public var runningCount: Int { state.withLock { $0.attempts.count } }

    /// Whether jobs are taken: it runs, and has lately seen which ones wait.
    public var isAtWork: Bool {
        state.withLock { $0.isRunning && ContinuousClock.now - $0.lookedAt < configuration.poll + .seconds(10) }
    }

    /// Starts the threads.
    public func start() {
        let starts = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        let observation = events.observeSignals { [weak self] in self?.heard($0) }
        state.withLock { $0.observation = observation }
        for number in 1...configuration.workers { workers.start("worker-\(number)") { [self] in work(.common, hints) } }
        workers.start("worker-reserve") { [self] in work(.reserve, reserveHints) }
        keepers.start("heartbeat") { [self] in beat() }
        keepers.start("reporter") { [self] in report() }
        keepers.start("requeuer") { [self] in requeue() }
        keepers.start("chores") { [self] in doChores() }
        keepers.start("housekeeper") { [self] in keepHouse() }
        keepers.start("looker") { [self] in look() }
    }

    /// Stops claiming, hands running jobs back, and waits for the threads.
    ///
    /// Jobs that do not stop within the time are handed back all the same: what they still do is fenced off.
    public func stop(timeout: Duration = .seconds(15)) {
        state.change { state in
            state.isRunning = false
            state.observation = nil
        }
        // Who is claiming would take at once what another is about to hand back. A claim is one statement; where the database
        // does not answer, two seconds are enough of waiting.
        state.wait(timeout: .seconds(2)) { $0.claiming == 0 }
        for attempt in attempts { attempt.stop(.shutdown) }
        hints.end()
        reserveHints.end()
        if !workers.wait(timeout: timeout) {
            for attempt in attempts { handBack(attempt) }
        }
        keepers.wait(timeout: .seconds(5))
    }

    private func handBack(_ attempt: JobAttempt) {
        do {
            try jobs.release(attempt.lease, .handBack)
        } catch {
            // The lease runs out, and another worker takes the job.
            log.failed("a job that did not stop could not be handed back", job: attempt.lease.job.id, error)
        }
    }

    private var isRunning: Bool { state.withLock { $0.isRunning } }
    private var attempts: [JobAttempt] { state.withLock { Array($0.attempts.values) } }

    /// Whether there is work for the threads that do not run jobs.
    private var hasWork: Bool { state.withLock { $0.isRunning || !$0.attempts.isEmpty } }

    /// Waits between chores, no longer than there is work.
    private func pause(_ interval: Duration) {
        state.wait(timeout: interval) { !$0.isRunning && $0.attempts.isEmpty }
    }

    private func heard(_ signal: JobSignal) {
        switch signal {
        case .queued(let lane, let pause):
            guard let lane else { return state.change { $0.nextLook = .now } }
            let isFull = state.withLock { state in
                state.turns.note(lane, after: pause)
                return state.busy >= configuration.workers
            }
            hints.give()
            if isFull { reserveHints.give() }
        case .cancelRequested(let job):
            state.change { state in
                if state.attempts.values.contains(where: { $0.lease.job.id == job }) { state.isBeatDue = true }
            }
        case .changed, .appChanged: break
        }
    }

    private func work(_ slot: Slot, _ hints: Hints) {
        while isRunning {
            do {
                guard let attempt = try claim(slot) else {
                    hints.wait(timeout: patience)
                    continue
                }
                runner.run(attempt)
                settle { state in
                    state.attempts[attempt.lease.token] = nil
                    state.busy -= 1
                }
            } catch {
                // The database is away; look again after the pause that polling has anyway.
                log.failed("no job could be claimed", error)
                hints.wait(timeout: configuration.poll)
            }
        }
    }

    /// Changes what nobody waits for but who stops the pool.
    private func settle(_ change: (inout State) -> Void) {
        let isStopping = state.withLock { state in
            change(&state)
            return !state.isRunning
        }
        if isStopping { state.change { _ in } }
    }

    /// Until the next job is due, or it is time to look at all lanes.
    private var patience: Duration {
        let due = state.withLock { $0.turns.nextDue }
        return min(due.map { max($0 - .now, .milliseconds(5)) } ?? configuration.poll, configuration.poll)
    }

    /// Claims a job and registers the attempt; nil where there is none or the pool is stopping.
    private func claim(_ slot: Slot) throws -> JobAttempt? {
        let goesOn = state.withLock { state in
            guard state.isRunning, slot == .common || state.busy >= configuration.workers else { return false }
            state.claiming += 1
            return true
        }
        guard goesOn else { return nil }
        defer { settle { $0.claiming -= 1 } }
        let order = state.withLock { state in
            state.turns.order(without: slot == .reserve ? state.apps : [])
        }
        guard !order.lanes.isEmpty else { return nil }
        // The moment is taken before the claim: the lease can't have begun earlier.
        let moment = ContinuousClock.now
        let claimed = try jobs.claim(
            lease: configuration.lease, in: order.lanes, from: order.starts, as: WorkerProcess.current?.name)
        guard let lease = claimed else {
            state.withLock { $0.turns.foundNothing(order) }
            return nil
        }
        let attempt = register(lease, claimedAt: moment)
        let isFull = state.withLock { state in
            state.turns.claimed(lease.job, order)
            state.busy += 1
            return state.busy >= configuration.workers && state.turns.hasLanes(besides: state.apps)
        }
        // Jobs that wait now wait for the reserve.
        if isFull { reserveHints.give() }
        return attempt
    }

    private func register(_ lease: JobLease, claimedAt moment: ContinuousClock.Instant) -> JobAttempt {
        let attempt = JobAttempt(lease, duration: configuration.lease)
        attempt.renewed(at: moment)
        state.withLock { state in
            state.attempts[lease.token] = attempt
            if !state.isRunning { attempt.stop(.shutdown) }
        }
        return attempt
    }

    /// Looks at all lanes from time to time: hints may get lost.
    private func look() {
        while isRunning {
            state.withLock { $0.nextLook = .now + configuration.poll }
            do {
                let lanes = try jobs.lanes()
                state.withLock { state in
                    state.turns.look(lanes)
                    state.lookedAt = .now
                }
                if !lanes.isEmpty {
                    for _ in 0..<configuration.workers { hints.give() }
                    reserveHints.give()
                }
            } catch {
                // The database is away; it is looked again after the pause.
                log.failed("it was not looked which jobs wait", error)
            }
            let due = state.withLock { $0.nextLook }
            state.wait(timeout: due - .now) { !$0.isRunning || $0.nextLook <= .now }
        }
    }

    /// Renews leases for as long as there is anything to renew, four times a lease and at least once a second.
    private func beat() {
        let leases = LeaseRenewal(jobs, lease: configuration.lease, log: log)
        let interval = min(configuration.lease / 4, .seconds(1))
        while hasWork {
            let attempts = attempts
            if !attempts.isEmpty { leases.renew(attempts) }
            state.wait(timeout: interval) { state -> Void? in
                guard state.isBeatDue || !state.isRunning && state.attempts.isEmpty else { return nil }
                state.isBeatDue = false
                return ()
            }
        }
    }

    /// Writes down how far attempts are, and what they logged.
    private func report() {
        while hasWork {
            for attempt in attempts {
                do {
                    try runner.report(attempt)
                } catch StoreError.leaseLost {
                    attempt.stop(.leaseLost)
                } catch {
                    // Lost lines and progress are not worth an attempt.
                    log.failed("progress and log lines were not written", job: attempt.lease.job.id, error)
                }
            }
            pause(.milliseconds(250))
        }
    }

    /// Between two looks for something that is due within a lease.
    private var choreInterval: Duration { min(configuration.lease / 2, .seconds(5)) }

    /// Queues lost jobs again.
    private func requeue() {
        while hasWork {
            chores.requeueLost()
            pause(choreInterval)
        }
    }

    private func doChores() {
        while hasWork {
            chores.doAll(slots: configuration.workers)
            pause(choreInterval)
        }
        chores.leave()
    }

    /// Folds patches and removes what is old or garbage, in turns.
    private func keepHouse() {
        var housekeeping = Housekeeping(jobs.store.maintenance, configuration, log: log)
        while isRunning {
            let pause = housekeeping.step()
            state.wait(timeout: pause) { !$0.isRunning }
        }
    }
}
