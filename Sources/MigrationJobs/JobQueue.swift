import JobStore
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore

/// Queues jobs; each kind adds the function that clients call, beside its `check`.
public struct JobQueue: Sendable {
    let jobs: JobStore
    let scriptLimits: ScriptLimits
    private var requestID: String?
    private var traceParent: String?
    private var jobID: RealmModel.UUID?

    /// The queue of a store.
    ///
    /// - Parameter scriptLimits: what scripts may use unless a request says otherwise, as workers have it.
    public init(_ jobs: JobStore, scriptLimits: ScriptLimits = ScriptLimits()) {
        self.jobs = jobs
        self.scriptLimits = scriptLimits
    }

    var store: SnapshotStore { jobs.store }

    /// How many objects of a synced realm may lack a required value.
    public var unsyncedLimit: Int { store.unsyncedLimit }

    /// The queue for what a request asks for, which the log names with it.
    ///
    /// - Parameters:
    ///   - traceParent: where it stands in a trace; nil where it stands in none.
    ///   - job: the id of the job that it makes, which a repeat of the request has, too; nil where it is not repeated.
    public func asked(
        by requestID: String, in traceParent: String? = nil, as job: RealmModel.UUID? = nil
    ) -> JobQueue {
        var queue = self
        queue.requestID = requestID
        queue.traceParent = traceParent
        queue.jobID = job
        return queue
    }

    /// The job that the request has made before, where it is a repeat of one whose answer was lost.
    public func made() throws -> Job? {
        guard let jobID else { return nil }
        return try jobs.find([jobID])[jobID]?.get()
    }

    /// Queues a job whose order was checked against what is there.
    ///
    /// The insertion asks for what the check found: where it is not so any more, the order is checked again.
    ///
    /// - Parameter check: makes the order; called again, some times at most, where an upload or another change came between.
    func enqueue(
        in app: String, _ schedule: JobSchedule = JobSchedule(), _ check: () throws -> JobOrder
    ) throws -> Job {
        // A job that was made keeps the realm from another: a repeat gets it without a check.
        if let made = try made() { return made }
        for _ in 0..<4 {
            do {
                return try insert(try check(), app, schedule)
            } catch StoreError.realmChanged {
                // Check against what is current now.
            }
        }
        return try insert(try check(), app, schedule)
    }

    private func insert(_ order: JobOrder, _ app: String, _ schedule: JobSchedule) throws -> Job {
        try jobs.insert(order, of: app, requestID: requestID, traceParent: traceParent, schedule: schedule, as: jobID)
    }
}
