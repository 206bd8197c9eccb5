import CMicroHTTPD
import Glibc
import Synchronization

/// One request from its head to the last byte of its answer.
///
/// It belongs to the thread that serves the connection, except while the connection is suspended: then to a worker.
/// `phase` says who has it, and is the only thing that both may look at.
final class Exchange: @unchecked Sendable {
    enum Phase {
        /// Suspended: a worker decides what becomes of the request.
        case deciding
        /// It is decided, and no byte of the body was read yet.
        case decided
        /// The body comes in.
        case receiving
        /// Suspended: a worker computes the response.
        case working
        /// The response is there and not queued yet.
        case answered
        /// The response is being sent.
        case sending
        /// Suspended: a worker produces the next piece of the body.
        case producing
        /// The server stops and waits no longer; a worker may still be busy with it.
        case abandoned
    }

    /// Bytes of a body that are read and forgotten for the sake of a client that reads the answer only after sending.
    private static let swallowLimit = 64 << 20

    let core: ServerCore
    private let connection: OpaquePointer
    private let socket: Int32
    private let method: String
    private let path: String
    private var name = ""
    private var loggedPath: String
    private let start = ContinuousClock.now
    private let phase = Mutex(Phase.receiving)

    private var head: HTTPRequestHead?
    private var routing: HTTPRouting?
    private var route: HTTPRoute?
    private var sink: BodySink?
    private var swallowed = 0
    private var isHangingUp = false
    private var response: HTTPResponse?
    private var status = 0
    private var pieces: PieceReader?

    init(core: ServerCore, connection: OpaquePointer, method: String, path: String) {
        self.core = core
        self.connection = connection
        self.method = method
        self.path = path
        loggedPath = path
        socket = realmshift_connection_socket(connection)
    }

    // MARK: Receiving

    /// Decides what becomes of the request; called once, when the head is there.
    func begin(query: [(name: String, value: String)], fields: HTTPFields) -> MHD_Result {
        do throws(HTTPError) {
            let head = try HTTPRequestHead(method: method, path: path, query: query, fields: fields)
            self.head = head
            if case .undecided(let decide) = try accept(core.handler.route(head)) { return suspend(toDecide: decide) }
        } catch {
            response = core.handler.response(to: error, path: path)
        }
        return isAnsweredAtOnce ? queueResponse() : .YES
    }

    private func suspend(toDecide decide: @escaping @Sendable () -> HTTPRouting) -> MHD_Result {
        let isSuspended = suspend(into: .deciding) {
            core.submit(.working) { [self] in
                var decision = decide()
                while case .undecided(let decide) = decision { decision = decide() }
                resume(from: .deciding, to: .decided) { routing = decision }
            }
        }
        return isSuspended ? .YES : refuseWork()
    }

    private func goOnDecided() -> MHD_Result {
        phase.withLock { if $0 == .decided { $0 = .receiving } }
        do throws(HTTPError) {
            if let routing { try accept(routing) }
        } catch {
            response = core.handler.response(to: error, path: path)
        }
        routing = nil
        return isAnsweredAtOnce ? queueResponse() : .YES
    }

    /// Prepares for what was decided, and gives it back.
    @discardableResult private func accept(_ routing: HTTPRouting) throws(HTTPError) -> HTTPRouting {
        switch routing {
        case .undecided: break
        case .answer(let answer, let name, let logged):
            response = answer
            (self.name, loggedPath) = (name, logged)
        case .route(let route):
            (name, loggedPath) = (route.name, route.loggedPath)
            self.route = route
            sink = try BodySink(route.body, fields: head?.fields ?? [:])
        }
        return routing
    }

    /// A client that waits for leave to send, or wants to send very much, gets its refusal without being read.
    private var isAnsweredAtOnce: Bool {
        guard response != nil, let fields = head?.fields else { return false }
        let length = fields["Content-Length"].flatMap { Int($0) } ?? 0
        return fields["Expect"] != nil || length > Self.swallowLimit
    }

    /// Takes a part of the body.
    func receive(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        noticeHangUp()
        guard response == nil else {
            swallowed += bytes.count
            return swallowed <= Self.swallowLimit ? .YES : .NO
        }
        do throws(HTTPError) {
            try sink?.receive(bytes)
        } catch {
            sink = nil
            response = core.handler.response(to: error, path: path)
        }
        return .YES
    }

    /// Lets a connection time out soon that its client closed in the middle of a body.
    ///
    /// With edge-triggered epoll libmicrohttpd misses the end of a connection that arrives together with bytes. What is
    /// still in its buffer is handed on at once; where that is all of the body, `proceed` takes the time-out back.
    private func noticeHangUp() {
        guard !isHangingUp, Self.isClosedByClient(socket) else { return }
        isHangingUp = true
        realmshift_set_timeout(connection, 1)
    }

    /// Goes on after the end of the body, and again whenever the connection was resumed.
    func proceed() -> MHD_Result {
        switch phase.withLock({ $0 }) {
        case .decided: return goOnDecided()
        case .receiving: return response == nil ? respond() : queueResponse()
        case .answered: return queueResponse()
        case .deciding, .working, .sending, .producing: return .YES
        case .abandoned: return .NO
        }
    }

    // MARK: Answering

