import MigrationJobs
import RealmJSON
import Sandbox
import ScriptParent
import SnapshotStore
import TestHTTP
import Testing

@testable import MigrationAPI

/// The API with the app `shop`, its schema version 1, and a synced realm of three notes and a tag.
struct SyncedServer {
    static let realm = "/v1/apps/shop/realms/team"

    let server: APIServer

    init(
        followsJobs: Bool = false, unsyncedLimit: Int = 100_000, requestLimits: RequestLimits = RequestLimits()
    ) throws {
        server = try APIServer(
            followsJobs: followsJobs, unsyncedLimit: unsyncedLimit, requestLimits: requestLimits)
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.shared]).status == 201)
        #expect(try server.send("PUT", Self.realm, ["kind": "synced"]).status == 201)
        #expect(try server.upload(Samples.sharedRealm().encoded(), to: Self.realm).status == 201)
    }

    /// Asks for something of the realm.
    func send(
        _ method: String, _ path: String = "", _ body: JSONValue? = nil, version: Int? = nil
    ) throws -> SocketResponse {
        try server.send(
            method, Self.realm + path, body, fields: version.map { [("Realm-Schema-Version", "\($0)")] } ?? [])
    }

    /// Declares a schema version.
    func declare(_ version: Int, _ schema: JSONValue) throws {
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/\(version)", ["schema": schema]).status == 201)
    }

    /// Starts a job and waits for its end.
    func ended(_ path: String, _ body: JSONValue, runsScripts: Bool = false) throws -> JSONValue {
        // A wait that hears of no end takes all its time.
        try #require(server.followsJobs)
        let host = try runsScripts ? SandboxedScriptRunner(hosts: HostPool(executable: APIServer.scriptHost())) : nil
        let workers = JobWorkers(server.jobs, events: server.events, host: host, log: server.log)
        workers.start()
        defer { workers.stop() }
        let answer = try server.send(
            "POST", Self.realm + path, body, fields: [("Prefer", "wait=20")])
        #expect(answer.status == 202, "\(answer.json)")
        return answer.json
    }

    /// Adds properties to the notes.
    func grow(_ properties: [JSONMember]) throws {
        let job = try ended("/migrations", ["schema": Samples.shared(adding: properties)])
        #expect(job["state"] == "succeeded", "\(job)")
    }

    var sync: JSONValue { get throws { try send("GET").json["sync"] ?? .null } }
}
