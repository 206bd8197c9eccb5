import Columns
import JobStore
import RealmJSON
import RealmMigration
import RealmModel
import StoreCore

/// The objects that a run of a migration has set aside.
final class Quarantine {
    /// Objects that a migration sets aside at most.
    static let limit = 1_000

    private(set) var objects: [QuarantinedObject] = []

    /// Takes the objects that a migration set aside, as the source has them.
    ///
    /// - Parameter logged: is told how many they are.
    func add(
        _ result: MigrationResult, of source: Snapshot, in store: any SegmentStore, logged: (String) -> Void
    ) throws {
        guard !result.quarantined.isEmpty else { return }
        let json = ObjectJSON(source, from: store)
        for item in result.quarantined {
            var bytes: [UInt8]?
            if let className = item.className.map(result.oldName), let key = item.key,
                source.declared[className] != nil
            {
                bytes = try json.object(key, ofClass: className)?.bytes
            }
            if let count = bytes?.count, count > QuarantinedObject.objectBytes { bytes = nil }
            objects.append(QuarantinedObject(ordinal: objects.count + 1, item: item, object: bytes))
        }
        logged("\(result.quarantined.count) objects are in quarantine, whose callbacks threw.")
    }
}

extension MigrationResult {
    /// The name of a class in the source.
    fileprivate func oldName(of className: String) -> String {
        for case .objectType(let from, let to) in renames where to.hasSameBytes(as: className) { return from }
        return className
    }
}

extension JobQueue {
    /// Queues a migration of the objects alone that a job has set aside, on what that job made.
    ///
    /// - Parameter migration: in the place of the job's own.
    /// - Throws: `StoreError.notFound` (job; snapshot where what was migrated is gone); `nothingQuarantined`; `realmChanged` where
    ///   the realm is not what the job made any more; `migrationActive`; what a migration is refused for.
    public func retryQuarantine(of id: RealmModel.UUID, by migration: DeclaredMigration?) throws -> Job {
        if let made = try made() { return made }
        let job = try jobs.find(id)
        guard case .migration(let order) = job.order, job.state == .succeeded, job.quarantinedCount > 0 else {
            throw StoreError.nothingQuarantined
        }
        var request = order.request
        request.retry = MigrationOrder.Request.Retry(
            job: id, source: order.request.retry?.source ?? order.sourceSnapshot)
        // If the snapshot is gone meanwhile, that is better said now.
        _ = try store.snapshots.find(request.retry?.source ?? order.sourceSnapshot, in: job.appID)
        request.migration = migration ?? request.migration
        (request.dryRun, request.checks, request.onError) = (false, [], .quarantine)
        return try enqueue(request, realm: order.realm, app: job.app) { realm in
            guard realm?.currentSnapshot == order.resultSnapshot else { throw StoreError.quarantineOutdated }
        }
    }
}
