import AccessStore
import Columns
import HTTPServer
import JobStore
import MigrationJobs
import RealmFormats
import RealmMigration
import RealmModel

/// The service's HTTP API: authenticates, routes, answers, and turns errors into problem documents.
public final class MigrationAPI: HTTPHandler {
    private let router: Router
    private let keys: BearerKeys
    private let cookie: SessionCookie
    private let origins: AllowedOrigins
    let keyWatch: KeyWatch
    private let limiter: RateLimiter?
    private let kept: KeptRequests
    private let metrics = RequestMetrics()
    private let readiness: Readiness
    private let jobs: JobStore
    private let configuration: APIConfiguration
    private let spool: SpoolDirectory
    private let log: any APILog
    let budgets: RequestBudgets
    /// The groups of the operations that are answered together, by operation.
    private let groups: [String: HTTPGroup<APIRequest>]

    /// Puts the API together.
    ///
    /// - Parameters:
    ///   - jobs: holds jobs, and the apps, realms and snapshots that they are about.
    ///   - access: holds keys, and what is kept of requests.
    ///   - queue: takes migrations.
    ///   - events: tells of jobs; has to be started.
    ///   - decoder: reads uploads.
    ///   - scripts: checks the scripts of declarations, and calls functions of one object.
    ///   - configuration: limits and places.
    ///   - makeScratch: makes an empty store for what a download has to sort; it is let go with the download.
    ///   - makeFile: makes an empty file and names it, for a download that comes about in one; whoever writes removes it. Nil
    ///     for memory.
    ///   - log: is told of requests and failures.
    ///   - isReady: whether the program has done all that clients rely on, such as writing the first key; must not
    ///     block. `/readyz` asks the database besides.
    /// - Throws: where the audit log can't be written.
    public init(
        jobs: JobStore, access: AccessStore, queue: JobQueue, events: JobEvents, decoder: any RealmDecoder,
        scripts: any ScriptChecker & FunctionRunner, configuration: APIConfiguration,
        makeScratch: @escaping @Sendable () throws -> any SegmentStore,
        makeFile: (@Sendable () throws -> String)? = nil,
        log: any APILog, isReady: @escaping @Sendable () -> Bool
    ) throws {
        let audit = try configuration.auditDirectory.map {
            try AuditLog(access, directory: $0, age: configuration.auditAge, log: log)
        }
        self.jobs = jobs
        spool = SpoolDirectory(configuration.spoolDirectory, limit: configuration.spoolLimitBytes)
        readiness = Readiness(
            jobs.store, directories: [configuration.spoolDirectory, configuration.auditDirectory].compactMap(\.self))
        kept = KeptRequests(audit: audit, idempotency: IdempotentRequests(access, log: log))
        cookie = SessionCookie(publicOrigin: configuration.publicOrigin, speaksTLS: configuration.speaksTLS)
        origins = AllowedOrigins(configuration.allowedOrigins)
        let keys = BearerKeys(access, cookie: cookie)
        let keyWatch = KeyWatch(access) { log.failed("/v1/keys", $0) }
        self.keyWatch = keyWatch
        let resources = APIResources(
            jobs: jobs, access: access, queue: queue, events: events, configuration: configuration, scripts: scripts,
            log: log)
        budgets = RequestBudgets(configuration.requestLimits)
        let description = OpenAPIDocument()
        let service = ServiceResource(
            jobs: jobs, version: configuration.version, metrics: metrics, budgets: budgets, readiness: readiness,
            isReady: isReady, description: description)
        router = Router(
            routes: service.routes + DashboardResource().routes
                + resources.ofAccess(
                    flushAudit: { try audit?.flush() }, forgetApp: { keys.forgetTokens(ofApp: $0) },
                    forgetKey: { id in
                        keys.forget(id)
                        keyWatch.end(id)
                    })
                + resources.ofRealms(decoder: decoder, spool: spool, makeScratch: makeScratch, makeFile: makeFile)
                + resources.ofSyncedRealms() + resources.ofJobs())
        description.describe(router.routes)
        self.keys = keys
        limiter = configuration.requestsPerMinute.map { RateLimiter(RateLimiter.Policy(requests: $0)) }
        self.configuration = configuration
        self.log = log
        groups = Dictionary(
            uniqueKeysWithValues: router.routes.compactMap { route in
                route.respondTogether.map { (route.operation, Self.group(route, $0, log)) }
            })
    }

    /// Writes what is left of what is kept of requests; called when the server has stopped.
    public func stop() {
        readiness.stop()
        keyWatch.stop()
        kept.idempotency.stop()
        kept.audit?.stop()
    }

    /// The operations that there are: a method, a path, the name and the query parameters of each.
    var operations: [(method: String, path: String, name: String, query: [String])] {
        routes.map { ($0.method, $0.path.text, $0.operation, $0.query) }
    }

    /// The operations that there are, with all that is said of them.
    var routes: [APIRoute] { router.routes }

