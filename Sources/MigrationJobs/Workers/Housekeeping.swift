import SnapshotStore

/// The chores that can wait: patches are folded, new tables are analysed, what is new is counted, and what is old or garbage is removed,
/// a step of each in its turn.
///
/// A step is short, and as long as it took nothing is done after it: the database has half of the time for others at least.
struct Housekeeping {
    /// How often it is asked whether a round is due that any process may have.
    private static let askInterval = Duration.seconds(5)
    /// How often it is asked whether there are tables that PostgreSQL has never looked at.
    private static let analysisInterval = Duration.seconds(1)
    /// Between two counts of realms for charts.
    private static let figuresInterval = Duration.seconds(600)
    /// The longest rest after a step.
    private static let longestRest = Duration.milliseconds(100)

    /// A chore that goes in rounds.
    private struct Rounds {
        let failure: String
        let take: @Sendable () throws -> MaintenanceTurn?
        var turn: MaintenanceTurn?
        var due = ContinuousClock.now
    }

    private let maintenance: SnapshotStore.Maintenance
    private let foldInterval: Duration
    private let log: any WorkerLog
    private var foldDue = ContinuousClock.now
    private var analysisDue = ContinuousClock.now
    private var rounds: [Rounds]

    init(_ maintenance: SnapshotStore.Maintenance, _ configuration: WorkerConfiguration, log: any WorkerLog) {
        (self.maintenance, self.log) = (maintenance, log)
        foldInterval = configuration.foldInterval
        let interval = configuration.sweepInterval
        rounds = [
            Rounds(failure: "old snapshots and jobs were not removed") {
                try maintenance.takeRetention(every: interval)
            },
            Rounds(failure: "realms and snapshots were not counted") { try maintenance.takeCounting() },
            Rounds(failure: "the store was not swept") { try maintenance.takeSweep(every: interval) },
            Rounds(failure: "realms were not counted") { try maintenance.takeFigures(every: Self.figuresInterval) },
        ]
    }

    /// Does a step of each chore that is due.
    ///
    /// - Returns: how long to wait before the next.
    mutating func step() -> Duration {
        let start = ContinuousClock.now
        if foldDue <= start { fold() }
        if analysisDue <= start { analyze() }
        for index in rounds.indices where rounds[index].due <= start { step(ofRounds: index) }
        let end = ContinuousClock.now
        let due = rounds.map(\.due).reduce(min(foldDue, analysisDue)) { min($0, $1) }
        return max(min(end - start, Self.longestRest), due - end)
    }

    private mutating func fold() {
        do {
            if try !maintenance.foldPatches() { foldDue = .now + foldInterval }
        } catch {
            log.failed("patches were not folded", error)
            // Damage stays; a database that is away comes back.
            foldDue = .now + foldInterval * 60
        }
    }

    private mutating func analyze() {
        analysisDue = .now + Self.analysisInterval
        do {
            try maintenance.analyzeNewTables()
        } catch {
            log.failed("new tables were not analysed", error)
        }
    }

    private mutating func step(ofRounds index: Int) {
        do {
            if rounds[index].turn == nil { rounds[index].turn = try rounds[index].take() }
            if try rounds[index].turn?.step() == true { return }
        } catch {
            // The next round, of whichever process, does what is left.
            log.failed(rounds[index].failure, error)
        }
        rounds[index].turn = nil
        rounds[index].due = .now + Self.askInterval
    }
}
