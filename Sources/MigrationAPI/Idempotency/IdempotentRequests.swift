import AccessStore
import HTTPServer
import RealmJSON
import RealmModel
import Threads

/// Answers a request that its client repeats as it was answered first (`Idempotency-Key`).
final class IdempotentRequests: Sendable {
    /// The field that a client calls its request by.
    static let field = "Idempotency-Key"
    private static let lease = Duration.seconds(20)
    private static let renewal = Duration.seconds(5)
    private static let cleaning = Duration.seconds(3600)

    private struct State {
        var held: [RealmModel.UUID: IdempotentRequest] = [:]
        /// Turns whose clients have left in the middle.
        var abandoned: [Unfinished] = []
        var isStopping = false
    }

    private let access: AccessStore
    private let log: any APILog
    private let state = Monitor(State())
    private let thread = ThreadGroup()

    /// - Parameter log: is told where the database can't be written.
    init(_ access: AccessStore, log: any APILog) {
        self.access = access
        self.log = log
        thread.start("idempotency") { [self] in run() }
    }

    func stop() {
        state.change { $0.isStopping = true }
        thread.wait(timeout: .seconds(5))
    }

    /// Answers a request, by the operation where nobody has answered it yet.
    ///
    /// - Parameters:
    ///   - name: what the client calls it.
    ///   - secrets: members of the answer that are never kept.
    func answer(
        _ request: APIRequest, named name: String, without secrets: [String],
        by operation: (APIRequest) throws -> HTTPAnswer
    ) throws -> HTTPAnswer {
        guard let key = request.access.credential else { return try operation(request) }
        let asked = IdempotentRequest(
            key: key, name: try Self.checked(name), fingerprint: try RequestFingerprint.digest(request))
        switch try access.idempotency.take(asked, for: Self.lease) {
        case .inFlight: throw APIError.idempotencyInFlight
        case .mismatch: throw APIError.idempotencyMismatch
        case .answered(let answer): return .response(answer.response)
        case .taken(let turn, let job):
            var request = request
            request.newJobID = job
            state.change { $0.held[turn] = asked }
            do {
                return Turn(asked, turn, secrets, self).follow(try operation(request))
            } catch {
                giveUp(asked, turn)
                throw error
            }
        }
    }

    private static func checked(_ name: String) throws(APIError) -> String {
        guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidField(name: field, message: "has to be 1 to 255 visible characters of ASCII.")
        }
        return name
    }

    /// One request that is being answered.
    private final class Turn: @unchecked Sendable {
        // Used only by the thread that has the connection in hand.
        private let request: IdempotentRequest
        private let id: RealmModel.UUID
        private let secrets: [String]
        private let requests: IdempotentRequests
        /// Asks the operation again; nil where it has answered.
        private var goOn: (() -> HTTPAnswer)?

        init(_ request: IdempotentRequest, _ id: RealmModel.UUID, _ secrets: [String], _ requests: IdempotentRequests) {
            self.request = request
            self.id = id
            self.secrets = secrets
            self.requests = requests
        }

        deinit {
            guard let goOn else { return }
            requests.state.change { [request, id, secrets] in
                $0.abandoned.append(Unfinished(request: request, turn: id, secrets: secrets, goOn: goOn))
            }
        }

        func follow(_ answer: HTTPAnswer) -> HTTPAnswer {
            switch answer {
            case .response(let response):
                goOn = nil
                requests.finish(request, id, secrets, response)
                return answer
            case .later(let time, let goOn):
                self.goOn = goOn
                return .later(until: time) { [self] in follow(goOn()) }
            }
        }
    }

    /// A request whose client has left: what was begun is brought to an end, so that a repeat gets its answer.
    private struct Unfinished: @unchecked Sendable {
        // Its former holder has let go of it.
        let request: IdempotentRequest
        let turn: RealmModel.UUID
        let secrets: [String]
        let goOn: () -> HTTPAnswer
    }

    private func finish(_ unfinished: Unfinished) {
        var answer = unfinished.goOn()
        // An operation that is told that nobody waits any more answers at once.
        for _ in 0..<3 {
            guard case .later(_, let goOn) = answer else { break }
            answer = goOn()
        }
        guard case .response(let response) = answer else { return giveUp(unfinished.request, unfinished.turn) }
        finish(unfinished.request, unfinished.turn, unfinished.secrets, response)
    }

    private func finish(
        _ request: IdempotentRequest, _ turn: RealmModel.UUID, _ secrets: [String], _ response: HTTPResponse
    ) {
        guard let answer = KeptAnswer(response, without: secrets) else { return giveUp(request, turn) }
        letGo(of: turn) { try access.idempotency.keep(answer, to: request, turn: turn) }
    }

    private func giveUp(_ request: IdempotentRequest, _ turn: RealmModel.UUID) {
        letGo(of: turn) { try access.idempotency.giveUp(request, turn: turn) }
    }

    /// Where that fails, nobody holds the request after the lease.
    private func letGo(of turn: RealmModel.UUID, _ change: () throws -> Void) {
        do {
            try change()
        } catch {
            log.failed(Self.field, error)
        }
        state.withLock { $0.held[turn] = nil }
    }

    // MARK: The thread

    private func run() {
        var nextCleaning = ContinuousClock.now
        while true {
            let due = state.wait(timeout: Self.renewal) { state -> (abandoned: [Unfinished], isStopping: Bool)? in
                guard !state.abandoned.isEmpty || state.isStopping else { return nil }
                defer { state.abandoned = [] }
                return (state.abandoned, state.isStopping)
            }
            for unfinished in due?.abandoned ?? [] { finish(unfinished) }
            if due?.isStopping == true { return }
            do {
                let held = state.withLock { $0.held }
                if !held.isEmpty { try access.idempotency.renew(held, for: Self.lease) }
                if ContinuousClock.now >= nextCleaning {
                    nextCleaning = .now + Self.cleaning
                    try access.idempotency.removeOld()
                    try access.tokens.removeExpired()
                    try access.sessions.removeEnded()
                }
            } catch {
                log.failed(Self.field, error)
            }
        }
    }
}

extension KeptAnswer {
    /// The answer as it is kept; nil where a repeat is to be a first request: the service could not do it, or asked to come again.
    init?(_ response: HTTPResponse, without secrets: [String]) {
        guard response.status < 500, response.status != 429 else { return nil }
        let body: [UInt8]
        switch response.body {
        case .empty: body = []
        case .bytes(let bytes): body = bytes
        case .stream, .live: return nil
        }
        self.init(
            // A cookie is as secret as what it holds.
            status: response.status,
            fields: response.fields.lines.filter { $0.name != "Set-Cookie" }.flatMap { [$0.name, $0.value] },
            body: Self.withoutSecrets(body, secrets))
    }

    private static func withoutSecrets(_ body: [UInt8], _ secrets: [String]) -> [UInt8] {
        guard !secrets.isEmpty, !body.isEmpty else { return body }
        // A body that can't be read might hold a secret.
        guard let members = try? JSONValue.parse(body).members else { return [] }
        return JSONValue.object(members.filter { !secrets.contains($0.name) }).encoded() + [UInt8(ascii: "\n")]
    }

    /// The answer again, which says so.
    fileprivate var response: HTTPResponse {
        var all: HTTPFields = [:]
        for index in stride(from: 0, to: fields.count - 1, by: 2) { all.append(fields[index], fields[index + 1]) }
        all.append("Idempotent-Replayed", "true")
        return HTTPResponse(status: status, fields: all, body: body.isEmpty ? .empty : .bytes(body))
    }
}
