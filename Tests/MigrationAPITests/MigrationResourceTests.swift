import MigrationJobs
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

struct MigrationResourceTests {
    private static let realm = "/v1/apps/shop/realms/ada"

    /// A server with an app, its schema versions 1 and 2, and an uploaded realm of version 1.
    private func server(kind: String = "local", followsJobs: Bool = false) throws -> APIServer {
        let server = try APIServer(followsJobs: followsJobs)
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema]).status == 201)
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema]).status == 201)
        #expect(try server.send("PUT", Self.realm, ["kind": .string(kind)]).status == 201)
        #expect(try server.upload(Samples.realm().encoded()).status == 201)
        return server
    }

    private func migrate(
        _ server: APIServer, _ body: JSONValue, fields: [(String, String)] = []
    ) throws -> SocketResponse {
        try server.send("POST", "\(Self.realm)/migrations", body, fields: fields)
    }

    @Test func `a migration is a job that leads to a new current snapshot`() throws {
        let server = try server(followsJobs: true)
        let workers = JobWorkers(server.jobs, events: server.events, host: nil, log: server.log)
        workers.start()
        defer { workers.stop() }
        let started = try migrate(server, ["targetVersion": 2], fields: [("Prefer", "wait=20")])
        #expect(started.status == 202)
        #expect(started.fields["preference-applied"] == "wait=20")
        let job = started.json
        let path = try #require(started.fields["location"])
        #expect(job["state"] == "succeeded")
        #expect(job["fromVersion"] == 1)
        #expect(job["toVersion"] == 2)
        #expect(job["error"] == .null)
        #expect(try server.send("GET", path).json == job)
        let realm = try server.send("GET", Self.realm).json
        #expect(realm["currentSnapshot"] == job["resultSnapshot"])
        let snapshot = try #require(job["resultSnapshot"]?.string)
        let person = try server.send("GET", "/v1/snapshots/\(snapshot)/objects/Person/1").json
        #expect(person == ["id": 1, "name": "Person 1", "dogs": [4], "age": .null])
        let info = try server.send("GET", "/v1/snapshots/\(snapshot)").json
        #expect(info["createdBy"] == ["kind": "migration", "job": job["id"] ?? .null])
        #expect(info["parent"] == job["sourceSnapshot"])
    }

    @Test func `while a migration is queued nothing else may change the realm`() throws {
        let server = try server()
        let current = try #require(try server.send("GET", Self.realm).json["currentSnapshot"])
        let started = try migrate(server, ["targetVersion": 2])
        #expect(started.status == 202)
        #expect(started.json["state"] == "queued")
        #expect(started.json["startedAt"] == .null)
        #expect(try migrate(server, ["targetVersion": 2]).problem == "migration_active")
        #expect(try server.upload(Samples.realm().encoded()).problem == "migration_active")
        let restore = try server.send("POST", "\(Self.realm)/restore", ["snapshot": current])
        #expect(restore.problem == "migration_active")
        #expect(restore.status == 409)
        #expect(try server.send("DELETE", Self.realm).status == 409)

        let job = try #require(started.fields["location"])
        let cancelled = try server.send("POST", "\(job)/cancel")
        #expect(cancelled.status == 202)
        #expect(cancelled.json["state"] == "cancelled")
        #expect(try server.send("POST", "\(job)/cancel").problem == "job_state")
        #expect(try server.send("POST", "\(job)/retry").json["state"] == "queued")
        #expect(try server.send("POST", "\(job)/retry").problem == "job_state")
        #expect(try server.send("POST", "\(job)/cancel", [:]).status == 202)
        #expect(try server.upload(Samples.realm().encoded()).status == 201)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var body: JSONValue
        var status = 422
        var code: String
        var realmCode: String?
        var pointer: String?
        var testDescription: String { String(decoding: body.encoded(), as: UTF8.self) }
    }

    private static let refusals = [
        Refusal(body: [:], code: "malformed_document", pointer: "/targetVersion"),
        Refusal(body: ["targetVersion": -1], code: "malformed_document", pointer: "/targetVersion"),
        Refusal(body: ["targetVersion": 2, "mode": "fast"], code: "malformed_document", pointer: "/mode"),
        Refusal(body: ["targetVersion": 2, "steps": "all"], code: "malformed_document", pointer: "/steps"),
        Refusal(body: ["targetVersion": 2, "dryRun": 1], code: "malformed_document", pointer: "/dryRun"),
        Refusal(
            body: ["targetVersion": 2, "limits": ["timeoutSeconds": 0]], code: "malformed_document",
            pointer: "/limits/timeoutSeconds"),
        Refusal(
            body: ["targetVersion": 2, "migration": ["language": "cobol", "source": ""]],
            code: "script_language_unsupported", pointer: "/migration/language"),
        Refusal(body: ["targetVersion": 3], code: "schema_version_unknown", pointer: "/targetVersion"),
        Refusal(
            body: ["targetVersion": 0, "schema": Samples.schema], code: "invalid_schema_version",
            realmCode: "InvalidSchemaVersion"),
        Refusal(
            body: ["targetVersion": 1, "schema": Samples.grownSchema], code: "schema_mismatch",
            realmCode: "SchemaMismatch"),
        Refusal(
            body: ["targetVersion": 2, "schema": [["name": "A", "primaryKey": "b", "properties": [:]]]],
            code: "schema_invalid", realmCode: "SchemaValidationFailed", pointer: "/schema"),
    ]

    @Test(arguments: refusals) func `a migration that can't start is refused at once`(refusal: Refusal) throws {
        let server = try server()
        let response = try migrate(server, refusal.body)
        #expect(response.status == refusal.status)
        #expect(response.problem == refusal.code)
        #expect(response.json["realmCode"]?.string == refusal.realmCode)
        if let pointer = refusal.pointer {
            #expect(response.json["errors"]?.elements?.first?["pointer"]?.string == pointer)
        }
        #expect(try server.send("GET", "/v1/jobs").json["items"] == [])
    }

    @Test func `a realm that is not there or empty can't be migrated`() throws {
        let server = try server()
        let body: JSONValue = ["targetVersion": 2]
        #expect(try server.send("POST", "/v1/apps/none/realms/a/migrations", body).problem == "app_not_found")
        #expect(try server.send("POST", "/v1/apps/shop/realms/none/migrations", body).problem == "realm_not_found")
        _ = try server.send("PUT", "/v1/apps/shop/realms/empty")
        let empty = try server.send("POST", "/v1/apps/shop/realms/empty/migrations", body)
        #expect(empty.status == 422)
        #expect(empty.problem == "realm_without_snapshot")
    }
}
