import Foundation
import Glibc
import HTTPServer
import TestHTTP
import Threads

/// A server with some routes to test with, stopped when the object goes.
final class TestServer: Sendable {
    let handler = TestHandler()
    private let server: HTTPServer

    init(_ adjust: (inout HTTPServerConfiguration) -> Void = { _ in }) throws {
        var configuration = HTTPServerConfiguration(port: 0, eventThreads: 2)
        adjust(&configuration)
        server = try HTTPServer(configuration, handler: handler)
    }

    deinit {
        stop()
        // A request that waits at the end keeps the handler, whose own end comes too late.
        rmdir(handler.directory)
    }

    var port: UInt16 { server.port }

    func stop(within patience: Duration = .milliseconds(200)) { server.stop(within: patience) }

    func reloadCertificate() throws { try server.reloadCertificate() }

    func client() throws -> SocketClient { try SocketClient(port: server.port) }
}

/// Bytes that differ along their way, so that a lost or doubled block shows.
func pattern(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: index &* 31 &+ index >> 11) }
        filled = count
    }
}

/// FNV-1a, enough to see a difference.
func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

struct ProducerFailure: Error {}

final class TestHandler: HTTPHandler {
    static let spoolLimit = 48 << 20
    let directory: String
    let spool: SpoolDirectory
    let accesses = Mutex<[HTTPAccess]>([])
    let openFiles = Mutex<[Int32]>([])
    /// Those who wait, in the order they came.
    let waits = Mutex<[HTTPWaker]>([])
    /// The clients that hold a worker, until all are let go.
    let held = Monitor((clients: [String](), areLetGo: false))
    /// Texts that live bodies give when they are woken.
    let news = Mutex<[String]>([])
    /// Answers each request with its path, after a while in which others come.
    private let group = HTTPGroup<String>(limit: 64) { names in
        usleep(20_000)
        return names.map { TestHandler.answer("\($0) of \(names.count)") }
    }

    init() {
        directory = NSTemporaryDirectory() + "http-tests-\(UInt64.random(in: 0 ... .max))"
        mkdir(directory, 0o700)
        spool = SpoolDirectory(directory, limit: 2 * Self.spoolLimit)
    }

    deinit { rmdir(directory) }

    func route(_ head: HTTPRequestHead) -> HTTPRouting {
        guard head.queryValue("undecided") != nil else { return decide(head) }
        return .undecided { [self] in
            usleep(2000)
            return decide(head)
        }
    }

    private func decide(_ head: HTTPRequestHead) -> HTTPRouting {
        let logged = head.path
        let number = head.segments.count > 1 ? Int(head.segments[1]) ?? 0 : 0
        switch head.segments[0] {
        case "segments":
            return .route(
                HTTPRoute("test", execution: .immediate, loggedPath: logged) { request in
                    let query = request.head.query.map { "\($0.name)=\($0.value)" }
                    return Self.answer((request.head.segments + query).joined(separator: "|"))
                })
        case "bytes":
            return .route(
                HTTPRoute("test", execution: .immediate, loggedPath: logged) { _ in
                    HTTPResponse(
                        status: 200, fields: ["Content-Type": "application/octet-stream"], body: .bytes(pattern(number))
                    )
                })
        case "stream":
            let execution: HTTPExecution = head.queryValue("on") == "event" ? .immediate : .working
            return .route(
                HTTPRoute("test", execution: execution, loggedPath: logged) { _ in
                    Self.stream(number, execution, failingAt: head.queryValue("fail").flatMap { Int($0) })
                })
        case "buffered":
            return .route(
                HTTPRoute("test", body: .buffered(limit: 1000), execution: .immediate, loggedPath: logged) { request in
                    Self.answer("\(request.bytes.count) \(hash(request.bytes))")
                })
        case "spooled":
            return .route(
                HTTPRoute("test", body: .spooled(limit: Self.spoolLimit, in: spool), loggedPath: logged) {
                    Self.answer(Self.describe($0.body))
                })
        default: return decideWaiting(head)
        }
    }

