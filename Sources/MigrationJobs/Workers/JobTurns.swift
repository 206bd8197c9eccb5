import JobStore
import RealmModel

/// Which lane a claim begins with, so that apps have their turns whatever number of jobs each has.
///
/// It knows lanes by hints, and by looks at all lanes. A lane where nothing was found is forgotten until somebody tells of
/// it again. Jobs are looked for from where the last one of the lane was found, after a hint from a little before that:
/// earlier jobs were claimed, and the database may have to keep their rows for as long as a transaction is open anywhere. A
/// job that appeared behind nonetheless is found by the next look.
struct JobTurns {
    /// A lane that may have jobs.
    private struct Turn {
        let lane: JobLane
        /// The moment from which jobs are looked for; nil for all.
        var start: Timestamp?
        /// Whether there was a hint that no claim has followed, of a job that may be a little before that moment.
        var isHinted = false
        /// Grows with every hint, so that one that comes while a claim is under way is not forgotten with its answer.
        var hints = 0
    }

    /// How much earlier than one that is known, in nanoseconds, a job may have been queued that was not to be seen then.
    private static let overlap: Int32 = 500_000_000
    private var turns: [Turn] = []
    /// The starts of lanes that are forgotten, for when somebody tells of them again.
    private var left: [JobLane: Timestamp] = [:]
    private static let leftLimit = 10_000
    private var due: [(moment: ContinuousClock.Instant, lane: JobLane)] = []
    /// Pauses that are kept: of more jobs than that the next look finds those that are forgotten.
    private static let dueLimit = 10_000

    /// Tells of a job in a lane, after a pause where there is one.
    mutating func note(_ lane: JobLane, after pause: Duration = .zero, now: ContinuousClock.Instant = .now) {
        guard pause <= .zero else {
            // Behind those that are due at the same time.
            if due.count < Self.dueLimit { due.append((now + pause, lane)) }
            return
        }
        if let index = turns.firstIndex(where: { $0.lane == lane }) {
            turns[index].hints += 1
            turns[index].isHinted = true
        } else {
            turns.append(Turn(lane: lane, start: left[lane], isHinted: true))
        }
    }

    /// Takes the answer of a look at all lanes: every job in them is to be found.
    mutating func look(_ lanes: [WaitingLane]) {
        for found in lanes {
            note(found.lane)
            guard let index = turns.firstIndex(where: { $0.lane == found.lane }) else { continue }
            turns[index].start = min(turns[index].start ?? found.since, found.since)
            turns[index].isHinted = true
        }
    }

    /// When the next job is due whose pause is not over.
    var nextDue: ContinuousClock.Instant? { due.map(\.moment).min() }

    /// Whether there is anything known of other apps.
    func hasLanes(besides apps: Set<RealmModel.UUID>) -> Bool { turns.contains { !apps.contains($0.lane.app) } }

    /// The lanes as a claim is to ask them: by priority, what came back first, then by turns.
    ///
    /// - Parameter apps: whose lanes are left out.
    mutating func order(without apps: Set<RealmModel.UUID> = [], now: ContinuousClock.Instant = .now) -> Order {
        for lane in due.filter({ $0.moment <= now }).map(\.lane) { note(lane) }
        due.removeAll { $0.moment <= now }
        let asked = turns.filter { !apps.contains($0.lane.app) }
        return Order(
            lanes: asked.map(\.lane).inTurn,
            starts: Dictionary(
                uniqueKeysWithValues: asked.compactMap { turn in
                    turn.start.map { (turn.lane, turn.isHinted ? Self.before($0) : $0) }
                }),
            hints: Dictionary(uniqueKeysWithValues: asked.map { ($0.lane, $0.hints) }))
    }

    /// The lanes that a claim is for, and where it begins in each.
    struct Order {
        let lanes: [JobLane]
        let starts: [JobLane: Timestamp]
        fileprivate let hints: [JobLane: Int]
    }

    /// A claim found a job: it is another app's turn.
    mutating func claimed(_ job: Job, _ order: Order) {
        guard let index = turns.firstIndex(where: { $0.lane == job.lane }) else { return }
        var turn = turns.remove(at: index)
        turn.start = job.runAt
        if order.hints[turn.lane] == turn.hints { turn.isHinted = false }
        turns.append(turn)
    }

    /// The moment by the overlap before another.
    private static func before(_ moment: Timestamp) -> Timestamp {
        moment.nanoseconds >= overlap
            ? Timestamp(seconds: moment.seconds, nanoseconds: moment.nanoseconds - overlap)
            : Timestamp(seconds: moment.seconds - 1, nanoseconds: moment.nanoseconds + 1_000_000_000 - overlap)
    }

    /// A claim found nothing in any of the lanes.
    mutating func foundNothing(_ order: Order) {
        for turn in turns where order.hints[turn.lane] == turn.hints {
            if left.count >= Self.leftLimit { left = [:] }
            left[turn.lane] = turn.start
        }
        turns.removeAll { order.hints[$0.lane] == $0.hints }
    }
}
