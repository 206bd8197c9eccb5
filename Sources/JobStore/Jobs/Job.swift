import Problems
import RealmModel
import StoreCore

/// A job: an envelope, the same for all kinds, around an order of one.
public struct Job: Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The app's name.
    public var app: String
    /// The order that the job carries out.
    public var order: JobOrder
    /// The job that made this one; nil where a client did, and where that job is gone.
    public var parent: RealmModel.UUID?
    /// The request that asked for it, as the log calls that; nil where none did.
    public var requestID: String?
    /// Where that request stands in a trace, as its field `traceparent` says.
    public var traceParent: String?
    /// Where the job stands.
    public var state: JobState
    /// When it was, or is, to be claimed at the earliest.
    public var runAt: Timestamp
    /// The attempts so far; 0 before the first.
    public var attempt: Int
    /// The attempts since somebody queued the job whose host died.
    public var hostLosses: Int
    /// How the last attempts ended that had no result, 20 at most, the oldest first; none in lists.
    public var endedAttempts: [EndedAttempt]
    /// Whether the job is running and was asked to stop.
    public var isCancelRequested: Bool
    /// How far the attempt is; nil before the first report.
    public var progress: JobProgress?
    /// Why it failed; nil in every other state.
    public var problem: ProblemDocument?
    /// When it was enqueued.
    public var createdAt: Timestamp
    /// When the first attempt began.
    public var startedAt: Timestamp?
    /// When it succeeded, failed or was cancelled.
    public var finishedAt: Timestamp?
    /// Grows with every change of the job, its progress and its log.
    public var revision: Int

    /// Objects that it has set aside and nobody has retried.
    public var quarantinedCount: Int

    /// Where it is queued, or was when it was claimed; its app, whatever is called by its name later.
    public let lane: JobLane

    /// The app, whatever is called by its name later.
    public var appID: RealmModel.UUID { lane.app }

    /// Which jobs of its app go before it, and which it goes before.
    public var priority: JobPriority { lane.priority }
}
