import Postgres
import RealmModel

/// The queued jobs of an app of one priority, the one that waits longest first; of those that came back there is another.
public struct JobLane: Hashable, Sendable {
    /// The app.
    public var app: RealmModel.UUID
    /// The priority.
    public var priority: JobPriority
    /// Whether its jobs were claimed before, and lost or handed back.
    public var isReturned: Bool

    /// Names a lane.
    public init(app: RealmModel.UUID, priority: JobPriority, isReturned: Bool = false) {
        self.app = app
        self.priority = priority
        self.isReturned = isReturned
    }

    init(row: PostgresRow) throws {
        self.init(
            app: try row.value("app_id"), priority: try JobPriority(rank: row.value("priority")),
            isReturned: try row.value("returned"))
    }
}

/// A lane in which jobs wait.
public struct WaitingLane: Hashable, Sendable {
    /// The lane.
    public var lane: JobLane
    /// The first job's `runAt`.
    public var since: Timestamp
}

extension [JobLane] {
    /// The lanes by priority, and of one priority first those of jobs that came back; else as they were.
    public var inTurn: [JobLane] {
        JobPriority.allCases.flatMap { priority in
            [true, false].flatMap { isReturned in
                filter { $0.priority == priority && $0.isReturned == isReturned }
            }
        }
    }
}
