import RealmModel
import StoreCore

/// How many jobs ended how, and how long their attempts took.
public struct EndedJobs: Hashable, Sendable {
    /// Jobs that are counted together.
    public struct Series: Hashable, Sendable {
        /// The app; its name may be another's by the time that they are kept.
        public var app: RealmModel.UUID
        /// Their kind.
        public var kind: JobKind
        /// The state in which they ended.
        public var state: JobState

        /// Names a series.
        public init(app: RealmModel.UUID, kind: JobKind, state: JobState) {
            (self.app, self.kind, self.state) = (app, kind, state)
        }
    }

    /// The durations of each series.
    public private(set) var durations: [Series: Histogram] = [:]

    /// None yet.
    public init() {}

    /// Whether none was counted.
    public var isEmpty: Bool { durations.isEmpty }

    /// Counts a job that ended.
    public mutating func count(_ series: Series, after duration: Duration) {
        durations[series, default: Histogram()].observe(duration)
    }

    /// Adds those that were counted elsewhere.
    public mutating func add(_ other: EndedJobs) {
        for (series, histogram) in other.durations { durations[series, default: Histogram()].add(histogram) }
    }

    /// Those of all apps together, by kind and state, in one order.
    var ofAllApps: [(kind: JobKind, state: JobState, durations: Histogram)] {
        var sums: [Series: Histogram] = [:]
        for (series, histogram) in durations {
            sums[Series(app: .zero, kind: series.kind, state: series.state), default: Histogram()].add(histogram)
        }
        return Self.ordered(sums).map { ($0.key.kind, $0.key.state, $0.value) }
    }

    /// Those of each app, in one order.
    var ofEachApp: [(key: Series, value: Histogram)] { Self.ordered(durations) }

    private static func ordered(_ series: [Series: Histogram]) -> [(key: Series, value: Histogram)] {
        series.sorted {
            ("\($0.key.app)", $0.key.kind.rawValue, $0.key.state.rawValue)
                < ("\($1.key.app)", $1.key.kind.rawValue, $1.key.state.rawValue)
        }
    }
}

/// The jobs of one kind that ended in one hour or one day.
public struct EndedJobsOfStep: Hashable, Sendable {
    /// When the hour or the day began.
    public var at: Timestamp
    /// Their kind.
    public var kind: JobKind
    /// How many ended in which state.
    public var counts: [JobState: Int]
    /// How long the last attempt of each took that did not end by being cancelled.
    public var durations: Histogram
}
