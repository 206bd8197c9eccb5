/// Counters and histograms of jobs.
public struct JobFigures: Hashable, Sendable {
    /// The name of a figure, as Prometheus calls it.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// From the moment from which a job may begin to that at which it does; a histogram.
        case wait = "realmshift_job_wait_seconds"
        /// From the beginning of an attempt to its end; a histogram.
        case duration = "realmshift_job_duration_seconds"
        /// Leases that their workers lost.
        case leasesLost = "realmshift_leases_lost_total"
        /// Scripts that were ended by force.
        case scriptKills = "realmshift_script_kills_total"

        /// Whether it has buckets rather than a number.
        public var isHistogram: Bool { self == .wait || self == .duration }
    }

    /// A series of figures.
    public struct Series: Hashable, Sendable {
        /// The figure's name.
        public var name: Name
        /// Its labels, as Prometheus writes them: `kind="migration"`.
        public var labels: String

        /// Names a series.
        public init(name: Name, labels: String) {
            self.name = name
            self.labels = labels
        }
    }

    /// The counters.
    public private(set) var counters: [Series: Int] = [:]
    /// The histograms.
    public private(set) var histograms: [Series: Histogram] = [:]

    /// Nothing yet.
    public init() {}

    /// Whether nothing was counted.
    public var isEmpty: Bool { counters.isEmpty && histograms.isEmpty }

    /// Adds to a counter.
    public mutating func count(_ name: Name, _ labels: KeyValuePairs<String, String> = [:], by number: Int = 1) {
        counters[Series(name: name, labels: Self.text(labels)), default: 0] += number
    }

    /// Adds a duration to a histogram.
    public mutating func observe(_ duration: Duration, _ name: Name, _ labels: KeyValuePairs<String, String>) {
        histograms[Series(name: name, labels: Self.text(labels)), default: Histogram()].observe(duration)
    }

    /// Adds what was counted elsewhere.
    public mutating func add(_ other: JobFigures) {
        counters.merge(other.counters, uniquingKeysWith: +)
        for (series, histogram) in other.histograms { add(histogram, to: series) }
    }

    mutating func add(_ histogram: Histogram, to series: Series) {
        histograms[series, default: Histogram()].add(histogram)
    }

    mutating func add(_ number: Int, to series: Series) { counters[series, default: 0] += number }

    /// Values are names of this program's own, and hold nothing that would have to be escaped.
    private static func text(_ labels: KeyValuePairs<String, String>) -> String {
        labels.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
    }
}
