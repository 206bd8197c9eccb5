import RealmJSON
import RealmMigration
import SnapshotStore

/// The kind of job that does nothing.
struct NoOpJob: JobWork {
    let order: NoOpOrder

    func timeLimit(_ tools: JobTools) -> Duration { .seconds(60) }

    func run(
        _ attempt: JobAttempt, with tools: JobTools, until deadline: ContinuousClock.Instant
    ) throws -> NoOpOutcome {
        NoOpOutcome()
    }

    func describe(_ job: Job, isWhole: Bool) -> [JSONMember] { [JSONMember("realm", .string(order.realm))] }
}
