import Columns
import JobStore
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SyncedRealms

/// The kind of job that gives the objects of a class their partners, while clients go on changing both sides.
///
/// It goes through the objects in the order of their keys, some at a time: each part is one more batch of changes, and the
/// place that it has come to is committed with it. An object that clients change meanwhile gets its partner by that change,
/// and is passed over.
struct PartnerBackfillJob: JobWork {
    let order: PartnerBackfillOrder

    /// Objects of a part: some row groups, since the host compiles the functions anew for each.
    ///
    /// Clients do not wait for a part, but where they overtook it: then for one that is not large, so that each has its turn, and
    /// smaller each time that they changed objects of it since the functions were asked, so that the job has its turn, too.
    private static let largestPart = 65_536
    private static let largestHeldPart = 8_192
    private static let smallestPart = 64
    /// Objects of the first part: how long functions take is not known by then, and a call of them has a time limit.
    private static let firstPart = RowGroupLimits.standard.rows
    /// A part that takes longer is followed by a smaller one.
    private static let longestPart = Duration.seconds(10)

    func timeLimit(_ tools: JobTools) -> Duration { .seconds(min(tools.scriptLimits.timeoutSeconds, 1e8)) }

    func run(
        _ attempt: JobAttempt, with tools: JobTools, until deadline: ContinuousClock.Instant
    ) throws -> PartnerBackfillOutcome {
        guard let functions = tools.functions else {
            throw MigrationError(nil, "This worker runs no scripts.", script: .crash)
        }
        let run = PartnerBackfillRun(
            tools: PartnerTools(tools.jobs, functions: functions), attempt: attempt, app: attempt.lease.job.app,
            order: order)
        defer { run.answers.stop() }
        var (size, heldSize) = (Self.firstPart, Self.largestHeldPart)
        var (isContended, isHolding) = (false, false)
        while true {
            guard !attempt.isCancelled else {
                throw MigrationError(nil, "The backfill was stopped.", script: .cancelled)
            }
            guard .now < deadline else {
                throw MigrationError(nil, "The backfill took longer than it may.", script: .timeLimit)
            }
            let partner = try tools.jobs.partners.find(order.partner, of: order.realm, in: run.app)
            // Somebody may have taken the partner back.
            guard partner.state == .preparing else { return PartnerBackfillOutcome() }
            let began = ContinuousClock.now
            let isFilled = try run.fill(
                partner, atMost: isContended ? min(size, heldSize) : size, askingAhead: size,
                holdingRealm: isHolding)
            if isFilled == true {
                try run.requireAnswers(partner)
                try run.finish(partner)
                try tools.jobs.partners.filled(partner)
            }
            if isHolding {
                heldSize =
                    isFilled == nil ? max(heldSize / 4, Self.smallestPart) : min(heldSize * 2, Self.largestHeldPart)
            }
            if isFilled == nil || !isHolding { isContended = isFilled == nil }
            isHolding = isFilled == nil && !isHolding
            let isTooLarge = .now - began > Self.longestPart
            size = isTooLarge ? max(size / 4, Self.smallestPart) : min(size * 2, Self.largestPart)
        }
    }

    func describe(_ job: Job, isWhole: Bool) -> [JSONMember] {
        [JSONMember("realm", .string(order.realm)), JSONMember("partner", .string("\(order.partner)"))]
    }
}
