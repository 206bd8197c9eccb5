import HTTPServer
import Synchronization

/// Counts requests by operation and status, for Prometheus.
final class RequestMetrics: Sendable {
    private struct Series: Hashable {
        var operation: String
        var status: Int
    }

    private struct Total {
        var count = 0
        var seconds = 0.0
    }

    private let totals = Mutex<[Series: Total]>([:])

    /// Counts a request.
    func count(operation: String, status: Int, duration: Duration) {
        let series = Series(operation: operation, status: status)
        totals.withLock { totals in
            totals[series, default: Total()].count += 1
            totals[series, default: Total()].seconds += duration / .seconds(1)
        }
    }

    /// The lines of the text format, version 0.0.4.
    var lines: [String] {
        let known = totals.withLock { $0 }.sorted {
            ($0.key.operation, $0.key.status) < ($1.key.operation, $1.key.status)
        }
        let name = "realmshift_http_request"
        return ["# HELP \(name)s_total Requests answered.", "# TYPE \(name)s_total counter"]
            + known.map { "\(name)s_total\(Self.labels($0.key)) \($0.value.count)" }
            + ["# HELP \(name)_seconds_total Time from head to last byte.", "# TYPE \(name)_seconds_total counter"]
            + known.map { "\(name)_seconds_total\(Self.labels($0.key)) \($0.value.seconds)" }
    }

    private static func labels(_ series: Series) -> String {
        "{operation=\"\(series.operation)\",status=\"\(series.status)\"}"
    }
}
