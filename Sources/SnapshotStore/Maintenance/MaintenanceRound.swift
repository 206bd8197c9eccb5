/// Maintenance that is done in steps, so that nothing else waits for more than one of them.
protocol MaintenanceRound: Sendable {
    /// How much was removed.
    associatedtype Report

    /// How much was removed until now.
    var report: Report { get }
    /// Does the next step: one transaction of a bounded number of rows.
    ///
    /// - Returns: whether there are more.
    mutating func step() throws -> Bool
    /// Counts what is to be looked at yet, up to `Maintenance.countedBacklog`; 0 where that is known otherwise.
    func backlog() throws -> Int
}

extension MaintenanceRound {
    /// Does all steps, one after the other.
    mutating func finish() throws -> Report {
        while try step() {}
        return report
    }
}

/// A round of a chore that this process has to itself, for a minute after each of its steps.
public struct MaintenanceTurn: Sendable {
    private let maintenance: SnapshotStore.Maintenance
    private let chore: Chore
    private let interval: Duration
    private var round: any MaintenanceRound
    private var notedAt = ContinuousClock.now

    /// How long others leave the chore to a process that has it, and takes no step.
    static let hold = Duration.seconds(60)
    /// Between two notes of how far the round is.
    private static let noteInterval = Duration.seconds(5)

    init(
        _ chore: Chore, every interval: Duration, in maintenance: SnapshotStore.Maintenance,
        _ round: any MaintenanceRound
    ) {
        (self.chore, self.interval, self.maintenance, self.round) = (chore, interval, maintenance, round)
    }

    /// Does the next step: one transaction of a bounded number of rows.
    ///
    /// - Returns: whether there are more.
    public mutating func step() throws -> Bool {
        guard try round.step() else {
            try maintenance.end(chore, next: interval)
            return false
        }
        if ContinuousClock.now - notedAt > Self.noteInterval {
            try maintenance.hold(chore, backlog: try round.backlog())
            notedAt = .now
        }
        return true
    }
}
