import JobStore
import Testing

struct HistogramTests {
    @Test func `buckets hold what is not longer than they say, and those before`() {
        var histogram = Histogram()
        let durations: [Duration] = [.zero, .milliseconds(1), .microseconds(1001), .seconds(1), .seconds(9999)]
        for duration in durations { histogram.observe(duration) }
        let lines = histogram.lines("t", labels: "x=\"y\"")
        func count(_ bound: String) -> Int? {
            lines.first { $0.hasPrefix("t_bucket{x=\"y\",le=\"\(bound)\"} ") }
                .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        }
        #expect(count("0.001") == 2)
        #expect(count("0.0025") == 3)
        #expect(count("0.5") == 3)
        #expect(count("1.0") == 4)
        #expect(count("1800.0") == 4)
        #expect(count("+Inf") == 5)
        #expect(lines.last == "t_count{x=\"y\"} 5")
        #expect(lines.contains { $0.hasPrefix("t_sum{x=\"y\"} 10000.00200") })
    }
}
