import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore

/// The objects that a run of a migration has set aside.
final class Quarantine {
    /// Objects that a migration sets aside at most.
    static let limit = 1_000

    private(set) var objects: [QuarantinedObject] = []

    /// Takes objects, as the source has them.
    ///
    /// - Parameter attempt: its log says how many they are.
    func add(_ items: [ProblemItem], of source: OpenSnapshot, to attempt: JobAttempt) throws {
        guard !items.isEmpty else { return }
        let json = ObjectJSON(source.snapshot, from: source.store)
        for item in items {
            var bytes: [UInt8]?
            if let className = item.className, let key = item.key, source.snapshot.declared[className] != nil {
                bytes = try json.object(key, ofClass: className)?.bytes
            }
            if let count = bytes?.count, count > QuarantinedObject.objectBytes { bytes = nil }
            objects.append(QuarantinedObject(ordinal: objects.count + 1, item: item, object: bytes))
        }
        attempt.logged("\(items.count) objects are in quarantine, whose callbacks threw.", level: .warn)
    }
}

extension JobQueue {
    /// Queues a migration of the objects alone that a job has set aside, on what that job made.
    ///
    /// - Parameter migration: in the place of the job's own.
    /// - Throws: `StoreError.notFound` (job; snapshot where what was migrated is gone); `nothingQuarantined`; `realmChanged` where
    ///   the realm is not what the job made any more; `migrationActive`; what a migration is refused for.
    public func retryQuarantine(of id: RealmModel.UUID, by migration: DeclaredMigration?) throws -> Job {
        let job = try store.jobs.find(id)
        guard case .migration(let order) = job.order, job.state == .succeeded, job.quarantinedCount > 0 else {
            throw StoreError.nothingQuarantined
        }
        var request = order.request
        request.retry = MigrationOrder.Request.Retry(
            job: id, source: order.request.retry?.source ?? order.sourceSnapshot)
        // What is gone meanwhile is better said now.
        _ = try store.snapshots.find(request.retry?.source ?? order.sourceSnapshot)
        request.migration = migration ?? request.migration
        (request.dryRun, request.checks, request.onError) = (false, [], .quarantine)
        return try enqueue(request, realm: order.realm, app: job.app) { realm in
            guard realm?.currentSnapshot == order.resultSnapshot else { throw StoreError.quarantineOutdated }
        }
    }
}
