import MigrationJobs
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// A migration that is tried on the real data, looked at, and then taken as it is.
@Suite struct `Rehearsals` {
    private let server: APIServer
    private static let realm = "/v1/apps/shop/realms/ada"

    init() throws {
        server = try APIServer(followsJobs: true)
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
        #expect(try server.upload(Samples.realm().encoded()).status == 201)
    }

    private func ended(_ members: [JSONMember]) throws -> (path: String, job: JSONValue) {
        let workers = JobWorkers(server.jobs, events: server.events, host: nil, log: server.log)
        workers.start()
        defer { workers.stop() }
        let body: [JSONMember] = [
            JSONMember("targetVersion", 2), JSONMember("schema", Samples.shrunkSchema), JSONMember("dryRun", true),
        ]
        let answer = try server.send(
            "POST", "\(Self.realm)/migrations", .object(members + body), fields: [("Prefer", "wait=20")])
        return (try #require(answer.fields["location"]), answer.json)
    }

    @Test func `report what would be lost, leave a preview, and are promoted`() throws {
        let (path, job) = try ended([])
        #expect(job["state"] == "succeeded")
        let preview = try #require(job["resultSnapshot"]?.string)
        let report = try server.send("GET", "\(path)/report").json
        #expect(report["fromVersion"] == 1 && report["toVersion"] == 2)
        #expect(report["objects"] == ["touched": 0, "created": 0, "deleted": 0])
        #expect(
            report["losses"] == [
                [
                    "class": "Person", "property": "name", "kind": "dropped", "count": 2, "keys": [0, 1], "total": 2,
                    "share": 1.0, "examples": [["key": 0], ["key": 1]],
                ]
            ])
        #expect(report["dropped"] == report["losses"] && report["emptied"] == [] && report["passed"] == true)
        #expect(report["changes"]?["schema"]?.elements?.count == 1)
        #expect(report["warnings"] == [])
        // Readable, and not current.
        #expect(try server.send("GET", "/v1/snapshots/\(preview)/objects/Person/1").json["name"] == nil)
        let unchanged = try server.send("GET", Self.realm).json
        #expect(unchanged["currentSnapshot"] == job["sourceSnapshot"] && unchanged["lastJob"]?["state"] == "unchanged")
        let promoted = try server.send("POST", "\(path)/promote")
        #expect(promoted.status == 200 && promoted.json["currentSnapshot"] == .string(preview))
        let changed = try server.send("GET", Self.realm).json
        #expect(changed["currentSnapshot"] == .string(preview) && changed["lastJob"]?["state"] == "succeeded")
    }

    @Test func `fail, with a report and without a preview, for findings that they are told of`() throws {
        let (path, job) = try ended([JSONMember("failOn", ["warning"])])
        #expect(job["state"] == "failed" && job["error"]?["code"] == "rehearsal_failed" && job["failOn"] == ["warning"])
        #expect(job["resultSnapshot"] == .null)
        // The log has names alone: what was found may say what objects hold.
        let logged = server.log.failures.withLock { $0.last }
        #expect(logged?.hasSuffix(": the job failed: rehearsal_failed, Person.name") == true)
        let report = try server.send("GET", "\(path)/report").json
        #expect(report["passed"] == false && report["failOn"] == ["warning"])
        #expect(try server.send("GET", "\(path)/report?format=junit").text.contains("<failure "))
        let real: JSONValue = ["targetVersion": 2, "schema": Samples.grownSchema, "failOn": ["error"]]
        #expect(try server.send("POST", "\(Self.realm)/migrations", real).problem == "malformed_document")
    }

    @Test func `are not promoted over what came between`() throws {
        let (path, _) = try ended([])
        #expect(try server.upload(Samples.realm(persons: 3).encoded()).status == 201)
        #expect(try server.send("POST", "\(path)/promote").problem == "realm_changed")
    }

    @Test func `are jobs of their own`() throws {
        let started = try server.send(
            "POST", "\(Self.realm)/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        let path = try #require(started.fields["location"])
        #expect(try server.send("GET", "\(path)/report").problem == "job_not_rehearsed")
        #expect(try server.send("POST", "\(path)/promote").problem == "job_not_rehearsed")
    }

    @Test(arguments: [
        ("application/json", "application/json"), ("application/xml", "application/xml"),
        ("application/sarif+json", "application/sarif+json"), ("text/html", "text/html; charset=utf-8"),
        ("text/html;q=0.1, application/xml", "application/xml"), ("*/*", "application/json"),
    ])
    func `are told of in the form that is asked for`(accepted: String, type: String) throws {
        let (path, _) = try ended([])
        let answer = try server.send("GET", "\(path)/report", fields: [("Accept", accepted)])
        #expect(answer.status == 200 && answer.fields["content-type"] == type)
    }

    @Test func `are told of in a form by name`() throws {
        let (path, _) = try ended([])
        let page = try server.send("GET", "\(path)/report?format=html", fields: [("Accept", "application/json")])
        #expect(page.text.contains("<h1>Rehearsal of ada</h1>") && page.text.contains("droppedValue"))
        #expect(try server.send("GET", "\(path)/report?format=junit").text.contains("<testsuite name=\"ada\""))
        #expect(try server.send("GET", "\(path)/report?format=pdf").problem == "invalid_parameter")
        #expect(try server.send("GET", "\(path)/report", fields: [("Accept", "text/csv")]).status == 406)
    }

    @Test func `hold nothing up, and are held up by nothing`() throws {
        let rehearsal: JSONValue = ["targetVersion": 2, "schema": Samples.shrunkSchema, "dryRun": true]
        // Nobody works on it.
        #expect(try server.send("POST", "\(Self.realm)/migrations", rehearsal).status == 202)
        #expect(try server.upload(Samples.realm(persons: 3).encoded()).status == 201)
        let real: JSONValue = ["targetVersion": 2, "schema": Samples.grownSchema]
        #expect(try server.send("POST", "\(Self.realm)/migrations", real).status == 202)
        #expect(try server.send("POST", "\(Self.realm)/migrations", rehearsal).status == 202)
        #expect(try server.send("POST", "\(Self.realm)/migrations", real).problem == "migration_active")
    }

    @Test func `take checks of rehearsals alone`() throws {
        let checks: JSONValue = ["function check() {}"]
        let real: JSONValue = ["targetVersion": 2, "schema": Samples.grownSchema, "checks": checks]
        #expect(try server.send("POST", "\(Self.realm)/migrations", real).problem == "malformed_document")
        let odd: JSONValue = ["targetVersion": 2, "schema": Samples.grownSchema, "dryRun": true, "checks": [1]]
        #expect(try server.send("POST", "\(Self.realm)/migrations", odd).problem == "malformed_document")
    }
}
