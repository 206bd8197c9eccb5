import HTTPServer
import JobStore
import RealmFleet
import RealmJSON
import SnapshotStore
import StoreCore

/// Operations for those who run the service: life, readiness, metrics, version, the description of the API.
struct ServiceResource: Sendable {
    let jobs: JobStore
    let version: String
    let metrics: RequestMetrics
    let budgets: RequestBudgets
    let readiness: Readiness
    let isReady: @Sendable () -> Bool
    let description: OpenAPIDocument

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/livez", "getLiveness", requires: .noKey, query: [], on: .immediate) { _ in
                .json(["status": "ok"])
            },
            APIRoute(
                "GET", "/readyz", "getReadiness", requires: .noKey, query: [], on: .immediate, respond: tellReadiness),
            APIRoute("GET", "/v1/version", "getVersion", requires: .noKey, query: [], on: .immediate) { _ in
                .json(["name": "realmshift", "version": .string(version)])
            },
            APIRoute("GET", "/openapi.json", "getOpenAPI", requires: .noKey, query: []) { _ in
                HTTPResponse(status: 200, fields: ["Content-Type": MediaType.json], body: .bytes(description.bytes))
            },
            APIRoute("GET", "/metrics", "getMetrics", requires: .read, query: [], hasOwnLine: true) { request in
                // The metrics are of all apps together: a key that sees some has nothing to look at.
                guard request.access.apps == .all else { throw APIError.allAppsMissing }
                return .text(try text() + "\n", type: "text/plain; version=0.0.4; charset=utf-8")
            },
        ]
    }

    private func tellReadiness(_ request: APIRequest) throws -> HTTPResponse {
        guard isReady() else { throw APIError.notReady }
        if let obstacle = readiness.obstacle { throw obstacle }
        return .json(["status": "ready"])
    }

    private static func gauge(_ name: String, _ help: String, _ value: String) -> [String] {
        let name = "realmshift_\(name)"
        return ["# HELP \(name) \(help)", "# TYPE \(name) gauge", "\(name) \(value)"]
    }

    private static func lines(of backlog: Backlog) -> [String] {
        let (left, age) = ("realmshift_housekeeping_backlog", "realmshift_housekeeping_age_seconds")
        return [
            "# HELP \(left) What housekeeping has to do: batches of segments, realms to fold or to look at; counted up to 10000.",
            "# TYPE \(left) gauge", "\(left){chore=\"sweep\"} \(backlog.batches)",
            "\(left){chore=\"fold\"} \(backlog.patchedRealms)",
            "\(left){chore=\"retention\"} \(backlog.retainedRealms)",
            "# HELP \(age) Time since a round of a chore last came to its end.", "# TYPE \(age) gauge",
            "\(age){chore=\"sweep\"} \(backlog.sweepAge / .seconds(1))",
            "\(age){chore=\"retention\"} \(backlog.retentionAge / .seconds(1))",
        ]
    }

    private static func lines(of backlog: WebhookBacklog) -> [String] {
        gauge(
            "webhook_backlog", "Deliveries to webhooks that are to be sent; counted up to 10000.",
            "\(backlog.deliveries)")
            + gauge("webhook_age_seconds", "How long the first of them has been due.", "\(backlog.age / .seconds(1))")
            + gauge(
                "webhooks_disabled", "Webhooks that were disabled because their receivers are gone.",
                "\(backlog.disabled)")
    }

    private static func lines(of figures: JobFigures) -> [String] {
        JobFigures.Name.allCases.flatMap { name in
            let counters = figures.counters.filter { $0.key.name == name }.sorted { $0.key.labels < $1.key.labels }
            let histograms = figures.histograms.filter { $0.key.name == name }.sorted { $0.key.labels < $1.key.labels }
            return [
                "# HELP \(name.rawValue) \(name.help)",
                "# TYPE \(name.rawValue) \(name.isHistogram ? "histogram" : "counter")",
            ]
                // A rate sees a counter rise that was there before.
                + (counters.isEmpty && name == .leasesLost ? ["\(name.rawValue) 0"] : [])
                + counters.map { series, count in
                    series.labels.isEmpty ? "\(name.rawValue) \(count)" : "\(name.rawValue){\(series.labels)} \(count)"
                }
                + histograms.flatMap { $0.value.lines(name.rawValue, labels: $0.key.labels) }
        }
    }

    private static func lines(of figures: ServiceFigures) -> [String] {
        let realms = "realmshift_fleet_realms"
        return gauge("worker_processes", "Processes with workers that are there.", "\(figures.workers)")
            + gauge("worker_slots", "Jobs that they run at once.", "\(figures.slots)")
            + gauge("leases_expired", "Jobs that run by a lease that is over.", "\(figures.expiredLeases)")
            + gauge("fleets_at_work", "Fleets that are at work.", "\(figures.fleets)")
            + ["# HELP \(realms) Realms of these fleets, by where they stand.", "# TYPE \(realms) gauge"]
            + FleetMemberState.allCases.map { "\(realms){state=\"\($0.rawValue)\"} \(figures.fleetRealms[$0])" }
            + gauge("database_bytes", "Bytes of the service's tables.", "\(figures.databaseBytes)")
            + gauge("segment_bytes", "Bytes of those that have the segments of snapshots.", "\(figures.segmentBytes)")
    }

    private func text() throws -> String {
        let counts = try jobs.counts()
        let queue = try jobs.queue()
        let backlog = try jobs.store.maintenance.backlog()
        let connections = jobs.store.connections
        let waiting = budgets.waiting
        let states = [JobState.queued, .running].map { "realmshift_jobs{state=\"\($0.rawValue)\"} \(counts[$0] ?? 0)" }
        let lines =
            ["# HELP realmshift_build_info The program.", "# TYPE realmshift_build_info gauge"]
            + ["realmshift_build_info{version=\"\(version)\"} 1"]
            + ["# HELP realmshift_jobs Jobs that wait or run.", "# TYPE realmshift_jobs gauge"] + states
            + Self.gauge("queue_jobs", "Jobs that wait for a worker.", "\(queue.depth)")
            + Self.gauge("queue_age_seconds", "How long the first of them has waited.", "\(queue.ageSeconds)")
            + Self.gauge("database_connections_in_use", "Connections that are in use.", "\(connections.lent)")
            + Self.gauge("database_connections_limit", "Connections at most.", "\(connections.limit)")
            + Self.gauge("answers_waiting", "Downloads and exports that wait for room.", "\(waiting.answers)")
            + Self.gauge("checks_waiting", "Checks of scripts that wait for a process.", "\(waiting.checks)")
            + Self.lines(of: try WebhookOutbox(jobs).backlog())
            + Self.lines(of: try jobs.serviceFigures()) + Self.lines(of: backlog) + Self.lines(of: try jobs.figures())
            + metrics.lines
        return lines.joined(separator: "\n")
    }
}

extension JobFigures.Name {
    fileprivate var help: String {
        switch self {
        case .wait: "Time from the moment from which a job may begin to that at which it does."
        case .duration: "Time from the beginning of an attempt of a job to its end."
        case .leasesLost: "Leases of attempts whose workers were lost."
        case .scriptKills: "Attempts whose script was ended by force."
        }
    }
}
