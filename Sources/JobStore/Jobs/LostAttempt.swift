import Postgres
import RealmModel
import StoreCore

/// An attempt whose worker was found to be lost.
public struct LostAttempt: Hashable, Sendable {
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
    /// Where that request stands in a trace.
    public var traceParent: String?
    /// Until the next attempt at the earliest; nil where there is none.
    public var pause: Duration?

    /// Whether the job was asked to stop, and has.
    public var isOver: Bool { pause == nil }
}

extension LostAttempt {
    /// Beside those of `JobHint`.
    static let columns: StaticString = "kind, app_name, attempt, request_id, trace_parent"

    init(row: PostgresRow) throws {
        guard let kind = JobKind(rawValue: try row.value("kind")) else { throw StoreError.damaged("a job's kind") }
        let isQueued = try row.value("state", as: String.self) == JobState.queued.rawValue
        self.init(
            job: try row.value("job_id"), kind: kind, app: try row.value("app_name"),
            appID: try row.value("app_id"), attempt: try row.value("attempt"),
            requestID: try row.optional("request_id"), traceParent: try row.optional("trace_parent"),
            pause: isQueued ? .seconds(max(try row.value("pause", as: Double.self), 0)) : nil)
    }
}
