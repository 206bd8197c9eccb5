import AccessStore
import Columns
import Foundation
import HTTPServer
import JobStore
import MigrationJobs
import Postgres
import RealmJSON
import RealmMigration
import RealmModel
import Sandbox
import ScriptParent
import SnapshotStore
import StoreCore
import TestDatabase
import TestHTTP
import TestStores
import Testing
import Threads

@testable import MigrationAPI

/// The API over a real database and a real socket.
final class APIServer: Sendable {
    static let limit = 200_000

    let store: SnapshotStore
    let pool: PostgresPool
    let jobs: JobStore
    let access: AccessStore
    let queue: JobQueue
    /// Runs scripts and functions.
    let scripts: SandboxedScriptRunner
    let events: JobEvents
    let key: String
    let log = LogOfTest()
    let api: MigrationAPI
    let spool: String
    let journals = NSTemporaryDirectory() + "api-audit-\(UInt64.random(in: 0 ... .max))"
    let readiness: Readiness
    let followsJobs: Bool
    private let server: HTTPServer
    private let prepared: String?

    /// - Parameters:
    ///   - followsJobs: whether changes of jobs are told of; takes half a second at the end.
    ///   - documentLimit: the most bytes of a JSON document, and of an upload.
    ///   - unsyncedLimit: how many objects of a synced realm may be unsynced.
    ///   - requestLimits: how much one request may take.
    ///   - requestsPerMinute: how many requests a key may send.
    ///   - quota: what an app may keep.
    ///   - scriptLimits: what scripts may use at most.
    ///   - database: leads to an empty place for tables; nil for one of its own.
    init(
        followsJobs: Bool = false, documentLimit: Int? = nil, unsyncedLimit: Int = 100_000,
        requestLimits: RequestLimits = RequestLimits(), requestsPerMinute: Int? = nil, quota: AppQuota = AppQuota(),
        scriptLimits: ScriptLimits = ScriptLimits(), publicOrigin: String? = nil, allowedOrigins: [String] = [],
        database: String? = nil
    ) throws {
        prepared = try database == nil ? PreparedDatabase.take() : nil
        pool = PostgresPool(database ?? prepared ?? "", size: 4)
        try DatabaseSchema.upgrade(pool)
        store = SnapshotStore(pool, unsyncedLimit: unsyncedLimit)
        jobs = JobStore(store)
        access = AccessStore(pool)
        queue = JobQueue(jobs, scriptLimits: scriptLimits)
        events = JobEvents(jobs, log: log)
        self.followsJobs = followsJobs
        if followsJobs { events.start() }
        key = try access.keys.create(named: "test", scopes: Set(KeyScope.allCases), apps: .all).secret
        spool = NSTemporaryDirectory() + "api-tests-\(UInt64.random(in: 0 ... .max))"
        mkdir(spool, 0o700)
        let ready = Readiness()
        scripts = SandboxedScriptRunner(
            hosts: HostPool(executable: try Self.scriptHost(), policy: HostPool.Policy(kept: 4)),
            slots: HostSlots(2))
        api = try MigrationAPI(
            jobs: jobs, access: access, queue: queue, events: events, decoder: InProcessDecoder(),
            scripts: scripts,
            configuration: APIConfiguration(
                version: "1.2.3", uploadLimitBytes: documentLimit ?? Self.limit,
                documentLimitBytes: documentLimit ?? 100_000, spoolDirectory: spool,
                requestLimits: requestLimits, requestsPerMinute: requestsPerMinute, auditDirectory: journals,
                quota: quota, publicOrigin: publicOrigin, allowedOrigins: allowedOrigins),
            makeScratch: { MemorySegmentStore() }, log: log, isReady: { ready.isReady })
        readiness = ready
        server = try HTTPServer(HTTPServerConfiguration(port: 0, eventThreads: 2), handler: api)
    }

    deinit {
        server.stop(within: .milliseconds(200))
        api.stop()
        events.stop()
        pool.close()
        if let prepared { PreparedDatabase.giveBack(prepared) }
        rmdir(spool)
        rmdir(journals)
    }

    /// The program that checks scripts, built beside the tests.
    static func scriptHost() throws -> String {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent("SandboxTestHost").path
        try #require(FileManager.default.isExecutableFile(atPath: path))
        return path
    }

    func client() throws -> SocketClient { try SocketClient(port: server.port) }

    /// One request with the key, on a connection of its own.
    func send(
        _ method: String, _ target: String, _ body: JSONValue? = nil, fields: [(String, String)] = []
    ) throws -> SocketResponse {
        let type = body == nil ? [] : [("Content-Type", "application/json")]
        return try client().request(
            method, target, fields: [("Authorization", "Bearer \(key)")] + type + fields, body: body?.encoded())
    }

    func upload(
        _ bytes: [UInt8], to realm: String = "/v1/apps/shop/realms/ada", type: String? = "application/json",
        fields: [(String, String)] = []
    ) throws -> SocketResponse {
        let type = type.map { [("Content-Type", $0)] } ?? []
        return try client().request(
            "POST", "\(realm)/snapshots", fields: [("Authorization", "Bearer \(key)")] + type + fields, body: bytes)
    }

    /// How many rows the tables have that an upload writes to, and files in the spool directory.
    func traces() throws -> [Int] {
        let counts = try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT (SELECT count(*) FROM segment_batch) AS batches, (SELECT count(*) FROM segment) AS segments,
                    (SELECT count(*) FROM snapshot) AS snapshots, (SELECT count(*) FROM realm) AS realms
                """)
            return try ["batches", "segments", "snapshots", "realms"].map { try rows[0].value($0) as Int }
        }
        return counts + [openFileCount(in: spool)]
    }

    /// Whether nothing more is left than there was; the server lets go of a spooled body when it has answered.
    func comesBack(to before: [Int]) throws -> Bool {
        for _ in 0..<100 {
            if try traces() == before { return true }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return false
    }
}

final class Readiness: Sendable {
    private let flag = Mutex(true)
    var isReady: Bool {
        get { flag.withLock { $0 } }
        set { flag.withLock { $0 = newValue } }
    }
}

final class LogOfTest: APILog, WorkerLog {
    let paths = Mutex<[String]>([])
    let statuses = Mutex<[Int]>([])
    let failures = Mutex<[String]>([])

    func happened(_ event: AttemptEvent) {}
    func answered(_ access: HTTPAccess) {
        paths.withLock { $0.append(access.path) }
        statuses.withLock { $0.append(access.status) }
    }
    func failed(_ what: String, job: RealmModel.UUID?, _ reason: String) {
        failures.withLock { $0.append("\(job.map { "\($0)" } ?? "-"): \(what): \(reason)") }
    }
    func failed(_ path: String, _ error: any Error) { failures.withLock { $0.append("\(path): \(error)") } }
}

/// This process's open files, named or unlinked, in a directory.
func openFileCount(in directory: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.filter { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        return target?.hasPrefix(directory) ?? false
    }.count
}

extension SocketResponse {
    /// The body as JSON.
    var json: JSONValue { (try? JSONValue.parse(body)) ?? .null }

    /// The code of a problem document, once it was seen to be one for this status.
    var problem: String? {
        guard fields["content-type"] == "application/problem+json", json["status"]?.int == Int64(status),
            json["type"]?.string?.isEmpty == false, json["title"]?.string?.isEmpty == false,
            json["detail"]?.string?.isEmpty == false, json["instance"]?.string?.first == "/"
        else { return nil }
        return json["code"]?.string
    }
}