    private func respond() -> MHD_Result {
        guard let head, let route, var sink else { return .NO }
        self.sink = nil
        if isHangingUp { realmshift_set_timeout(connection, core.idleTimeoutSeconds) }
        let body: HTTPRequest.Body
        do throws(HTTPError) {
            body = try sink.finish()
        } catch {
            response = core.handler.response(to: error, path: path)
            return queueResponse()
        }
        let request = HTTPRequest(head: head, body: body, waitIsPointless: waitIsPointless)
        if case .alone(.immediate, let respond) = route.answering {
            response = respond(request)
            return queueResponse()
        }
        return suspend(into: .working) { start(route.answering, request) } ? .YES : refuseWork()
    }

    /// Has a worker answer; false where there is none.
    private func start(_ answering: HTTPAnswering, _ request: HTTPRequest) -> Bool {
        switch answering {
        case .alone(let execution, let respond):
            core.submit(execution) { [self] in deliver(respond(request)) }
        case .together(let group):
            group.add(request, { [self] in deliver($0) }, start: { core.submit(.working) { group.answer() } })
        }
    }

    private func deliver(_ answer: HTTPResponse) {
        resume(from: .working, to: .answered) { response = answer }
    }

    /// Answers where no worker is to be had.
    private func refuseWork() -> MHD_Result {
        guard !core.isAbandoning else { return .NO }
        response = core.handler.response(to: .overloaded, path: path)
        return isAnsweredAtOnce || sink == nil ? queueResponse() : .YES
    }

    private var waitIsPointless: @Sendable () -> Bool {
        { [core, socket] in core.isDraining || Self.isClosedByClient(socket) }
    }

    private static func isClosedByClient(_ socket: Int32) -> Bool {
        // POLLRDHUP, which the headers show only to GNU sources.
        let closedForReading: Int32 = 0x2000
        var descriptor = pollfd(fd: socket, events: Int16(closedForReading), revents: 0)
        return poll(&descriptor, 1, 0) > 0 && Int32(descriptor.revents) & (closedForReading | POLLHUP | POLLERR) != 0
    }

    private func queueResponse() -> MHD_Result {
        guard var response else { return .NO }
        self.response = nil
        phase.withLock { if $0 != .abandoned { $0 = .sending } }
        if core.isDraining { response.fields["Connection"] = "close" }
        status = response.status
        guard let handle = makeHandle(response.body) else { return .NO }
        defer { MHD_destroy_response(handle) }
        // libmicrohttpd would send the last chunk of a streamed body even to HEAD.
        if pieces != nil && method == "HEAD" { realmshift_end_with_connection(handle) }
        for line in response.fields.lines { MHD_add_response_header(handle, line.name, line.value) }
        return MHD_queue_response(connection, UInt32(response.status), handle)
    }

    private func makeHandle(_ body: HTTPResponse.Body) -> OpaquePointer? {
        switch body {
        case .empty: return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(var bytes):
            return bytes.withUnsafeMutableBytes {
                MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
            }
        case .stream(let execution, let produce):
            pieces = PieceReader(execution: execution, produce: produce)
            return MHD_create_response_from_callback(
                UInt64.max, 64 << 10, MicroHTTPDCallbacks.read, Unmanaged.passRetained(self).toOpaque(),
                MicroHTTPDCallbacks.free)
        }
    }

    // MARK: Sending

    /// Copies what there is of a streamed body; 0 where the connection was suspended until there is more.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let pieces, phase.withLock({ $0 }) == .sending else { return MicroHTTPDCallbacks.brokenOff }
        while true {
            let count = pieces.copy(into: buffer)
            if count > 0 { return count }
            if pieces.failure != nil {
                ConnectionReset.send(on: socket)
                return MicroHTTPDCallbacks.brokenOff
            }
            if pieces.isAtEnd { return MicroHTTPDCallbacks.endOfStream }
            guard pieces.execution == .immediate else { return produce(pieces) }
            pieces.produceNext()
        }
    }

    private func produce(_ pieces: PieceReader) -> Int {
        let isSuspended = suspend(into: .producing) {
            core.submit(pieces.execution) { [self] in
                pieces.produceNext()
                resume(from: .producing, to: .sending) {}
            }
        }
        return isSuspended ? 0 : MicroHTTPDCallbacks.brokenOff
    }

    // MARK: Suspending

    /// Puts the connection to sleep where work for it could be started; false where it could not.
    private func suspend(into next: Phase, starting work: () -> Bool) -> Bool {
        phase.withLock { phase in
            // The worker can't resume before the lock is given back, however quick it is.
            guard phase != .abandoned, !core.isAbandoning, work() else { return false }
            MHD_suspend_connection(connection)
            phase = next
            return true
        }
    }

    /// Wakes the connection, unless it was given up meanwhile.
    ///
    /// Not under the lock: the thread that serves the connection looks at `phase` as soon as it is awake, on the
    /// processor of the one that woke it as often as not.
    private func resume(from expected: Phase, to next: Phase, _ handOver: () -> Void) {
        core.resuming {
            let isExpected = phase.withLock { phase in
                guard phase == expected else { return false }
                handOver()
                phase = next
                return true
            }
            if isExpected { MHD_resume_connection(connection) }
        }
    }

    /// Gives the request up; what its worker still answers is forgotten.
    func abandon() {
        phase.withLock { phase in
            if [.deciding, .working, .producing].contains(phase) { MHD_resume_connection(connection) }
            phase = .abandoned
        }
    }

    /// Reports the request, after its last byte or its connection's end.
    func complete() {
        core.end(self)
        let duration = ContinuousClock.now - start
        core.handler.completed(
            HTTPAccess(
                method: method, name: name, path: loggedPath, status: status, duration: duration,
                failure: pieces?.failure))
    }
}
