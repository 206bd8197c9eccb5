import RealmModel
import StoreCore

/// Which of the jobs that wait is next: those of a higher priority first, among them the apps by turns.
public enum JobPriority: String, Hashable, Sendable, CaseIterable {
    /// Before everything else.
    case high
    /// Where nothing is said.
    case normal
    /// After everything else.
    case low

    /// The number that the table has for it: the higher, the sooner.
    public var rank: Int {
        switch self {
        case .high: 1
        case .normal: 0
        case .low: -1
        }
    }

    /// - Throws: `StoreError.damaged`.
    init(rank: Int) throws {
        guard let priority = Self.allCases.first(where: { $0.rank == rank }) else {
            throw StoreError.damaged("a job's priority")
        }
        self = priority
    }
}

/// When a job is to begin.
public struct JobSchedule: Hashable, Sendable {
    /// Which jobs go before it.
    public var priority: JobPriority
    /// The moment before which it does not begin; nil for at once.
    public var runAt: Timestamp?

    /// At once and among all others, unless said otherwise.
    public init(priority: JobPriority = .normal, runAt: Timestamp? = nil) {
        self.priority = priority
        self.runAt = runAt
    }
}
