import RealmJSON
import Testing

/// The lines that `--log-jobs` writes beside `--log-requests`.
@Suite(.serialized) struct `The log of jobs` {
    private static let person: JSONValue = [
        ["name": "Person", "primaryKey": "id", "properties": ["id": "int", "name": "string"]]
    ]
    private static let grown: JSONValue = [
        ["name": "Person", "primaryKey": "id", "properties": ["id": "int", "name": "string", "age": "int?"]]
    ]

    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let trace: JSONValue = "4bf92f3577b34da6a3ce929d0e0e4736"

    /// A script that fails with what an object holds.
    private static let telling = """
        function migrate(migration) { migration.enumerateObjects('Person', was => { throw new Error(was.name); }); }
        """

    @Test func `names the request that asked for each job, and nothing of objects`() throws {
        let service = try RunningService(["--log-jobs", "--log-requests"])
        _ = try service.call("PUT", "/v1/apps/notes")
        let realm: JSONValue = [
            "schemaVersion": 1, "schema": Self.person, "objects": ["Person": [["id": 1, "name": "Winston Smith"]]],
        ]
        let uploaded = try service.call("POST", "/v1/apps/notes/realms/ada/snapshots", realm)
        try #require(uploaded.status == 201, "\(uploaded.json)")
        func migrate(_ more: [JSONMember], _ name: String) throws -> JSONValue {
            let request = JSONValue.object([JSONMember("targetVersion", 2), JSONMember("schema", Self.grown)] + more)
            var job = try service.call(
                "POST", "/v1/apps/notes/realms/ada/migrations", request,
                fields: [("Prefer", "wait=15"), ("X-Request-Id", name), ("traceparent", Self.parent)]
            ).json
            for _ in 0..<20 where ["queued", "running"].contains(job["state"]?.string) {
                let path = "/v1/jobs/\(job["id"]?.string ?? "")"
                job = try service.call("GET", path, fields: [("Prefer", "wait=15")]).json
            }
            return job
        }
        let script: JSONValue = ["language": "javascript", "source": .string(Self.telling)]
        let failed = try migrate([JSONMember("migration", script)], "first")
        #expect(failed["state"] == "failed")
        #expect(try migrate([], "second")["state"] == "succeeded")
        #expect(service.stop() == 0)
        let log = try service.log()
        #expect(!log.contains("Winston") && !log.contains("Smith"))
        let lines = try log.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try JSONValue.parse(Array($0.utf8))
        }
        #expect(
            lines.contains { $0["event"] == "request" && $0["requestId"] == "first" && $0["traceId"] == Self.trace })
        #expect(
            lines.contains { $0["event"] == "request" && $0["requestId"] != "first" && $0["traceId"]?.isNull == true })
        let jobs = lines.filter { $0["event"] == "job" }
        #expect(jobs.map { $0["what"] } == ["started", "failed", "started", "succeeded"])
        #expect(jobs.allSatisfy { $0["traceId"] == Self.trace })
        #expect(jobs.map { $0["requestId"] } == ["first", "first", "second", "second"])
        #expect(jobs.allSatisfy { $0["app"] == "notes" && $0["kind"] == "migration" && $0["attempt"] == 1 })
        #expect(jobs[0]["job"] == failed["id"] && jobs[0]["waitSeconds"]?.double != nil)
        #expect(jobs[1]["error"] == "script_failed" && jobs[1]["killed"] == false)
        #expect(jobs[1]["retrySeconds"]?.isNull == true)
        #expect(jobs[3]["durationSeconds"]?.double ?? -1 > 0)
    }
}
