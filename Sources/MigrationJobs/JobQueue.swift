import RealmMigration
import SnapshotStore

/// Queues jobs; each kind adds the function that clients call, beside its `check`.
public struct JobQueue: Sendable {
    let store: SnapshotStore
    let scriptLimits: ScriptLimits

    /// The queue of a store.
    ///
    /// - Parameter scriptLimits: what scripts may use unless a request says otherwise, as workers have it.
    public init(_ store: SnapshotStore, scriptLimits: ScriptLimits = ScriptLimits()) {
        self.store = store
        self.scriptLimits = scriptLimits
    }

    /// How many objects of a synced realm may lack a required value.
    public var unsyncedLimit: Int { store.unsyncedLimit }

    /// Queues a job whose order was checked against what is there.
    ///
    /// The insertion asks for what the check found: where it is not so any more, the order is checked again.
    ///
    /// - Parameter check: makes the order; called again, some times at most, where an upload or another change came between.
    func enqueue(
        in app: String, _ schedule: JobSchedule = JobSchedule(), _ check: () throws -> JobOrder
    ) throws -> Job {
        for _ in 0..<4 {
            do {
                return try store.jobs.insert(try check(), of: app, schedule: schedule)
            } catch StoreError.realmChanged {
                // Check against what is current now.
            }
        }
        return try store.jobs.insert(try check(), of: app, schedule: schedule)
    }
}
