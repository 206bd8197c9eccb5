import RealmJSON
import RealmModel
import TestHTTP
import Testing

@testable import MigrationAPI

/// ETag and If-Match: a change is made on what its client has seen, or not at all.
struct PreconditionTests {
    private static let realm = "/v1/apps/shop/realms/ada"
    private let server: APIServer

    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
    }

    private func tag(_ path: String = realm) throws -> String {
        let response = try server.send("GET", path)
        #expect(response.status == 200)
        return try #require(response.fields["etag"])
    }

    private func upload(_ fields: [(String, String)] = []) throws -> SocketResponse {
        try server.upload(Samples.realm().encoded(), fields: fields)
    }

    @Test func `a realm has another tag with everything that changes of it, and the same otherwise`() throws {
        let made = try server.send("PUT", Self.realm, ["kind": "synced"])
        var tags = [try #require(made.fields["etag"])]
        #expect(try tag() == tags[0])
        tags.append(
            try #require(
                try server.send("PUT", Self.realm, ["kind": "synced", "developmentMode": true]).fields["etag"]))
        #expect(try tag() == tags[1])
        for _ in 0..<2 {
            #expect(try upload().status == 422)
            #expect(try tag() == tags[1])
        }
        let (local, realm) = ("/v1/apps/shop/realms/eve", Samples.realm().encoded())
        _ = try server.send("PUT", local)
        tags.append(try tag(local))
        for _ in 0..<2 {
            #expect(try server.upload(realm, to: local).status == 201)
            tags.append(try tag(local))
        }
        #expect(try tag(local) == tags.last)
        #expect(Set(tags).count == 5)
        #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
    }

    @Test func `a client that has it is told so`() throws {
        let snapshot = try #require(try upload().json["id"]?.string)
        for path in [Self.realm, "/v1/snapshots/\(snapshot)"] {
            let tag = try tag(path)
            for field in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
                let response = try server.send("GET", path, fields: [("If-None-Match", field)])
                #expect(response.status == 304)
                #expect(response.fields["etag"] == tag)
            }
            #expect(try server.send("GET", path, fields: [("If-None-Match", "\"other\"")]).status == 200)
            #expect(try server.send("GET", path, fields: [("If-Match", tag)]).status == 200)
            for other in ["\"other\"", tag + "x", tag.dropLast() + ".state\"x"] {
                #expect(try server.send("GET", path, fields: [("If-Match", other)]).problem == "precondition_failed")
            }
        }
    }

    /// Each change that takes a condition, with the status that it has where the condition holds.
    private static let changes: [(method: String, path: String, body: JSONValue, status: Int)] = [
        ("PUT", realm, ["kind": "local"], 200),
        ("POST", realm + "/snapshots", Samples.realm(), 201),
        ("POST", realm + "/restore", ["snapshot": "first"], 200),
        ("POST", realm + "/migrations", ["targetVersion": 2, "schema": Samples.grownSchema], 202),
        ("DELETE", realm, .null, 204),
    ]

    @Test(arguments: changes.indices) func `a change is made on the state that it asks for, and on no other`(
        index: Int
    ) throws {
        var (method, path, body, status) = Self.changes[index]
        let snapshot = try #require(try upload().json["id"]?.string)
        if path.hasSuffix("restore") { body = ["snapshot": .string(snapshot)] }
        let send = { (field: String) in
            try server.send(method, path, body.isNull ? nil : body, fields: [("If-Match", field)])
        }
        let before = try tag()
        _ = try upload()
        let now = try tag()
        for field in [before, "\"other\"", "W/\(now)", now.filter { $0 != "\"" }, ""] {
            let refused = try send(field)
            #expect(refused.status == 412, "\(field)")
            #expect(refused.problem == "precondition_failed")
        }
        #expect(try tag() == now)
        #expect(try server.send("GET", "/v1/jobs").json["items"]?.elements?.isEmpty == true)
        #expect(try send("\(before), \(now)").status == status)
    }

    /// Changes of a synced realm: what goes before, and what is asked for with the status that it has where the condition holds.
    private struct SyncedChange: Sendable {
        let path: String
        let body: JSONValue?
        let status: Int
        /// Answers what `{}` in the path stands for.
        var before: @Sendable (PartnerServer) throws -> String = { _ in "" }
    }

    private static func schema(_ more: [JSONMember] = []) -> JSONValue {
        let properties: JSONValue = ["_id": "int", "name": "string", "age": "int"]
        return [
            "schema": [["name": "Person", "primaryKey": "_id", "properties": properties.adding(more)]]
        ]
    }

    private static let syncedChanges: [SyncedChange] = [
        SyncedChange(
            path: "/changes", body: ["upserts": [["class": "Person", "object": ["_id": 1, "age": 5]]]], status: 201),
        SyncedChange(path: "/model", body: schema([JSONMember("nick", "string?")]), status: 201),
        SyncedChange(path: "/backfills", body: ["class": "Person", "property": "size", "value": 1], status: 202) {
            server throws in
            #expect(try server.send("PUT", "", ["kind": "synced", "developmentMode": true]).status == 200)
            #expect(try server.send("POST", "/model", schema([JSONMember("size", "int")])).status == 201)
            return ""
        },
        SyncedChange(
            path: "/partners",
            body: [
                "class": "Person", "partner": PartnerServer.newPerson, "forward": .string(PartnerServer.forward),
                "backward": .string(PartnerServer.backward),
            ], status: 201),
        SyncedChange(path: "/partners/{}/abort", body: nil, status: 200) { try $0.makePartner(fills: false) },
        SyncedChange(path: "/partners/{}/cut-over", body: nil, status: 200) { try $0.makePartner() },
        SyncedChange(path: "/sync/terminate", body: nil, status: 200),
        SyncedChange(path: "/sync/enable", body: schema([JSONMember("nick", "string?")]), status: 200) {
            server throws in
            #expect(try server.send("POST", "/sync/terminate").status == 200)
            return ""
        },
    ]

    @Test(arguments: syncedChanges.indices)
    func `a synced realm is changed in the state that is asked for, and in no other`(index: Int) throws {
        let change = Self.syncedChanges[index]
        let partners = try PartnerServer()
        let path = change.path.replacing("{}", with: try change.before(partners))
        func tag() throws -> String { try #require(try partners.send("GET").fields["etag"]) }
        func send(_ field: String) throws -> SocketResponse {
            try partners.server.send("POST", PartnerServer.realm + path, change.body, fields: [("If-Match", field)])
        }
        // So that another state is not the one that it was before.
        #expect(try partners.send("PUT", "", ["kind": "synced", "developmentMode": false]).status == 200)
        let before = try tag()
        #expect(try partners.send("PUT", "", ["kind": "synced", "developmentMode": true]).status == 200)
        let now = try tag()
        for field in [before, "\"other\"", "W/\(now)"] {
            let refused = try send(field)
            #expect(refused.status == 412 && refused.problem == "precondition_failed", "\(field)")
        }
        #expect(try tag() == now)
        let done = try send(now)
        #expect(done.status == change.status, "\(done.json)")
    }

    @Test func `what is not there is in no state`() throws {
        for field in ["*", "\"other\""] {
            #expect(try server.send("PUT", Self.realm, fields: [("If-Match", field)]).status == 412)
            #expect(try upload([("If-Match", field)]).status == 412)
        }
        #expect(try server.send("GET", Self.realm).status == 404)
    }

    @Test func `of many that have seen the same, one changes it`() throws {
        _ = try upload()
        let tag = try tag()
        let body = Samples.realm().encoded()
        let clients = try (0..<8).map { _ in try server.client() }
        for client in clients {
            try client.send(
                SocketClient.head(
                    "POST", Self.realm + "/snapshots",
                    [
                        ("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json"),
                        ("If-Match", tag), ("Content-Length", "\(body.count)"),
                    ]))
            try client.send(body)
        }
        let statuses = try clients.map { try $0.response().status }.sorted()
        #expect(statuses == [201] + Array(repeating: 412, count: 7))
    }
}
