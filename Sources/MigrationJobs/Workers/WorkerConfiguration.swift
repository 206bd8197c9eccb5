import RealmMigration

/// How a `JobWorkers` works.
public struct WorkerConfiguration: Sendable {
    /// Jobs at once; one more where they are all of some apps, for another app.
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
    /// The limits of scripts unless the job says otherwise.
    public var scriptLimits: ScriptLimits

    /// The service's own values, unless said otherwise.
    public init(
        workers: Int = 2, lease: Duration = .seconds(15), poll: Duration = .seconds(2),
        sweepInterval: Duration = .seconds(300), foldInterval: Duration = .seconds(1),
        scriptLimits: ScriptLimits = ScriptLimits()
    ) {
        self.workers = max(workers, 1)
        self.lease = lease
        self.poll = poll
        self.sweepInterval = sweepInterval
        self.foldInterval = foldInterval
        self.scriptLimits = scriptLimits
    }
}
