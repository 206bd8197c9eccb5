import HTTPServer
import JobStore
import MigrationJobs
import RealmJSON
import RealmModel
import StoreCore

/// `/v1/jobs`.
struct JobResource: Sendable {
    let jobs: JobStore
    let queue: JobQueue
    let events: JobEvents
    let waiting: JobWaiting
    let log: any APILog
    let version: String

    var routes: [APIRoute] {
        [
            APIRoute(
                "GET", "/v1/jobs", "listJobs", requires: .read, tokens: .list,
                query: ["app", "realm", "state", "kind", "fleet", "since", "until", "sort"] + .countedPage
            ) {
                request in
                let order = try request.head.choice("sort", of: JobOrderOfList.allCases) ?? .newest
                let page = try jobs.list(Self.filter(request), by: order, request.head.page())
                for case .unreadable(let job) in page.items { log.failed("/v1/jobs/\(job.id)", job.reason) }
                return .json(page.map(\.json).json)
            },
            APIRoute(
                "GET", "/v1/jobs/{job}", "getJob", requires: .deviceOr(.read), tokens: .job, query: [],
                together: answers(to:),
                answering: .patiently(job)),
            APIRoute("DELETE", "/v1/jobs/{job}", "deleteJob", requires: .migrate, tokens: .job, query: []) { request in
                try jobs.delete(request.jobID(in: jobs))
                return .noContent
            },
            APIRoute("GET", "/v1/jobs/{job}/log", "getJobLog", requires: .read, tokens: .job, query: .page) { request in
                let page = try jobs.log(of: request.jobID(in: jobs), request.head.page())
                return .json(page.map(\.json).json)
            },
            APIRoute(
                "POST", "/v1/jobs/{job}/cancel", "cancelJob", requires: .migrate, tokens: .job, query: [], body: .json
            ) {
                request in
                try JSONBody.requireNone(request)
                return try Self.accepted(jobs.cancel(request.jobID(in: jobs)))
            },
            APIRoute(
                "POST", "/v1/jobs/{job}/retry", "retryJob", requires: .migrate, tokens: .job, query: [], body: .json
            ) {
                request in
                try JSONBody.requireNone(request)
                return try Self.accepted(jobs.retry(request.jobID(in: jobs)))
            },
            APIRoute(
                "GET", "/v1/jobs/{job}/report", "getReport", requires: .read, tokens: .job,
                query: ["format", "values"],
                respond: report),
            APIRoute("GET", "/v1/jobs/{job}/quarantine", "listQuarantine", requires: .read, tokens: .job, query: .page)
            { request in
                let page = try jobs.quarantine(of: request.jobID(in: jobs), request.head.page())
                return .json(page.map(\.json).json)
            },
            APIRoute(
                "POST", "/v1/jobs/{job}/quarantine/retry", "retryQuarantine", requires: .migrate, tokens: .job,
                query: [], body: .json
            ) { request in
                let id = try request.jobID(in: jobs)
                let body = try JSONBody(
                    try JSONBody.document(of: request, emptyIsObject: true), members: ["migration"])
                let migration = try body.migration("migration")
                return Self.accepted(
                    try queue.asked(by: request).retryQuarantine(of: id, by: migration))
            },
            APIRoute(
                "POST", "/v1/jobs/{job}/promote", "promoteJob", requires: .migrate, tokens: .job, query: [], body: .json
            ) {
                request in
                try JSONBody.requireNone(request)
                let realm = try jobs.promote(request.jobID(in: jobs))
                jobs.note(.realm(realm.name), of: realm.app)
                return try jobs.realm(realm.name, in: realm.app, among: request.access.realms?.names)
                    .answer(unsyncedLimit: jobs.store.unsyncedLimit)
            },
            APIRoute(
                "GET", "/v1/jobs/{job}/events", "followJob", requires: .read, tokens: .job, query: [], respond: follow),
        ]
    }

    private func job(_ request: APIRequest) throws -> APIAnswer {
        try waiting.answer(request, job: request.shownJobID(in: jobs)) { job, fields in
            Answer(job, fields: fields).response(to: request)
        }
    }

