/// How a fleet goes about its realms.
public struct FleetPolicy: Hashable, Sendable {
    /// A number of realms, or a part of those that there are.
    public enum Amount: Hashable, Sendable {
        /// So many, from 1.
        case count(Int)
        /// So much of a hundred, more than 0 and at most 100.
        case percent(Double)

        /// The realms that it is of so many: one at least, and no more than there are.
        public func realms(of total: Int) -> Int {
            guard total > 0 else { return 0 }
            switch self {
            case .count(let count): return min(max(count, 1), total)
            case .percent(let percent):
                let part = (Double(total) * percent / 100).rounded(.up)
                return part < Double(total) ? max(Int(part), 1) : total
            }
        }
    }

    /// The realms that go first, to see how that goes.
    public struct Canary: Hashable, Sendable {
        /// How many.
        public var size: Amount
        /// Seconds from their end until the others follow; nil for until somebody says so.
        public var pauseSeconds: Double?

        /// Describes a canary.
        public init(_ size: Amount, pauseSeconds: Double? = nil) {
            self.size = size
            self.pauseSeconds = pauseSeconds
        }
    }

    /// The realms that go first; nil for none.
    public var canary: Canary?
    /// Realms that are migrated at once, at most, from 1; nil for as many as the workers take.
    public var concurrency: Int?
    /// The failures at which it pauses; nil for none, but of a canary the first.
    public var stopAfter: Amount?

    /// Describes a policy: all realms as fast as may be, unless said otherwise.
    public init(canary: Canary? = nil, concurrency: Int? = nil, stopAfter: Amount? = nil) {
        self.canary = canary
        self.concurrency = concurrency
        self.stopAfter = stopAfter
    }
}
