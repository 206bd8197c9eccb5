import Columns
import RealmMigration
import RealmModel
import SnapshotStore

/// The jobs of the service as clients see them: enqueue, look, cancel, retry.
///
/// Every function throws `StoreError`, or `PostgresError` where the database fails.
public struct JobQueue: Sendable {
    private let store: SnapshotStore

    /// The queue of a store.
    public init(_ store: SnapshotStore) {
        self.store = store
    }

    /// Queues a migration of a realm's current snapshot, after the checks that need no objects.
    ///
    /// What is special about synced realms is for the caller to check.
    ///
    /// - Throws: `StoreError.notFound` (app, realm, schemaVersion; snapshot where the realm has none yet),
    ///   `migrationActive`; `MigrationError` for a schema, a version or a difference that Realm refuses.
    public func enqueue(_ request: JobRequest, realm: String, app: String) throws -> Job {
        for _ in 0..<4 {
            do {
                return try enqueueOnce(request, realm: realm, app: app)
            } catch StoreError.realmChanged {
                // An upload came between the check and the queue: check against what is current now.
            }
        }
        return try enqueueOnce(request, realm: realm, app: app)
    }

    /// A job.
    ///
    /// - Throws: `StoreError.notFound`.
    public func job(_ id: RealmModel.UUID) throws -> Job { try store.job(id) }

    /// Those of some jobs that there are; one that can't be read keeps none of the others from it.
    public func jobs(_ ids: Set<RealmModel.UUID>) throws -> [RealmModel.UUID: Result<Job, any Error>] {
        try store.jobs(ids)
    }

    /// Jobs, newest first, without the schemas and migrations that their requests brought along.
    public func jobs(
        _ filter: JobFilter = JobFilter(), _ page: PageRequest = PageRequest()
    ) throws -> Page<ListedJob> {
        try store.jobs(filter, page)
    }

    /// A job's log in order.
    ///
    /// - Parameter ordinal: lines up to this number are left out.
    /// - Throws: `StoreError.notFound`.
    public func log(
        of id: RealmModel.UUID, after ordinal: Int = 0, _ page: PageRequest = PageRequest()
    ) throws -> Page<JobLogLine> {
        try store.log(of: id, after: ordinal, page)
    }

    /// Cancels a queued job at once, and asks a running one to stop.
    ///
    /// - Throws: `StoreError.notFound`; `jobState` where it is finished.
    public func cancel(_ id: RealmModel.UUID) throws -> Job { try store.cancelJob(id) }

    /// Queues a failed or cancelled job again.
    ///
    /// - Throws: `StoreError.notFound`, `jobState`, `migrationActive`; `realmChanged` where the job's source is not the
    ///   realm's current snapshot any more.
    public func retry(_ id: RealmModel.UUID) throws -> Job { try store.retryJob(id) }

    private func enqueueOnce(_ request: JobRequest, realm: String, app: String) throws -> Job {
        guard let current = try store.realm(realm, in: app).currentSnapshot else {
            throw StoreError.notFound(.snapshot, "\(realm), current")
        }
        let opened = try store.open(current)
        let steps = try JobSteps(request, app: app, from: opened.snapshot.schemaVersion, store: store)
        if let first = steps.steps.first {
            try Migration(steps.migrationRequest(first, source: opened.snapshot), store: opened.store).check()
        }
        return try store.insertJob(request, plan: steps.plan(), source: opened.info, realm: realm, app: app)
    }
}