    /// Answers requests that do not wait, by one query for all; a job is encoded once however many ask for it.
    private func answers(to requests: [APIRequest]) -> [Result<HTTPResponse, any Error>] {
        let ids = requests.map { request in Result { try request.uncheckedJobID() } }
        // One that is no id keeps its error in `ids`.
        let found = Result {
            try jobs.find(Set(ids.compactMap { try? $0.get() })).mapValues { job in
                job.map { Answer($0, fields: JobWaiting.fields(of: $0)) }
            }
        }
        return zip(requests, ids).map { request, id in
            Result {
                let (id, found) = (try id.get(), try found.get())
                guard let answer = found[id], Self.sees(request.access, answer) else {
                    throw StoreError.notFound(.job, "\(id)")
                }
                return try answer.get().response(to: request)
            }
        }
    }

    /// Whether a job that others asked for too is one of this one's; one that can't be read is, where all are.
    private static func sees(_ access: Access, _ answer: Result<Answer, any Error>) -> Bool {
        switch answer {
        case .success(let answer): access.sees(answer.job)
        case .failure: access.apps == .all && access.scopes.contains(.read)
        }
    }

    /// The answer about a job.
    private struct Answer {
        let job: Job
        private let entityTag: String
        private let whole: HTTPResponse

        init(_ job: Job, fields: HTTPFields) {
            self.job = job
            entityTag = job.entityTag
            whole = .json(job.json, fields: fields)
        }

        func response(to request: APIRequest) -> HTTPResponse {
            guard Preconditions(request.head).clientHas(entityTag) else { return whole }
            return HTTPResponse(status: 304, fields: whole.fields)
        }
    }

    private func report(_ request: APIRequest) throws -> HTTPResponse {
        let job = try request.job(in: jobs)
        let form = try ReportForm(of: request)
        let report = try JSONValue.parse(try jobs.report(of: job.id))
        let showsValues = try request.head.flag("values")
        return form.response(report, of: job, showsValues: showsValues, version: version)
    }

    private func follow(_ request: APIRequest) throws -> HTTPResponse {
        let job = try request.job(in: jobs)
        let last = request.head.fields["Last-Event-ID"].flatMap { Int($0) } ?? 0
        let stream = JobEventStream(request, job: job.id, after: max(0, last), jobs: jobs, events: events)
        return .events(stream.body)
    }

    private static func accepted(_ job: Job) -> HTTPResponse {
        .json(job.json, status: 202, fields: ["Location": job.location, "ETag": job.entityTag])
    }

    private static func filter(_ request: APIRequest) throws(APIError) -> JobFilter {
        let head = request.head
        for thing in [StoreError.Thing.app, .realm] {
            if let value = head.queryValue(thing.rawValue), !ResourceName.isValid(value, of: thing) {
                throw .invalidParameter(
                    name: thing.rawValue, message: "has to be a name: \(ResourceName.rule(of: thing)).")
            }
        }
        if head.queryValue("realm") != nil && head.queryValue("app") == nil {
            throw .invalidParameter(name: "realm", message: "is only taken together with app.")
        }
        if head.queryValue("fleet") != nil && head.queryValue("app") == nil {
            throw .invalidParameter(name: "fleet", message: "is only taken together with app.")
        }
        var filter = JobFilter(
            app: head.queryValue("app"), realm: head.queryValue("realm"), among: request.access.apps,
            realms: request.access.realms)
        filter.states = Set(try head.choices("state", of: JobState.allCases) ?? [])
        filter.kinds = Set(try head.choices("kind", of: JobKind.allCases) ?? [])
        filter.fleet = try head.queryValue("fleet").map { text throws(APIError) in
            guard let id = RealmModel.UUID(text) else {
                throw .invalidParameter(name: "fleet", message: "has to be the id of a fleet.")
            }
            return id
        }
        (filter.since, filter.until) = (try head.time("since"), try head.time("until"))
        return filter
    }
}
