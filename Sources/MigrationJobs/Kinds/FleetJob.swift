import JobStore
import Problems
import RealmFleet
import RealmJSON
import StoreCore

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
        return Self.outcome(try FleetRun(slice, tools: tools, attempt: attempt).run(), of: slice, in: tools.jobs)
    }

    static func outcome(
        _ results: [(realm: FleetSlice.Claimed, result: FleetOutcome.Result)], of slice: FleetSlice, in jobs: JobStore
    ) -> FleetOutcome {
        FleetOutcome(results, of: slice, in: jobs, overtaken: overtaken, kept: kept, gone: gone)
    }

    /// A realm that changed while it was migrated has its turn again, up to a limit; one that is gone fails.
    private static func overtaken(_ realm: FleetSlice.Claimed, isGone: Bool) -> FleetOutcome.Failure? {
        guard isGone || realm.attempt >= FleetMachine.turnLimit else { return nil }
        return failure(ProblemDocument(isGone ? .notFound(.realm, realm.name) : .realmChanged))
    }

    /// A realm that is not put back.
    private static let kept = failure(
        ProblemDocument(
            .realmChanged,
            "The realm has changed since the fleet migrated it, a job has it, or what was before is not kept any more: "
                + "it stays as it is."
        ))

    /// A realm that is not put back because it is not there any more.
    private static let gone = failure(
        ProblemDocument(.realmNotFound, "The realm was deleted after the fleet migrated it: nothing is put back."))

    private static func failure(_ problem: ProblemDocument) -> FleetOutcome.Failure {
        FleetOutcome.Failure(
            problem, FailureCause(code: problem.code, message: problem.detail, line: nil, isOfScript: true))
    }

    func describe(_ job: Job, isWhole: Bool) -> [JSONMember] {
        [JSONMember("realm", .null), JSONMember("fleet", .string("\(order.fleet)"))]
    }
}
