import HTTPServer
import MigrationJobs
import RealmJSON
import SnapshotStore

/// `/v1/jobs`.
struct JobResource: Sendable {
    let store: SnapshotStore
    let events: JobEvents
    let waiting: JobWaiting
    let log: any APILog

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/jobs", "listJobs", query: ["app", "realm", "state"] + .page) { request in
                let page = try store.jobs(Self.filter(request.head), request.head.page())
                for case .unreadable(let job) in page.items { log.failed("/v1/jobs/\(job.id)", job.reason) }
                return .json(page.map(\.json).json)
            },
            APIRoute(
                "GET", "/v1/jobs/{job}", "getJob", query: [], together: answers(to:),
                answering: .patiently(job)),
            APIRoute("GET", "/v1/jobs/{job}/log", "getJobLog", query: .page) { request in
                let page = try store.log(of: request.id("job", of: .job), request.head.page())
                return .json(page.map(\.json).json)
            },
            APIRoute("POST", "/v1/jobs/{job}/cancel", "cancelJob", query: [], body: .json) { request in
                try JSONBody.requireNone(request)
                return try Self.accepted(store.cancelJob(request.id("job", of: .job)))
            },
            APIRoute("POST", "/v1/jobs/{job}/retry", "retryJob", query: [], body: .json) { request in
                try JSONBody.requireNone(request)
                return try Self.accepted(store.retryJob(request.id("job", of: .job)))
            },
            APIRoute("GET", "/v1/jobs/{job}/events", "followJob", query: [], respond: follow),
        ]
    }

    private func job(_ request: APIRequest) throws -> APIAnswer {
        try waiting.answer(request, job: request.id("job", of: .job)) { job, fields in
            Answer(job, fields: fields).response(to: request)
        }
    }

    /// Answers requests that do not wait, by one query for all; a job is encoded once however many ask for it.
    private func answers(to requests: [APIRequest]) -> [Result<HTTPResponse, any Error>] {
        let ids = requests.map { request in Result { try request.id("job", of: .job) } }
        let found = Result {
            try store.jobs(Set(ids.compactMap { try? $0.get() })).mapValues { job in
                job.map { Answer($0, fields: JobWaiting.fields(of: $0)) }
            }
        }
        return zip(requests, ids).map { request, id in
            Result {
                let (id, found) = (try id.get(), try found.get())
                guard let answer = found[id] else { throw StoreError.notFound(.job, "\(id)") }
                return try answer.get().response(to: request)
            }
        }
    }

    /// What is answered about a job.
    private struct Answer {
        private let entityTag: String
        private let whole: HTTPResponse

        init(_ job: Job, fields: HTTPFields) {
            entityTag = job.entityTag
            whole = .json(job.json, fields: fields)
        }

        func response(to request: APIRequest) -> HTTPResponse {
            guard request.head.fields["If-None-Match"] == entityTag else { return whole }
            return HTTPResponse(status: 304, fields: whole.fields)
        }
    }

    private func follow(_ request: APIRequest) throws -> HTTPResponse {
        let job = try store.job(request.id("job", of: .job))
        let last = request.head.fields["Last-Event-ID"].flatMap { Int($0) } ?? 0
        let stream = JobEventStream(request, job: job.id, after: max(0, last), store: store, events: events)
        return HTTPResponse(
            status: 200,
            fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"],
            body: .live(stream.body))
    }

    private static func accepted(_ job: Job) -> HTTPResponse {
        .json(job.json, status: 202, fields: ["Location": job.location, "ETag": job.entityTag])
    }

    private static func filter(_ head: HTTPRequestHead) throws(APIError) -> JobFilter {
        let state = head.queryValue("state")
        if let state, JobState(rawValue: state) == nil {
            let names = JobState.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter(name: "state", message: "has to be one of \(names).")
        }
        for thing in [StoreError.Thing.app, .realm] {
            if let value = head.queryValue(thing.rawValue), !Name.isValid(value, of: thing) {
                throw .invalidParameter(
                    name: thing.rawValue, message: "has to be a name: \(Name.rule(of: thing)).")
            }
        }
        if head.queryValue("realm") != nil && head.queryValue("app") == nil {
            throw .invalidParameter(name: "realm", message: "is only taken together with app.")
        }
        return JobFilter(
            app: head.queryValue("app"), realm: head.queryValue("realm"), state: state.flatMap(JobState.init))
    }
}
