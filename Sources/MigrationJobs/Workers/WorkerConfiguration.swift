import RealmMigration

/// How a `JobWorkers` works.
public struct WorkerConfiguration: Sendable {
    /// Jobs at once.
    public var workers: Int
    /// How long a lease lasts unless it is renewed, which happens four times as often: after a worker was killed, its
    /// job is taken over when this is over.
    public var lease: Duration
    /// How often workers look for jobs that nobody notified them of.
    public var poll: Duration
    /// How often one of all processes sweeps the store.
    public var sweepInterval: Duration
    /// How often one of its threads looks for synced realms whose changes have piled up.
    public var foldInterval: Duration
    /// What scripts may use unless the job says otherwise.
    public var scriptLimits: ScriptLimits
    /// The pause before the second attempt where a cause passes; doubles with each further one, up to a minute.
    public var retryDelay: Duration

    /// The service's own values, unless said otherwise.
    public init(
        workers: Int = 2, lease: Duration = .seconds(15), poll: Duration = .seconds(2),
        sweepInterval: Duration = .seconds(300), foldInterval: Duration = .seconds(1),
        scriptLimits: ScriptLimits = ScriptLimits(), retryDelay: Duration = .seconds(1)
    ) {
        self.workers = max(workers, 1)
        self.lease = lease
        self.poll = poll
        self.sweepInterval = sweepInterval
        self.foldInterval = foldInterval
        self.scriptLimits = scriptLimits
        self.retryDelay = retryDelay
    }

    /// The pause after an attempt, with jitter so that jobs that failed together do not come back together.
    func backoff(afterAttempt attempt: Int) -> Duration {
        let doubled = retryDelay * (1 << min(max(attempt - 1, 0), 16))
        return min(doubled, .seconds(60)) * Double.random(in: 0.75...1.25)
    }
}
