import JobStore
import RealmModel

/// The beginning or the end of an attempt of a job, for the log; nothing in it is of an object.
public struct AttemptEvent: Hashable, Sendable {
    /// How an attempt ended.
    public enum End: String, Hashable, Sendable {
        case succeeded
        case failed
        case cancelled
        /// It lost something that it needed, and it is tried again.
        case lost
        /// Its worker was stopped.
        case handedBack = "handed_back"
        /// Another attempt has the job, or will have it: this one could not write its end down.
        case leaseLost = "lease_lost"
    }

    /// The kind of an event.
    public enum What: Hashable, Sendable {
        /// It begins.
        ///
        /// - Parameter waited: since the job might have begun.
        case started(waited: Duration)
        /// It is over.
        ///
        /// - Parameters:
        ///   - duration: since it began; nil where its worker is gone.
        ///   - problem: the code of why there is no result.
        ///   - retry: until the next attempt at the earliest; nil where there is none.
        case ended(End, after: Duration?, problem: String? = nil, retry: Duration? = nil)
    }

    /// The job.
    public var job: RealmModel.UUID
    /// Its kind.
    public var kind: JobKind
    /// The app's name.
    public var app: String
    /// The app.
    public var appID: RealmModel.UUID
    /// The number of the attempt, from 1.
    public var attempt: Int
    /// The request that asked for the job.
    public var requestID: String?
    /// Where that request stands in a trace, as its field `traceparent` says.
    public var traceParent: String?
    /// The kind of the event.
    public var what: What

    /// Whether it was a script that was ended by force: at a limit, or by something that killed its host.
    public var isKill: Bool {
        guard case .ended(_, _, let problem?, _) = what else { return false }
        return ["script_timeout", "script_memory_exceeded", "script_host_crashed"].contains(problem)
    }

    init(_ job: Job, _ what: What) {
        self.init(
            job: job.id, kind: job.order.kind, app: (job.app, job.appID), attempt: job.attempt,
            requestID: job.requestID, traceParent: job.traceParent, what: what)
    }

    init(_ lost: LostAttempt) {
        self.init(
            job: lost.job, kind: lost.kind, app: (lost.app, lost.appID), attempt: lost.attempt,
            requestID: lost.requestID, traceParent: lost.traceParent,
            what: .ended(lost.isOver ? .cancelled : .lost, after: nil, problem: "worker_lost", retry: lost.pause))
    }

    private init(
        job: RealmModel.UUID, kind: JobKind, app: (name: String, id: RealmModel.UUID), attempt: Int, requestID: String?,
        traceParent: String?, what: What
    ) {
        (self.job, self.kind, self.attempt) = (job, kind, attempt)
        (self.app, appID) = app
        (self.requestID, self.traceParent, self.what) = (requestID, traceParent, what)
    }
}