    /// The routes whose answers wait for something, or for somebody.
    private func decideWaiting(_ head: HTTPRequestHead) -> HTTPRouting {
        let logged = head.path
        let number = head.segments.count > 1 ? Int(head.segments[1]) ?? 0 : 0
        switch head.segments[0] {
        case "wait":
            return .route(
                HTTPRoute(
                    "test", loggedPath: logged,
                    answering: .patiently { [self] request in
                        waits.withLock { $0.append(request.waker) }
                        return Self.wait(request, until: .now + .seconds(number))
                    }))
        case "live":
            return .route(
                HTTPRoute("test", loggedPath: logged) { [self] request in
                    waits.withLock { $0.append(request.waker) }
                    return live(request)
                })
        case "together":
            return .route(
                HTTPRoute("test", loggedPath: logged, answering: .together(group.place { $0.head.segments[1] })))
        case "held":
            let client = head.segments[1]
            return .route(
                HTTPRoute(
                    "test", loggedPath: logged, client: HTTPClient(Array(client.utf8)),
                    answering: .alone(.working) { [self] _ in
                        held.change { $0.clients.append(client) }
                        held.wait(timeout: .seconds(60)) { $0.areLetGo }
                        return Self.answer(client)
                    }))
        case "endless":
            return .route(
                HTTPRoute(
                    "test", loggedPath: logged, client: HTTPClient(Array(head.segments[1].utf8)),
                    answering: .alone(.working) { _ in
                        HTTPResponse(
                            status: 200,
                            body: .stream(.working) {
                                usleep(10_000)
                                return [0]
                            })
                    }))
        case "client":
            let client = HTTPClient(Array(head.segments[1].utf8))
            return .route(
                HTTPRoute(
                    "test", loggedPath: logged, client: client,
                    answering: .alone(.working) { _ in Self.answer("served") }))
        case "deaf":
            return .route(
                HTTPRoute("test", execution: .working, loggedPath: logged) { _ in
                    usleep(1_000_000)
                    return Self.answer("late")
                })
        default: return .answer(Self.answer("no such thing", status: 404), name: "", loggedPath: "/hidden")
        }
    }

    func response(to error: HTTPError, path: String) -> HTTPResponse {
        let status =
            switch error {
            case .malformedMessage, .malformedTarget, .malformedContentCoding: 400
            case .timedOut: 408
            case .unknownExpectation: 417
            case .headTooLarge: 431
            case .unsupportedTransferCoding: 501
            case .unsupportedVersion: 505
            case .contentTooLarge: 413
            case .unsupportedContentCoding: 415
            case .overloaded: 503
            default: 500
            }
        return Self.answer(error.description, status: status)
    }

    func completed(_ access: HTTPAccess) { accesses.withLock { $0.append(access) } }

    /// The accesses so far, once there are as many as expected.
    func accesses(_ count: Int) -> [HTTPAccess] {
        for _ in 0..<1000 {
            let known = accesses.withLock { $0 }
            if known.count >= count { return known }
            usleep(5000)
        }
        return accesses.withLock { $0 }
    }

    private static func answer(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, fields: ["Content-Type": "text/plain"], body: .bytes(Array(text.utf8)))
    }

    private static func stream(_ count: Int, _ execution: HTTPExecution, failingAt: Int?) -> HTTPResponse {
        let all = pattern(count)
        var position = 0
        return HTTPResponse(
            status: 200,
            body: .stream(execution) {
                if let failingAt, position >= failingAt { throw ProducerFailure() }
                guard position < all.count else { return nil }
                defer { position += 100_003 }
                return Array(all[position..<min(all.count, position + 100_003)])
            })
    }

    private static func wait(_ request: HTTPRequest, until end: ContinuousClock.Instant) -> HTTPAnswer {
        if request.shouldStopWaiting { return .response(answer("stopped")) }
        if end <= .now { return .response(answer("waited")) }
        return .later(until: end) { wait(request, until: request.head.queryValue("once") == nil ? end : .now) }
    }

    /// Gives every piece of news, and ends with the one that says so.
    private func live(_ request: HTTPRequest) -> HTTPResponse {
        var given = 0
        var isOver = false
        return HTTPResponse(
            status: 200,
            body: .live(
                HTTPLiveBody(heartbeat: Array(".".utf8), silence: .milliseconds(300)) { [self] in
                    if isOver || request.shouldStopWaiting { return .end }
                    let all = news.withLock { $0 }
                    guard given < all.count else { return .nothing }
                    defer { given = all.count }
                    if all.last == "fail" { throw ProducerFailure() }
                    isOver = all.last == "end"
                    return .bytes(Array(all[given...].joined().utf8))
                }))
    }

    /// Those who wait, once there are as many as expected.
    func wakers(_ count: Int) -> [HTTPWaker] {
        for _ in 0..<1000 {
            let known = waits.withLock { $0 }
            if known.count >= count { return known }
            usleep(5000)
        }
        return waits.withLock { $0 }
    }

    private static func describe(_ body: HTTPRequest.Body) -> String {
        guard case .file(let file) = body else { return "no file" }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = read(file.fileDescriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return "\(file.byteCount) \(hash(bytes))"
    }
}
