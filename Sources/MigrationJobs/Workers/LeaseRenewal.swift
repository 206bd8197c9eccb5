import JobStore
import RealmModel

/// Renews the leases of jobs, and stops those that lost theirs or are to be cancelled.
struct LeaseRenewal {
    private let heartbeat: JobHeartbeat
    private let lease: Duration
    private let log: any WorkerLog

    init(_ jobs: JobStore, lease: Duration, log: any WorkerLog) {
        (heartbeat, self.lease, self.log) = (JobHeartbeat(jobs), lease, log)
    }

    func renew(_ attempts: [JobAttempt]) {
        let moment = ContinuousClock.now
        let answers: [RealmModel.UUID: Bool]
        do {
            answers = try heartbeat.renew(attempts.map(\.lease.token), lease: lease)
        } catch {
            // Where the database is away, the attempts stop by themselves when their leases are over.
            for attempt in attempts { log.failed("the lease was not renewed", job: attempt.lease.job.id, error) }
            return
        }
        for attempt in attempts {
            guard let isCancelRequested = answers[attempt.lease.token] else {
                // Finished just now, or taken over; the end of the attempt tells which.
                attempt.stop(.leaseLost)
                continue
            }
            attempt.renewed(at: moment)
            if isCancelRequested { attempt.stop(.cancelled) }
        }
    }
}