    // MARK: HTTPHandler

    /// Finds the route, and asks for the key before anything of the body is read.
    public func route(_ head: HTTPRequestHead) -> HTTPRouting {
        if let response = origins.preflight(head) {
            return .answer(response, name: "preflight", loggedPath: PathTemplate.withoutObjectKey(head.path))
        }
        do {
            let (route, parameters) = try router.match(method: head.method, segments: head.segments)
            return admitAtOnce(route, head, parameters)
        } catch {
            let path = PathTemplate.withoutObjectKey(head.path)
            var response = answer(error, path: head.path, loggedPath: path)
            response.fields.append(contentsOf: origins.fields(of: head))
            return .answer(response, name: "", loggedPath: path)
        }
    }

    /// Answers for the server.
    public func response(to error: HTTPError, path: String) -> HTTPResponse {
        answer(error, path: path, loggedPath: PathTemplate.withoutObjectKey(path))
    }

    /// Counts the request and hands it to the log.
    public func completed(_ access: HTTPAccess) {
        metrics.count(
            operation: access.name.isEmpty ? "none" : access.name, status: access.status, duration: access.duration)
        log.answered(access)
        // A request that ended because its client left, or its key is gone, has not failed.
        if let failure = access.failure, failure as? WorkBudget.Excess != .abandoned, !(failure is KeyEnded) {
            log.failed(access.path, failure)
        }
    }

    // MARK: Routing

    /// Goes as far as it can without the database.
    private func admitAtOnce(
        _ route: APIRoute, _ head: HTTPRequestHead, _ parameters: [String: String]
    ) -> HTTPRouting {
        let request = APIRequest(
            head: head, parameters: parameters, access: .none, whole: nil, answerFields: origins.fields(of: head),
            keyWatch: keyWatch)
        guard route.requirement != .noKey else { return check(route, request) }
        guard let key = keys.secret(of: head) else {
            return refuse(APIError.unauthorized(isKeyGiven: false), request, route)
        }
        if let access = keys.remembered(key) {
            return count(request, access, route) { [self] request in
                let isQuick = route.admit == nil && !request.asksDatabase(for: route.tokens)
                return isQuick ? check(route, request) : .undecided { [self] in check(route, request) }
            }
        }
        return .undecided { [self] in
            do {
                return count(request, try keys.access(key), route) { check(route, $0) }
            } catch {
                return refuse(error, request, route)
            }
        }
    }

    /// Goes on with a request whose key may send it now.
    private func count(
        _ request: APIRequest, _ access: Access, _ route: APIRoute, goOn: (APIRequest) -> HTTPRouting
    ) -> HTTPRouting {
        var fields = access.session == nil ? request.answerFields : APIRequest.sessionFields
        guard let limiter, let key = access.credential else { return goOn(request.with(access, answerFields: fields)) }
        let verdict = limiter.take(key)
        fields.append(contentsOf: verdict.fields(of: limiter.policy))
        let request = request.with(access, answerFields: fields)
        return verdict.isAllowed
            ? goOn(request) : refuse(APIError.rateLimited(untilNext: verdict.untilNext), request, route)
    }

    /// Accepts a request that its access permits, and that can be told to be right before its body comes.
    private func check(_ route: APIRoute, _ request: APIRequest) -> HTTPRouting {
        do {
            if request.access.session != nil { try checkOrigin(route, request) }
            try request.access.check(route.requirement, route.tokens)
            try request.check(route.tokens, in: jobs)
            try route.checkQuery(of: request.head)
            try route.admit?(request)
            return try accept(route, request)
        } catch {
            return refuse(error, request, route)
        }
    }

    /// Refuses a request by cookie that may be another site's, and notes that there was one.
    private func checkOrigin(_ route: APIRoute, _ request: APIRequest) throws(APIError) {
        do {
            try cookie.checkOrigin(of: request.head, changes: route.method != "GET")
        } catch {
            if var entry = AuditLog.entry(of: request, by: route.operation) {
                entry.status = error.problem.status
                kept.audit?.note(refused: entry)
            }
            throw error
        }
    }

    private func accept(_ route: APIRoute, _ request: APIRequest) throws -> HTTPRouting {
        let logged = route.loggedPath(of: request.head.path)
        return .route(
            HTTPRoute(
                route.operation, body: try policy(route.body, request), loggedPath: logged,
                fields: request.answerFields, client: route.client(of: request.access),
                answering: answering(route, request, loggedPath: logged)))
    }

