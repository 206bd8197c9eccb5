import HTTPServer
import JobStore
import Threads

/// Counts requests by operation and status, and how long they took, for Prometheus.
final class RequestMetrics: Sendable {
    private struct Series: Hashable {
        var operation: String
        var status: Int
    }

    private struct State {
        var counts: [Series: Int] = [:]
        var durations: [String: Histogram] = [:]
    }

    private let state = Mutex(State())

    /// Counts a request.
    func count(operation: String, status: Int, duration: Duration) {
        state.withLock { state in
            state.counts[Series(operation: operation, status: status), default: 0] += 1
            state.durations[operation, default: Histogram()].observe(duration)
        }
    }

    /// The lines of the text format, version 0.0.4.
    var lines: [String] {
        let (counts, durations) = state.withLock { ($0.counts, $0.durations) }
        let known = counts.sorted { ($0.key.operation, $0.key.status) < ($1.key.operation, $1.key.status) }
        let (total, duration) = ("realmshift_http_requests_total", "realmshift_http_request_duration_seconds")
        return ["# HELP \(total) Requests answered.", "# TYPE \(total) counter"]
            + known.map { "\(total){operation=\"\($0.key.operation)\",status=\"\($0.key.status)\"} \($0.value)" }
            + ["# HELP \(duration) Time from head to last byte.", "# TYPE \(duration) histogram"]
            + durations.sorted { $0.key < $1.key }.flatMap {
                $0.value.lines(duration, labels: "operation=\"\($0.key)\"")
            }
    }
}
