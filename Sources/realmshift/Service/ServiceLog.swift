import Glibc
import HTTPServer
import MigrationAPI
import MigrationJobs
import RealmJSON
import RealmModel

/// The service's log: a line an event on standard error, of JSON but for what tells an operator how the service starts and ends, and
/// never a value of an object in it.
struct ServiceLog: APILog, WorkerLog {
    /// Whether every request gets a line.
    let logsRequests: Bool
    /// Whether the beginning and the end of every attempt of a job get a line.
    let logsJobs: Bool

    /// Writes a line with the time in front.
    func note(_ text: String) {
        Console.error("\(Self.now) \(text)\n")
    }

    func answered(_ access: HTTPAccess) {
        guard logsRequests else { return }
        write(
            "request",
            [
                JSONMember("requestId", .string(access.requestID)),
                JSONMember("traceId", access.traceParent.map { .string($0.traceID) } ?? .null),
                JSONMember("method", .string(access.method)),
                JSONMember("path", .string(access.path)), JSONMember("operation", .string(access.name)),
                JSONMember("status", .int(Int64(access.status))),
                JSONMember("durationSeconds", .double(access.duration.inSeconds)),
            ])
    }

    func failed(_ path: String, _ error: any Error) {
        write("error", [JSONMember("path", .string(path)), JSONMember("error", .string("\(error)"))])
    }

    func failed(_ what: String, job: RealmModel.UUID?, _ reason: String) {
        write(
            "error",
            [
                JSONMember("job", job.map { .string("\($0)") } ?? .null), JSONMember("what", .string(what)),
                JSONMember("error", .string(reason)),
            ])
    }

    func happened(_ event: AttemptEvent) {
        guard logsJobs else { return }
        write(
            "job",
            [
                JSONMember("job", .string("\(event.job)")), JSONMember("kind", .string(event.kind.rawValue)),
                JSONMember("app", .string(event.app)), JSONMember("attempt", .int(Int64(event.attempt))),
                JSONMember("requestId", event.requestID.map { .string($0) } ?? .null),
                JSONMember(
                    "traceId", event.traceParent.flatMap { TraceParent($0) }.map { .string($0.traceID) } ?? .null),
            ] + Self.members(of: event))
    }

    /// Writes a line of JSON.
    private func write(_ event: String, _ members: [JSONMember]) {
        let head = [JSONMember("time", .string(Self.now)), JSONMember("event", .string(event))]
        Console.error(JSONValue.object(head + members).text + "\n")
    }

    private static func members(of event: AttemptEvent) -> [JSONMember] {
        switch event.what {
        case .started(let waited):
            [JSONMember("what", "started"), JSONMember("waitSeconds", .double(waited.inSeconds))]
        case .ended(let end, let duration, let problem, let retry):
            [
                JSONMember("what", .string(end.rawValue)),
                JSONMember("durationSeconds", duration.map { .double($0.inSeconds) } ?? .null),
                JSONMember("error", problem.map { .string($0) } ?? .null), JSONMember("killed", .bool(event.isKill)),
                JSONMember("retrySeconds", retry.map { .double($0.inSeconds) } ?? .null),
            ]
        }
    }

    private static var now: String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var parts = tm()
        gmtime_r(&time.tv_sec, &parts)
        let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map(padded)
        let clock = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)].map(padded)
        let milliseconds = String(1000 + time.tv_nsec / 1_000_000).dropFirst()
        return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":")).\(milliseconds)Z"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

extension Duration {
    /// Seconds, to the microsecond.
    fileprivate var inSeconds: Double { (self / .seconds(1) * 1e6).rounded() / 1e6 }
}

extension JSONValue {
    /// The value in one line.
    fileprivate var text: String { String(decoding: encoded(), as: UTF8.self) }
}
