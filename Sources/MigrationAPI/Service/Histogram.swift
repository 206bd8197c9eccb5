/// How often something took how long, for Prometheus.
struct Histogram: Hashable, Sendable {
    /// The upper ends of the buckets, in seconds.
    static let bounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800,
    ]

    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    private var sum = 0.0

    /// Counts a duration.
    mutating func observe(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    /// The lines of the text format.
    ///
    /// - Parameter labels: the series' own, as `operation="listApps"`.
    func lines(_ name: String, labels: String) -> [String] {
        var total = 0
        let buckets = zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts).map { bound, count in
            total += count
            return "\(name)_bucket{\(labels),le=\"\(bound)\"} \(total)"
        }
        return buckets + ["\(name)_sum{\(labels)} \(sum)", "\(name)_count{\(labels)} \(total)"]
    }
}
