import Columns
import Problems
import RealmModel

/// A job that this process runs, for as long as it renews the lease.
public struct JobLease: Hashable, Sendable {
    /// The job as it was claimed.
    public let job: Job
    /// The fencing token: every write of the attempt is refused once the job has another one, or none.
    public let token: RealmModel.UUID
}

/// What an attempt came to.
public enum JobOutcome: Sendable {
    /// The realm as it is to be from now on.
    case migrated(Snapshot)
    /// The realm stays at the source snapshot.
    case unchanged
    /// It would have worked.
    case dryRun
}

/// Why an attempt ends without a result.
public enum JobRelease: Sendable {
    /// The job can't succeed.
    case failed(ProblemDocument)
    /// The job was asked to stop, and has.
    case cancelled
    /// The job is to be tried again after a while, at the cost of an attempt.
    case retry(after: Duration)
    /// The worker is shutting down: another one goes on at once, at no cost.
    case handBack
}