    private func answering(_ route: APIRoute, _ request: APIRequest, loggedPath: String) -> HTTPAnswering {
        if let group = groups[route.operation], Prefer(request.head.fields["Prefer"]).wait == nil {
            return .together(group.place { request.with($0) })
        }
        let (log, budgets) = (log, budgets)
        let refuse: @Sendable (any Error) -> HTTPResponse = {
            Self.answer(request.access.shown($0), path: request.head.path, loggedPath: loggedPath, log)
        }
        // A repeat of a request that has a name may ask for what came of it.
        let endsEarly = !route.changes || route.endsEarly && request.head.fields[IdempotentRequests.field] == nil
        switch route.answering {
        case .directly(.immediate, let respond) where !route.changes:
            return .alone(.immediate) { whole in
                do { return try respond(request.with(whole)) } catch { return refuse(error) }
            }
        case .directly(.working, let respond) where !route.changes:
            return .alone(.working) { whole in
                do {
                    let request = request.with(whole)
                    return try budgets.answer(request, endsEarly: endsEarly) { try respond(request) }
                } catch {
                    return refuse(error)
                }
            }
        case .directly(_, let respond):
            return keeping(route, request, refuse) { request in
                do {
                    return .response(try budgets.answer(request, endsEarly: endsEarly) { try respond(request) })
                } catch {
                    return .response(refuse(error))
                }
            }
        case .patiently(let respond) where !route.changes:
            return .patiently { whole in
                let request = request.with(whole)
                return Self.ask(refuse) { try budgets.ask(request, endsEarly: endsEarly) { try respond(request) } }
            }
        case .patiently(let respond):
            return keeping(route, request, refuse) { request in
                Self.ask(refuse) { try budgets.ask(request, endsEarly: endsEarly) { try respond(request) } }
            }
        }
    }

    /// Answers a request that changes something.
    private func keeping(
        _ route: APIRoute, _ request: APIRequest, _ refuse: @escaping @Sendable (any Error) -> HTTPResponse,
        _ operation: @escaping @Sendable (APIRequest) -> HTTPAnswer
    ) -> HTTPAnswering {
        .patiently { [kept, keys, jobs] whole in
            do {
                // Its body may have taken long to come, and its key or token may have ended meanwhile.
                try keys.requireStill(request.head, for: route.requirement)
                let answer = try kept.answer(request.with(whole), of: route, by: operation)
                guard let (app, change) = request.appChange else { return answer }
                return answer.watched { if $0.status < 300 { jobs.note(change, of: app) } }
            } catch {
                return .response(refuse(error))
            }
        }
    }

    /// Asks an operation until it has an answer.
    ///
    /// - Parameter refuse: answers for an error.
    private static func ask(
        _ refuse: @escaping (any Error) -> HTTPResponse, _ operation: () throws -> APIAnswer
    ) -> HTTPAnswer {
        do {
            switch try operation() {
            case .response(let response): return .response(response)
            case .later(let time, let goOn): return .later(until: time) { ask(refuse, goOn) }
            }
        } catch {
            return .response(refuse(error))
        }
    }

    private static func group(
        _ route: APIRoute, _ respond: @escaping APIRoute.Together, _ log: any APILog
    ) -> HTTPGroup<APIRequest> {
        HTTPGroup { requests in
            let answers = respond(requests)
            return zip(requests, answers).map { request, answer in
                do {
                    return try answer.get()
                } catch {
                    let path = request.head.path
                    return Self.answer(error, path: path, loggedPath: route.loggedPath(of: path), log)
                }
            }
        }
    }

    private func policy(_ body: APIRoute.Body, _ request: APIRequest) throws -> HTTPBodyPolicy {
        switch body {
        case .none: .ignored
        case .json: .buffered(limit: configuration.documentLimitBytes)
        case .realm: .spooled(limit: configuration.uploadLimitBytes, in: spool)
        case .chosen(let choose): try choose(request)
        }
    }

    private func refuse(_ error: any Error, _ request: APIRequest, _ route: APIRoute) -> HTTPRouting {
        let logged = route.loggedPath(of: request.head.path)
        var response = answer(request.access.shown(error), path: request.head.path, loggedPath: logged)
        response.fields.append(contentsOf: request.answerFields)
        return .answer(response, name: route.operation, loggedPath: logged)
    }

    private func answer(_ error: any Error, path: String, loggedPath: String) -> HTTPResponse {
        Self.answer(error, path: path, loggedPath: loggedPath, log)
    }

    private static func answer(
        _ error: any Error, path: String, loggedPath: String, _ log: any APILog
    ) -> HTTPResponse {
        let problem = ErrorResponse.problem(for: error)
        // Refusals of HTTP itself are counted and not written down each time; a full disk is another matter.
        let isRefusal =
            if case .spoolFailed? = error as? HTTPError { false } else {
                error is HTTPError || error is WorkBudget.Excess
            }
        if problem.status >= 500 && !isRefusal { log.failed(loggedPath, error) }
        return problem.response(instance: path)
    }
}

/// Is told what the API does; has to be quick.
public protocol APILog: Sendable {
    /// A request came to its end.
    func answered(_ access: HTTPAccess)
    /// A request failed through no fault of the client; errors hold no values of objects.
    func failed(_ path: String, _ error: any Error)
}
