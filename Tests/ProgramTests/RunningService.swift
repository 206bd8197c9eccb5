import Foundation
import RealmJSON
import TestHTTP

/// A `realmshift serve` of a test: a real process with its own PostgreSQL, on a port of its own.
final class RunningService {
    struct NotReady: Error { let log: String }

    let folder: TemporaryFolder
    let process = Process()
    private(set) var port: UInt16 = 0
    private(set) var key = ""
    /// How many seconds requests wait for an answer.
    var patience = 20

    /// - Parameters:
    ///   - data: the data directory of an earlier service; nil for a new one.
    ///   - known: the administrator's key where the service makes none; nil for the one that it has made.
    init(_ options: [String] = [], data: String? = nil, key known: String? = nil) throws {
        folder = try TemporaryFolder()
        let data = data ?? folder.path("data")
        let log = try folder.file("serve.log", "")
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path())
        let listen = options.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
        process.arguments = ["serve", "--data", data] + listen + options
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        try waitUntilReady(log)
        key = try known ?? String(contentsOfFile: data + "/admin.key", encoding: .utf8).filter { !$0.isNewline }
    }

    deinit { _ = stop() }

    /// The address of the service's private database: its socket is among its files.
    var databaseURL: String { "postgresql:///postgres?user=realmshift&host=" + folder.path("data/postgres") }

    /// The service's log.
    func log() throws -> String { try String(contentsOfFile: folder.path("serve.log"), encoding: .utf8) }

    /// Ends the service by SIGTERM and answers its exit code.
    func stop() -> Int32 {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Sends a request with the administrator's key.
    func send(
        _ method: String, _ path: String, type: String = "application/json", body: [UInt8]? = nil,
        fields: [(String, String)] = [], key: String? = nil
    ) throws -> SocketResponse {
        var all = fields + [("Authorization", "Bearer " + (key ?? self.key))]
        if body != nil { all.append(("Content-Type", type)) }
        return try SocketClient(port: port, patience: patience).request(method, path, fields: all, body: body)
    }

    /// Sends a JSON document and reads one.
    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil, fields: [(String, String)] = []
    ) throws -> (status: Int, json: JSONValue) {
        let response = try send(method, path, body: body?.encoded(), fields: fields)
        return (response.status, response.body.isEmpty ? .null : try JSONValue.parse(response.body))
    }

    /// Starts a migration and waits for its end.
    func migrate(_ realm: String, of app: String, _ request: JSONValue) throws -> JSONValue {
        var job = try call(
            "POST", "/v1/apps/\(app)/realms/\(realm)/migrations", request, fields: [("Prefer", "wait=15")]
        ).json
        for _ in 0..<20 where ["queued", "running"].contains(job["state"]?.string) {
            job = try call("GET", "/v1/jobs/\(job["id"]?.string ?? "")", fields: [("Prefer", "wait=15")]).json
        }
        return job
    }

    private func waitUntilReady(_ log: String) throws {
        for _ in 0..<600 {
            let text = try String(contentsOfFile: log, encoding: .utf8)
            if let line = text.split(separator: "\n").first(where: { $0.contains("listening on http://") }) {
                port = line.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
                if try SocketClient(port: port).request("GET", "/readyz").status == 200 { return }
            }
            guard process.isRunning else { throw NotReady(log: text) }
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw NotReady(log: try String(contentsOfFile: log, encoding: .utf8))
    }
}
