import AccessStore
import Foundation
import Postgres
import RealmJSON
import SnapshotStore
import StoreCore
import TestDatabase
import TestHTTP
import Testing

@testable import MigrationAPI

/// A request that is sent again under the same name is answered as it was, and does nothing.
struct IdempotencyTests {
    private let server: APIServer

    init() throws {
        server = try APIServer(followsJobs: true)
        _ = try server.send("PUT", "/v1/apps/shop")
    }

    private func post(
        _ path: String, _ body: JSONValue?, as name: String, key: String? = nil, fields: [(String, String)] = []
    ) throws -> SocketResponse {
        try server.client().request(
            "POST", path,
            fields: [
                ("Authorization", "Bearer \(key ?? server.key)"), ("Content-Type", "application/json"),
                ("Idempotency-Key", name),
            ] + fields, body: body?.encoded())
    }

    private func expectAgain(_ first: SocketResponse, _ second: SocketResponse) {
        #expect(second.status == first.status)
        #expect(second.body == first.body)
        #expect(second.fields["location"] == first.fields["location"])
        #expect(second.fields["content-type"] == first.fields["content-type"])
        #expect(first.fields["idempotent-replayed"] == nil)
        #expect(second.fields["idempotent-replayed"] == "true")
    }

    @Test func `an upload is one snapshot, and a migration one job`() throws {
        let upload = { try post("/v1/apps/shop/realms/ada/snapshots", Samples.realm(), as: "first") }
        let (made, again) = (try upload(), try upload())
        #expect(made.status == 201)
        expectAgain(made, again)
        #expect(try server.send("GET", "/v1/apps/shop/realms/ada/snapshots").json["items"]?.elements?.count == 1)
        let migration: JSONValue = ["targetVersion": 2, "schema": Samples.grownSchema]
        let migrate = { try post("/v1/apps/shop/realms/ada/migrations", migration, as: "second") }
        let (job, repeated) = (try migrate(), try migrate())
        #expect(job.status == 202)
        expectAgain(job, repeated)
        #expect(try server.send("GET", "/v1/jobs").json["items"]?.elements?.count == 1)
    }

    @Test func `an upload is repeated also where the realm would not take it any more`() throws {
        let path = "/v1/apps/shop/realms/ada"
        #expect(try post(path + "/snapshots", Samples.realm(), as: "before").status == 201)
        let tag = try #require(try server.send("GET", path).fields["etag"])
        let upload = {
            try post(path + "/snapshots", Samples.realm(), as: "conditional", fields: [("If-Match", tag)])
        }
        let (made, again) = (try upload(), try upload())
        #expect(made.status == 201, "\(made.text)")
        expectAgain(made, again)
        #expect(
            try post(path + "/snapshots", Samples.realm(), as: "another", fields: [("If-Match", tag)]).status == 412)

