import Postgres
import RealmModel
import StoreCore

/// A job as lists have it: one that can't be read keeps none of the others from being listed.
public enum ListedJob: Sendable {
    /// A job.
    case job(Job)
    /// A job that something in its row keeps from being read.
    case unreadable(UnreadableJob)

    init(row: PostgresRow) throws {
        do {
            self = .job(try Job(row: row))
        } catch {
            // The row is here already: whatever is wrong is wrong with it alone.
            self = .unreadable(
                UnreadableJob(
                    id: try row.value("job_id"), kind: try row.value("kind"), app: try row.value("app_name"),
                    realm: try row.optional("realm_name"), createdAt: try row.value("created_at"),
                    reason: error as? StoreError ?? .damaged("\(error)")))
        }
    }

    /// The job's id.
    public var id: RealmModel.UUID {
        switch self {
        case .job(let job): job.id
        case .unreadable(let job): job.id
        }
    }

    /// The job, where it can be read.
    public var job: Job? {
        if case .job(let job) = self { job } else { nil }
    }

    var createdAt: Timestamp {
        switch self {
        case .job(let job): job.createdAt
        case .unreadable(let job): job.createdAt
        }
    }
}

/// A job that can't be read, as far as it is known.
public struct UnreadableJob: Error, Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The kind, which this program may not know.
    public var kind: String
    /// The app's name.
    public var app: String
    /// The realm's name, where it is of one.
    public var realm: String?
    /// When it was enqueued.
    public var createdAt: Timestamp
    /// The error that reading it threw.
    public var reason: StoreError
}
