import Columns
import JobStore
import Problems
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore

/// A kind of job at work.
///
/// A kind has four verbs. `check`, whose input is its own, makes the order of a job that may start; `run` does the work of an
/// attempt; `finish`, which its outcome has because it is SQL, makes that true in the database; `describe` tells clients of
/// it. Leases, deadlines, reports, retries and ends are the same for all and no kind's business.
protocol JobWork {
    associatedtype Outcome: JobOutcome

    /// How long an attempt may take.
    func timeLimit(_ tools: JobTools) -> Duration

    /// Does the work of an attempt, and stops soon after the attempt is to.
    ///
    /// - Parameter deadline: when the time limit is over.
    func run(_ attempt: JobAttempt, with tools: JobTools, until deadline: ContinuousClock.Instant) throws -> Outcome

    /// The members of the job's JSON that are the kind's.
    ///
    /// - Parameter isWhole: whether those are among them that may be large; not so in lists.
    func describe(_ job: Job, isWhole: Bool) -> [JSONMember]
}

extension JobOrder {
    /// The kind's verbs on this order.
    var work: any JobWork {
        switch self {
        case .migration(let order): MigrationJob(order: order)
        case .backfill(let order): BackfillJob(order: order)
        case .partnerBackfill(let order): PartnerBackfillJob(order: order)
        case .fleet(let order): FleetJob(order: order)
        case .rehearsal(let order): RehearsalJob(order: order)
        }
    }
}

extension Job {
    /// The members of the job's JSON that its kind adds to those that all jobs have.
    ///
    /// - Parameter isWhole: whether those are among them that may be large; not so in lists.
    public func description(isWhole: Bool) -> [JSONMember] { order.work.describe(self, isWhole: isWhole) }
}

/// The tools that a worker has for its attempts.
struct JobTools: Sendable {
    let jobs: JobStore
    /// Runs scripts; nil in a worker that has none.
    let host: (any ScriptRunner)?
    /// The limits of scripts unless the order says otherwise.
    let scriptLimits: ScriptLimits

    /// The realms and snapshots that the jobs are about.
    var store: SnapshotStore { jobs.store }

    /// Calls functions of one object; nil in a worker whose host calls none.
    var functions: (any FunctionRunner)? { host as? any FunctionRunner }

    /// Runs an attempt's migrations.
    ///
    /// - Parameter isRehearsal: whether independent classes run both ways.
    func runner(of attempt: JobAttempt, isRehearsal: Bool = false) -> MigrationRunner {
        MigrationRunner(by: host ?? NoScriptRunner(), of: attempt.lease.job.appID, isRehearsal: isRehearsal)
    }

    /// Throws an error that says nothing of a realm or its script, and ends the attempt.
    func requireGoingOn(_ attempt: JobAttempt, after error: any Error) throws {
        if attempt.isCancelled || ProblemDocument(ofTransient: error) != nil { throw error }
        if let error = error as? MigrationError, error.script == .unavailable || error.script == .cancelled {
            throw error
        }
    }
}

/// Stands in for the host of a worker that has none.
private struct NoScriptRunner: ScriptRunner {
    func run(
        _ migrations: [ScriptedMigration], of app: RealmModel.UUID?, limits: ScriptLimits
    ) throws -> [Result<MigrationResult, MigrationError>] {
        [
            .failure(
                MigrationError(
                    nil, "The worker that took the job has no script host: it runs migrations without a script only.",
                    script: .crash))
        ]
    }
}

/// Follows one migration of several: its lines are in the job's log, with its name before them.
final class NamedObserver: MigrationObserver {
    private let name: String
    private let attempt: JobAttempt

    init(_ name: String, _ attempt: JobAttempt) {
        self.name = name
        self.attempt = attempt
    }

    func progressed(to progress: MigrationProgress) {}

    func logged(_ line: String, level: LogLevel) { attempt.logged("\(name): \(line)", level: level) }

    var isCancelled: Bool { attempt.isCancelled }
}
