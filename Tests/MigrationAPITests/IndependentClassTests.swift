import MigrationJobs
import RealmJSON
import TestHTTP
import Testing

/// Migrations that declare independent classes, through the service.
@Suite struct IndependentClassTests {
    private let server: APIServer

    init() throws { server = try APIServer(followsJobs: true) }

    private static let schema: JSONValue = [["name": "A", "properties": ["n": "int"]]]

    /// Two row groups, which a rehearsal divides.
    private func uploadRealm() throws {
        #expect(try server.send("PUT", "/v1/apps/notes").status == 201)
        let objects = JSONValue.array((0..<17_000).map { ["n": .int($0 % 10)] })
        let document: JSONValue = ["schemaVersion": 1, "schema": Self.schema, "objects": ["A": objects]]
        let answer = try server.upload(document.encoded(), to: "/v1/apps/notes/realms/ada")
        #expect(answer.status == 201, "\(answer.json)")
    }

    private func migrate(_ body: String, dryRun: Bool) throws -> JSONValue {
        let source = "let count = 0;\nfunction migrate(m) { m.enumerateObjects('A', (o, n) => {\n\(body)\n}); }"
        let request: JSONValue = [
            "targetVersion": 2, "schema": Self.schema, "dryRun": .bool(dryRun),
            "migration": ["language": "javascript", "source": .string(source), "independent": ["A"]],
        ]
        return try server.send(
            "POST", "/v1/apps/notes/realms/ada/migrations", request, fields: [("Prefer", "wait=60")]
        ).json
    }

    @Test func `are held to it by jobs, and rehearsed both ways`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        try uploadRealm()
        let keeping = try migrate("n.n = count++;", dryRun: true)
        #expect(keeping["error"]?["code"] == "script_not_independent", "\(keeping)")
        let looking = try migrate("n.n = m.newRealm.objects('A').length;", dryRun: false)
        #expect(looking["error"]?["code"] == "script_not_independent", "\(looking)")
        #expect(looking["error"]?["errors"]?.elements?.first?["line"] == 3, "\(looking)")
        for dryRun in [true, false] {
            let job = try migrate("n.n = o.n + 1;", dryRun: dryRun)
            #expect(job["state"] == "succeeded", "\(job)")
        }
    }
}
