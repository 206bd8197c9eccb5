import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore
import TestHTTP
import Testing

@testable import MigrationAPI

/// Limits are the operator's, and a request can only lower them.
struct LimitTests {
    private static let realm = "/v1/apps/shop/realms/ada"
    private static let migration: JSONValue = ["targetVersion": 2, "schema": Samples.grownSchema]

    private func server(
        quota: AppQuota = AppQuota(), scripts: ScriptLimits = ScriptLimits()
    ) throws -> APIServer {
        let server = try APIServer(quota: quota, scriptLimits: scripts)
        _ = try server.send("PUT", "/v1/apps/shop")
        return server
    }

    @Test(
        arguments: [
            (nil, nil, 60.0, 100 << 20), (30.0, 50 << 20, 30.0, 50 << 20), (61.0, 101 << 20, 60.0, 100 << 20),
            (1e9, 1 << 50, 60.0, 100 << 20), (0.5, nil, 0.5, 100 << 20),
        ] as [(Double?, Int?, Double, Int)])
    func `a job has the least of what the operator gives and the request asks for`(
        seconds: Double?, bytes: Int?, givenSeconds: Double, givenBytes: Int
    ) throws {
        let server = try server(scripts: ScriptLimits(timeoutSeconds: 60, memoryBytes: 100 << 20))
        _ = try server.upload(Samples.realm().encoded())
        let limits: JSONValue = [
            "timeoutSeconds": seconds.map { .double($0) } ?? .null,
            "memoryBytes": bytes.map { .int(Int64($0)) } ?? .null,
        ]
        let job = try server.send(
            "POST", Self.realm + "/migrations",
            ["targetVersion": 2, "schema": Samples.grownSchema, "limits": limits])
        #expect(job.status == 202)
        #expect(job.json["limits"]?["timeoutSeconds"]?.double == givenSeconds)
        #expect(job.json["limits"]?["memoryBytes"]?.int == Int64(givenBytes))
    }

    @Test(arguments: [(nil, [7, 8, 9]), ([6, 8, 10], [6, 8, 9]), ([0, 0, 0], [0, 0, 0])] as [([Int64]?, [Int64])])
    func `what a script may make can be lowered alone`(asked: [Int64]?, given: [Int64]) throws {
        let output = OutputLimits(createdCount: 7, writtenBytes: 8, logBytes: 9)
        let server = try server(scripts: ScriptLimits(output: output))
        _ = try server.upload(Samples.realm().encoded())
        let names = ["createdCount", "writtenBytes", "logBytes"]
        let limits = asked.map { asked in zip(names, asked).map { JSONMember($0, .int($1)) } } ?? []
        let job = try server.send(
            "POST", Self.realm + "/migrations",
            ["targetVersion": 2, "schema": Samples.grownSchema, "limits": .object(limits)])
        #expect(job.status == 202)
        #expect(names.map { job.json["limits"]?[$0]?.int } == given)
    }

    @Test func `a script has minutes, and a mebibyte of text`() throws {
        #expect(ScriptLimits().timeoutSeconds <= 600)
        let server = try APIServer(documentLimit: 4 << 20)
        _ = try server.send("PUT", "/v1/apps/shop")
        func declare(_ bytes: Int) throws -> SocketResponse {
            let start = "function migrate() {}//"
            let source = start + String(repeating: "x", count: bytes - start.utf8.count)
            return try server.send(
                "PUT", "/v1/apps/shop/schemas/1",
                [
                    "schema": Samples.schema,
                    "migration": ["language": "javascript", "source": .string(source)],
                ])
        }
        let longest = try declare(1 << 20)
        #expect(longest.status == 201, "\(longest.text)")
        let refused = try declare(1 << 20 + 1)
        #expect((400..<500).contains(refused.status))
        #expect(refused.problem == "too_large")
        #expect(refused.json["errors"]?.elements?.first?["pointer"] == "/migration/source")
    }

    @Test(arguments: ["/backfills", "/partners"], ["script", "forward", "backward"])
    func `a function has as much text as a script`(path: String, member: String) throws {
        guard (path == "/backfills") == (member == "script") else { return }
        let server = try PartnerServer()
        func send(_ bytes: Int) throws -> SocketResponse {
            let (start, end) = ("o => o.age /*", "*/")
            let long = start + String(repeating: "x", count: bytes - start.utf8.count - end.utf8.count) + end
            let body: JSONValue =
                path == "/backfills"
                ? ["class": "Person", "property": "age", "script": .string(long)]
                : [
                    "class": "Person", "partner": PartnerServer.newPerson,
                    "forward": .string(member == "forward" ? long : PartnerServer.forward),
                    "backward": .string(member == "backward" ? long : PartnerServer.backward),
                ]
            return try server.send("POST", path, body)
        }
        let taken = try send(1 << 20)
        #expect(taken.status < 300, "\(taken.json)")
        let refused = try send(1 << 20 + 1)
        #expect((400..<500).contains(refused.status))
        #expect(refused.problem == "too_large")
        #expect(refused.json["errors"]?.elements?.first?["pointer"] == .string("/\(member)"))
    }

    @Test(arguments: [AppQuota(snapshots: 2), AppQuota(bytes: 2)])
    func `an app keeps so much and no more, and others go on`(
        quota: AppQuota
    ) throws {
        let server = try server(quota: quota)
        _ = try server.send("PUT", "/v1/apps/other")
        let realm = Samples.realm().encoded()
        var made = 0
        while made < 3, try server.upload(realm).status == 201 { made += 1 }
        #expect(made == (quota.snapshots ?? 1))
        let before = try server.traces()
        // Before anything of the body is read.
        let client = try server.client()
        try client.send(
            SocketClient.head(
                "POST", Self.realm + "/snapshots",
                [
                    ("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json"),
                    ("Content-Length", "100"), ("Expect", "100-continue"),
                ]))
        let refused = try client.response()
        #expect(refused.status == 507)
        #expect(refused.problem == "quota_exceeded")
        let tus = [("Tus-Resumable", "1.0.0"), ("Upload-Length", "9")]
        #expect(try server.send("POST", Self.realm + "/uploads", fields: tus).problem == "quota_exceeded")
        #expect(try server.send("POST", Self.realm + "/migrations", Self.migration).problem == "quota_exceeded")
        #expect(try server.traces() == before)
        #expect(try server.upload(realm, to: "/v1/apps/other/realms/ada").status == 201)
        #expect(try server.send("DELETE", Self.realm).status == 204)
        #expect(try server.upload(realm).status == 201)
    }
}
