/// Where a fleet stands: many realms on their way to one schema version.
public enum FleetState: String, Hashable, Sendable, CaseIterable {
    /// The first realms are migrated, and nothing else before they are found well.
    case canary
    /// Nothing more is begun until somebody says so.
    case paused
    /// Realms are migrated.
    case running
    /// Every realm is migrated, or needed no migration.
    case succeeded
    /// Every realm has had its turn, and some failed.
    case failed
    /// Somebody ended it: what is migrated stays, what is not begun is never begun.
    case cancelled
    /// Migrated realms are put back.
    case undoing
    /// Migrated realms are what they were before, but for those that changed since.
    case undone

    /// Whether its realms have their turns by themselves.
    public var isActive: Bool { self == .canary || self == .running || self == .undoing }
}

/// Where a realm of a fleet stands.
public enum FleetMemberState: String, Hashable, Sendable, CaseIterable {
    /// It waits for its turn.
    case pending
    /// A worker has it.
    case running
    /// It is migrated.
    case succeeded
    /// Its migration failed, and it is what it was.
    case failed
    /// It was what it should be.
    case unchanged
    /// It was migrated, and is what it was before.
    case undone
    /// It was migrated and has changed since, so that it was not put back.
    case kept
}

/// How many realms of a fleet stand where: every realm is counted once.
public struct FleetCounts: Hashable, Sendable {
    private var counts: [Int]

    /// No realm at all.
    public init() { counts = FleetMemberState.allCases.map { _ in 0 } }

    /// So many realms that wait.
    public init(pending: Int) {
        self.init()
        self[.pending] = pending
    }

    /// The realms that stand there, 0 or more.
    public subscript(_ state: FleetMemberState) -> Int {
        get { counts[Self.index(state)] }
        set { counts[Self.index(state)] = newValue }
    }

    /// All realms.
    public var total: Int { counts.reduce(0, +) }

    /// Those that have begun, whatever came of it.
    public var begun: Int { total - self[.pending] }

    /// Those that have had their turn.
    public var finished: Int { begun - self[.running] }

    /// Moves realms from one place to another.
    public mutating func move(_ number: Int, from old: FleetMemberState, to new: FleetMemberState) {
        self[old] -= number
        self[new] += number
    }

    private static func index(_ state: FleetMemberState) -> Int {
        switch state {
        case .pending: 0
        case .running: 1
        case .succeeded: 2
        case .failed: 3
        case .unchanged: 4
        case .undone: 5
        case .kept: 6
        }
    }
}
