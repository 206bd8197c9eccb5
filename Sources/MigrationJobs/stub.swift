import Columns
import RealmMigration
import RealmModel
import SnapshotStore
func stub<T>() throws -> T { throw StoreError.damaged("being built") }

/// Which jobs a list shows.
public struct JobFilter: Hashable, Sendable {
    public var app: String?
    /// Only together with `app`.
    public var realm: String?
    public var state: JobState?
    public init(app: String? = nil, realm: String? = nil, state: JobState? = nil) {
        self.app = app
        self.realm = realm
        self.state = state
    }
}

/// The jobs of the service, as clients see them: enqueue, follow, cancel, retry.
public struct JobQueue: Sendable {
    public init(_ store: SnapshotStore) {}

    /// Enqueues a migration of a realm's current snapshot, after the checks that need no objects.
    ///
    /// - Throws: `MigrationError` (schema invalid, version or difference not permitted by the mode: 422),
    ///   `StoreError.notFound` (.app, .realm, .schemaVersion; .snapshot where the realm has none yet),
    ///   `StoreError.migrationActive` (409), `JobRequestError.unknownMode`.
    public func enqueue(_ request: JobRequest, realm: String, app: String) throws -> Job { try stub() }
    public func job(_ id: RealmModel.UUID) throws -> Job { try stub() }
    /// Newest first.
    public func jobs(_ filter: JobFilter = JobFilter(), _ page: PageRequest = PageRequest()) throws -> Page<Job> {
        try stub()
    }
    /// In order; `after`: only lines of greater ordinals (for SSE's Last-Event-ID), else the cursor counts.
    public func log(of id: RealmModel.UUID, after ordinal: Int = 0, _ page: PageRequest = PageRequest()) throws -> Page<
        JobLogLine
    > { try stub() }
    /// Queued: cancelled at once. Running: asked to stop. Finished: `StoreError.jobState`.
    public func cancel(_ id: RealmModel.UUID) throws -> Job { try stub() }
    /// Queues a failed or cancelled job again: `jobState`, `migrationActive`, `realmChanged` where its source is not
    /// current any more.
    public func retry(_ id: RealmModel.UUID) throws -> Job { try stub() }
}

/// Tells of changes of jobs: one listening connection and one thread for all who wait.
public final class JobEvents: Sendable {
    public init(_ store: SnapshotStore) {}
    public func start() {}
    public func stop() {}
    /// Waits for a job's end; the job as it is then, or as it is after the time.
    public func waitForEnd(_ job: RealmModel.UUID, timeout: Duration) throws -> Job { try stub() }
    /// Calls `changed` from the hub's thread after every change of the job (state, progress, log), until the
    /// observation is cancelled or let go of. To be short and not to block: it wakes a suspended connection.
    public func observe(
        _ job: RealmModel.UUID, _ changed: @escaping @Sendable (_ revision: Int, _ state: JobState) -> Void
    ) -> JobObservation { JobObservation() }
}

/// Keeps an observation of a job going.
public final class JobObservation: Sendable {
    public func cancel() {}
}

/// Threads that run jobs.
public final class WorkerPool: Sendable {
    public init(
        _ store: SnapshotStore, host: (any ScriptHost)?, configuration: WorkerConfiguration = WorkerConfiguration()
    ) {}
    /// Starts the threads.
    public func start() {}
    /// Stops claiming, hands running jobs back, and waits for the threads.
    public func stop() {}
}

public struct WorkerConfiguration: Sendable {
    public var workers = 2
    public var lease: Duration = .seconds(30)
    public var poll: Duration = .seconds(2)
    public init() {}
}
