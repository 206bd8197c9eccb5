import HTTPServer
import JobStore
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore

/// `/v1/apps/{app}/figures` and `/v1/figures`: numbers over time, for charts.
struct FiguresResource: Sendable {
    private static let secondsOfDay: Int64 = 86_400
    /// The longest time that a chart by hours, or by days, may have.
    private static let mostDays: [FigureStep: Int64] = [.hour: 31, .day: 366]

    let jobs: JobStore

    var routes: [APIRoute] {
        let query = ["since", "until", "step"]
        return [
            APIRoute("GET", "/v1/apps/{app}/figures", "getAppFigures", requires: .read, query: query) { request in
                try answer(request, of: request.app())
            },
            APIRoute("GET", "/v1/figures", "getFigures", requires: .read, query: query) { request in
                guard request.access.apps == .all else { throw APIError.allAppsMissing }
                return try answer(request, of: nil)
            },
        ]
    }

    private func answer(_ request: APIRequest, of app: String?) throws -> HTTPResponse {
        let now = Timestamp.now
        let step = try request.head.choice("step", of: FigureStep.allCases) ?? .hour
        let until = try request.head.time("until") ?? now
        let since =
            try request.head.time("since")
            ?? Timestamp(seconds: until.seconds - 7 * Self.secondsOfDay, nanoseconds: 0)
        let days = Self.mostDays[step] ?? 0
        guard since <= until, until.seconds - since.seconds <= days * Self.secondsOfDay else {
            throw APIError.invalidParameter(
                name: "since",
                message:
                    "has to be before until, by \(days) days at most with steps of \(step == .hour ? "an hour" : "a day")."
            )
        }
        let ended = try jobs.endedJobs(of: app, from: since, to: until, by: step)
        var realms = try jobs.store.realms.figures(of: app, from: since, to: until, by: step)
        if now <= until, let present = try jobs.store.realms.figuresNow(of: app, at: now) { realms.append(present) }
        return .json([
            "since": since.json, "until": until.json, "step": .string(step.rawValue),
            "jobs": .array(ended.map(\.json)), "realms": .array(realms.map(\.json)),
        ])
    }
}

extension EndedJobsOfStep {
    /// The jobs as clients see them.
    fileprivate var json: JSONValue {
        func seconds(_ share: Double) -> JSONValue { durations.quantile(share).map { .double($0) } ?? .null }
        let states: [JobState] = [.succeeded, .failed, .cancelled]
        return .object(
            [JSONMember("at", at.json), JSONMember("kind", .string(kind.rawValue))]
                + states.map { JSONMember($0.rawValue, .int(Int64(counts[$0] ?? 0))) }
                + [
                    JSONMember("meanSeconds", durations.mean.map { .double($0) } ?? .null),
                    JSONMember("p50Seconds", seconds(0.5)), JSONMember("p95Seconds", seconds(0.95)),
                ])
    }
}

extension RealmFigures {
    /// The realms as clients see them.
    fileprivate var json: JSONValue {
        [
            "at": at.json, "count": .int(Int64(count)), "storedBytes": .int(Int64(storedBytes)), "versions": versions,
        ]
    }
}
