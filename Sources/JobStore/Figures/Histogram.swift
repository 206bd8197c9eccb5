/// How often something took how long, for Prometheus.
public struct Histogram: Hashable, Sendable {
    /// The upper ends of the buckets, in seconds.
    public static let bounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800,
    ]

    /// How many durations fell into each bucket, and into none.
    private(set) var counts: [Int]
    private(set) var sum: Double

    /// How many durations were counted.
    public var count: Int { counts.reduce(0, +) }

    /// Nothing yet.
    public init() { self.init(counts: [], sum: 0) }

    /// A histogram of stored counts; those of a program that had other buckets are cut to these.
    init(counts: [Int], sum: Double) {
        let count = Self.bounds.count + 1
        self.counts = Array((counts + [Int](repeating: 0, count: count)).prefix(count))
        self.sum = sum
    }

    /// Adds what another one counted.
    mutating func add(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        sum += other.sum
    }

    /// Counts a duration.
    public mutating func observe(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    /// The mean in seconds; nil where nothing was counted.
    public var mean: Double? { count == 0 ? nil : sum / Double(count) }

    /// The duration in seconds that a share of the durations does not pass, as if those of a bucket were spread evenly in it; nil where
    /// nothing was counted.
    public func quantile(_ share: Double) -> Double? {
        guard count > 0 else { return nil }
        let wanted = share * Double(count)
        var (below, lower) = (0.0, 0.0)
        for (number, upper) in zip(counts, Self.bounds) {
            if number > 0, below + Double(number) >= wanted {
                return lower + (upper - lower) * max(0, wanted - below) / Double(number)
            }
            (below, lower) = (below + Double(number), upper)
        }
        return Self.bounds.last
    }

    /// The lines of the text format.
    ///
    /// - Parameter labels: the series' own, as `operation="listApps"`.
    public func lines(_ name: String, labels: String) -> [String] {
        var total = 0
        let buckets = zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts).map { bound, count in
            total += count
            return "\(name)_bucket{\(labels),le=\"\(bound)\"} \(total)"
        }
        return buckets + ["\(name)_sum{\(labels)} \(sum)", "\(name)_count{\(labels)} \(total)"]
    }
}
