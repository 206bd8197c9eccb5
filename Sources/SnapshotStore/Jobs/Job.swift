import Problems
import RealmModel

/// Where a job stands.
public enum JobState: String, Hashable, Sendable, CaseIterable {
    case queued
    case running
    case succeeded
    case failed
    case cancelled

    /// Whether nothing happens to the job any more unless it is retried.
    public var isFinished: Bool { self != .queued && self != .running }
}

/// One migration of one realm.
public struct Job: Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// `migration`.
    public var kind: String { "migration" }
    /// The app's name.
    public var app: String
    /// The realm's name.
    public var realm: String
    /// The snapshot that is migrated: the realm's current one when the job was made.
    public var sourceSnapshot: RealmModel.UUID
    /// The snapshot that the migration made, or the source where nothing changed; nil for a dry run.
    public var resultSnapshot: RealmModel.UUID?
    /// The source's schema version; nil where it has none.
    public var fromVersion: UInt64?
    /// The schema version to reach.
    public var toVersion: UInt64
    /// Where the job stands.
    public var state: JobState
    /// The attempts so far; 0 before the first.
    public var attempt: Int
    /// The attempts after which a job that loses its workers, or fails for causes that pass, is given up.
    public var attemptLimit: Int
    /// Whether the job is running and was asked to stop.
    public var isCancelRequested: Bool
    /// How far the attempt is; nil before the first report.
    public var progress: JobProgress?
    /// Why it failed; nil in every other state.
    public var problem: ProblemDocument?
    /// What was asked for; in lists without the schema and the migration that came along.
    public var request: JobRequest
    /// What is run; nil in lists, and for jobs that older programs enqueued.
    public var plan: JobPlan?
    /// When it was enqueued.
    public var createdAt: Timestamp
    /// When the first attempt began.
    public var startedAt: Timestamp?
    /// When it succeeded, failed or was cancelled.
    public var finishedAt: Timestamp?
    /// Grows with every change of the job, its progress and its log.
    public var revision: Int

    /// The app, whatever is called by its name later.
    public let appID: RealmModel.UUID
    let realmID: RealmModel.UUID
}
