import JobStore
import RealmJSON

/// The kind of job that migrates some realms of a fleet: those whose turn it is when it begins.
///
/// A fleet has some jobs at a time, each of which makes the next one in the transaction that ends it, so that jobs of others have
/// their turns between. They share what is the same for all realms, and the realms share statements.
struct FleetJob: JobWork {
    let order: FleetOrder

    /// As long as it takes: each realm has the time limit for itself.
    func timeLimit(_ tools: JobTools) -> Duration { .seconds(1e8) }

    func run(
        _ attempt: JobAttempt, with tools: JobTools, until deadline: ContinuousClock.Instant
    ) throws -> FleetOutcome {
        let slice = try tools.jobs.fleets.claim(attempt.lease, of: order)
        return FleetOutcome(
            try FleetRun(slice, tools: tools, attempt: attempt).run(), of: slice, in: tools.jobs)
    }

    func describe(_ job: Job, isWhole: Bool) -> [JSONMember] {
        [JSONMember("realm", .null), JSONMember("fleet", .string("\(order.fleet)"))]
    }
}