        #expect(try server.send("PUT", "/v1/apps/shop/realms/team", ["kind": "synced"]).status == 201)
        let notes: JSONValue = [
            "schemaVersion": 1, "schema": [["name": "Note", "primaryKey": "_id", "properties": ["_id": "int"]]],
            "objects": ["Note": []],
        ]
        let first = { try post("/v1/apps/shop/realms/team/snapshots", notes, as: "first-of-team") }
        let (begun, repeated) = (try first(), try first())
        #expect(begun.status == 201, "\(begun.text)")
        expectAgain(begun, repeated)
    }

    @Test(arguments: [("If-Match", "*"), ("Realm-Schema-Version", "3")])
    func `a condition belongs to what a request asks for`(field: String, value: String) throws {
        let body = Samples.realm()
        let path = "/v1/apps/shop/realms/ada/snapshots"
        #expect(try post(path, body, as: "conditional").status == 201)
        let other = try post(path, body, as: "conditional", fields: [(field, value)])
        #expect(other.status == 422)
        #expect(other.problem == "idempotency_mismatch")
    }

    @Test func `a repeat of what made a secret omits it, and it is kept nowhere`() throws {
        let make = { try post("/v1/keys", ["name": "phone", "scopes": ["read"]], as: "a-key") }
        let (made, again) = (try make(), try make())
        let secret = try #require(made.json["key"]?.string)
        #expect(again.status == 201)
        #expect(again.json["key"] == nil)
        #expect(again.json["id"] == made.json["id"])
        #expect(again.text.contains("phone"))
        let kept = try server.pool.withConnection {
            try $0.query("SELECT body FROM idempotent_request")[0].value("body", as: PostgresBytes.self).bytes
        }
        #expect(!String(decoding: kept, as: UTF8.self).contains(secret))
        #expect(try server.send("GET", "/v1/keys").json["items"]?.elements?.count == 2)
    }

    @Test(arguments: [422, 404, 415]) func `a refusal is answered again, too`(status: Int) throws {
        let (path, body): (String, JSONValue?) =
            switch status {
            case 404: ("/v1/apps/shop/realms/none/restore", ["snapshot": "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"])
            case 415: ("/v1/apps/shop/realms/ada/restore", nil)
            default: ("/v1/keys", ["name": "phone", "scopes": []])
            }
        let type = status == 415 ? [("Content-Type", "text/plain")] : []
        let refuse = { () throws -> SocketResponse in
            try server.client().request(
                "POST", path,
                fields: [("Authorization", "Bearer \(server.key)"), ("Idempotency-Key", "no")] + type,
                body: body?.encoded() ?? Array("text".utf8))
        }
        let first = try refuse()
        #expect(first.status == status)
        expectAgain(first, try refuse())
    }

    @Test func `another request under the same name is refused, whatever differs`() throws {
        let realm = Samples.realm().encoded()
        let first = try post("/v1/apps/shop/realms/ada/snapshots", Samples.realm(), as: "one")
        #expect(first.status == 201)
        #expect(try server.send("PUT", "/v1/apps/bar").status == 201)
        let others: [(path: String, body: [UInt8], type: String)] = [
            ("/v1/apps/shop/realms/ada/snapshots", realm + [0x20], "application/json"),
            ("/v1/apps/shop/realms/ada/snapshots", realm, "application/x-ndjson"),
            ("/v1/apps/shop/realms/eve/snapshots", realm, "application/json"),
            ("/v1/apps/bar/realms/ada/snapshots", realm, "application/json"),
            ("/v1/keys", realm, "application/json"),
        ]
        for other in others {
            let response = try server.client().request(
                "POST", other.path,
                fields: [
                    ("Authorization", "Bearer \(server.key)"), ("Content-Type", other.type), ("Idempotency-Key", "one"),
                ], body: other.body)
            #expect(response.problem == "idempotency_mismatch")
        }
        #expect(try server.send("GET", "/v1/apps/shop/realms").json["items"]?.elements?.count == 1)
    }

    @Test func `what another key calls the same has nothing to do with it`() throws {
        let other = try server.access.keys.create(named: "other", scopes: Set(KeyScope.allCases), apps: .all).secret
        let body: JSONValue = ["name": "phone", "scopes": ["read"]]
        let ids = try [server.key, other].map { try post("/v1/keys", body, as: "a-key", key: $0).json["id"]?.string }
        #expect(Set(ids).count == 2)
    }

    @Test func `while the first is being answered, a repeat is told so`() throws {
        _ = try server.upload(Samples.realm().encoded())
        let migration: JSONValue = ["targetVersion": 2, "schema": Samples.grownSchema]
        let path = "/v1/apps/shop/realms/ada/migrations"
        let waiting = try server.client()
        let body = migration.encoded()
        try waiting.send(
            SocketClient.head(
                "POST", path,
                [
                    ("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json"),
                    ("Idempotency-Key", "slow"), ("Prefer", "wait=30"), ("Content-Length", "\(body.count)"),
                ]))
        try waiting.send(body)
        try waitUntil { try server.send("GET", "/v1/jobs").json["items"]?.elements?.count == 1 }
        let repeated = try post(path, migration, as: "slow")
        #expect(repeated.status == 409)
        #expect(repeated.problem == "idempotency_in_flight")
        #expect(repeated.fields["retry-after"] == "1")
        // The client leaves before the answer: what it began is answered to the repeat.
        waiting.hangUp()
        var answer = repeated
        try waitUntil {
            answer = try post(path, migration, as: "slow")
            return answer.status != 409
        }
        #expect(answer.status == 202)
        #expect(answer.fields["idempotent-replayed"] == "true")
        let jobs = try server.send("GET", "/v1/jobs").json["items"]?.elements
        #expect(jobs?.count == 1)
        #expect(answer.json["id"] == jobs?.first?["id"])
    }

    @Test func `of many at once, one does it`() throws {
        let body: JSONValue = ["name": "phone", "scopes": ["read"]]
        let clients = try (0..<16).map { _ in try server.client() }
        for client in clients {
            try client.send(
                SocketClient.head(
                    "POST", "/v1/keys",
                    [
                        ("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json"),
                        ("Idempotency-Key", "once"), ("Content-Length", "\(body.encoded().count)"),
                    ]))
            try client.send(body.encoded())
        }
        let statuses = try clients.map { try $0.response().status }
        #expect(statuses.allSatisfy { [201, 409].contains($0) })
        #expect(try server.send("GET", "/v1/keys").json["items"]?.elements?.count == 2)
    }

    @Test func `an answer is kept a day, and one that a killed service owes is waited for no longer than its lease`()
        throws
    {
        let body: JSONValue = ["name": "phone", "scopes": ["read"]]
        let make = { try post("/v1/keys", body, as: "old").json["id"]?.string }
        let first = try make()
        func change(_ sql: String) throws {
            try server.pool.withConnection { try $0.execute(script: "UPDATE idempotent_request SET \(sql)") }
        }
        try change("created_at = now() - interval '23 hours'")
        #expect(try make() == first)
        try change("created_at = now() - interval '25 hours'")
        let second = try make()
        #expect(second != first)
        try change("status = NULL, fields = NULL, body = NULL, held_until = now() + interval '1 minute'")
        #expect(try post("/v1/keys", body, as: "old").problem == "idempotency_in_flight")
        try change("held_until = now() - interval '1 second'")
        #expect(try make() != second)
        try change("created_at = now() - interval '25 hours'")
        try server.access.idempotency.removeOld()
        let left = try server.pool.withConnection { try $0.query("SELECT FROM idempotent_request").count }
        #expect(left == 0)
    }

    /// The job is there, and neither the service nor its client learns of it: the connection to the database is gone with the answer.
    @Test(
        arguments: [
            ("/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema]),
            ("/v1/apps/shop/rehearsals", ["targetVersion": 2]),
        ] as [(String, JSONValue)])
    func `a repeat finds the job whose making nobody was told of`(path: String, body: JSONValue) throws {
        let lossy = try LossyServer(before: try TestDatabase.make())
        defer { lossy.stop() }
        let server = try APIServer(database: lossy.url)
        _ = try server.send("PUT", "/v1/apps/shop")
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema]).status == 201)
        #expect(try server.upload(Samples.realm().encoded()).status == 201)
        lossy.loseAnswer(to: "INSERT INTO job")
        let post = { try server.send("POST", path, body, fields: [("Idempotency-Key", "once")]) }
        #expect(try post().status == 503)
        #expect(lossy.lostCount == 1)
        let repeated = try post()
        #expect(repeated.status == 202)
        let again = try post()
        #expect(again.body == repeated.body)
        #expect(again.fields["idempotent-replayed"] == "true")
        let jobs = try server.send("GET", "/v1/jobs").json["items"]?.elements
        #expect(jobs?.count == 1)
        #expect(repeated.json["id"] == jobs?.first?["id"])
        #expect(repeated.fields["location"] == repeated.json["id"]?.string.map { "/v1/jobs/\($0)" })
        // Another name asks for another job.
        let other = try server.send("POST", path, body, fields: [("Idempotency-Key", "twice")])
        #expect(other.json["id"] != repeated.json["id"])
    }

    @Test func `a request that could not be done may be another under the same name`() throws {
        let access = server.access
        var request = IdempotentRequest(key: .version7(), name: "one", fingerprint: Array(repeating: 1, count: 32))
        guard case .taken(let turn, let job) = try access.idempotency.take(request, for: .seconds(60)) else {
            Issue.record("somebody has it")
            return
        }
        try access.idempotency.giveUp(request, turn: turn)
        guard case .taken(let next, let same) = try access.idempotency.take(request, for: .seconds(60)) else {
            Issue.record("nobody gave it up")
            return
        }
        #expect(same == job)
        try access.idempotency.giveUp(request, turn: turn)
        #expect(try access.idempotency.take(request, for: .seconds(60)) == .inFlight)
        try access.idempotency.giveUp(request, turn: next)
        request.fingerprint = Array(repeating: 2, count: 32)
        guard case .taken(_, let another) = try access.idempotency.take(request, for: .seconds(60)) else {
            Issue.record("it is kept for what was not done")
            return
        }
        #expect(another != job)
    }

    @Test(arguments: ["", String(repeating: "x", count: 256), "two words"])
    func `a name is 1 to 255 visible characters`(
        name: String
    ) throws {
        let response = try post("/v1/keys", ["name": "phone", "scopes": ["read"]], as: name)
        #expect(response.status == 400)
        #expect(response.problem == "invalid_header")
    }

    @Test func `nothing is kept of requests without a name`() throws {
        _ = try server.send("POST", "/v1/keys", ["name": "phone", "scopes": ["read"]])
        _ = try server.send("PUT", "/v1/apps/other", nil, fields: [("Idempotency-Key", "of-a-put")])
        let kept = try server.pool.withConnection { try $0.query("SELECT FROM idempotent_request").count }
        #expect(kept == 0)
    }

    private func waitUntil(_ condition: () throws -> Bool) throws {
        for _ in 0..<200 {
            if try condition() { return }
            Thread.sleep(forTimeInterval: 0.05)
        }
        Issue.record("waited in vain")
    }
}
