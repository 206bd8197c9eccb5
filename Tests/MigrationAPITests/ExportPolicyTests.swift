import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `What realms are given back as` {
    private let server: APIServer
    private let path = "/v1/apps/shop/exports"
    private static let waits = [("Prefer", "wait=5")]
    private static let policy: JSONValue = [
        "format": "sqlite", "dates": "unix", "flatten": true, "targetVersion": .null,
    ]

    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
    }

    private func upload(_ fields: [(String, String)] = []) throws -> SocketResponse {
        try server.upload(Array(Self.document.utf8), fields: fields)
    }

    private static let document =
        #"{"schemaVersion":2,"schema":[{"name":"A","properties":{"n":"int"}}],"objects":{"A":[{"n":1}]}}"#

    @Test func `is said as a whole, and taken back`() throws {
        #expect(try server.send("GET", path).problem == "export_policy_missing")
        #expect(try server.send("PUT", path, Self.policy).json == Self.policy)
        #expect(try server.send("GET", path).json == Self.policy)
        let less: JSONValue = ["format": "csv", "dates": "iso", "flatten": false, "targetVersion": 7]
        #expect(try server.send("PUT", path, ["format": "csv", "targetVersion": 7]).json == less)
        #expect(try server.send("DELETE", path).status == 204)
        #expect(try server.send("GET", path).problem == "export_policy_missing")
        #expect(try server.send("PUT", "/v1/apps/none/exports", Self.policy).problem == "app_not_found")
    }

    @Test(arguments: [
        #"{}"#, #"{"format": "realm"}"#, #"{"format": "json"}"#, #"{"format": 1}"#,
        #"{"format": "csv", "dates": "never"}"#,
        #"{"format": "csv", "targetVersion": -1}"#, #"{"format": "csv", "flatten": "yes"}"#,
        #"{"format": "csv", "flatten": true}"#, #"{"format": "parquet", "dates": "unix"}"#,
    ])
    func `is refused where it makes no sense`(body: String) throws {
        #expect(try server.send("PUT", path, JSONValue.parse(Array(body.utf8))).problem == "malformed_document")
    }

    @Test func `answers uploads of clients that wait, and those alone`() throws {
        #expect(try upload(Self.waits).json["id"] != nil)
        _ = try server.send("PUT", path, Self.policy)
        #expect(try upload().json["id"] != nil)
        let exported = try upload(Self.waits)
        #expect(exported.status == 201)
        #expect(exported.fields["content-type"] == "application/vnd.sqlite3")
        #expect(exported.body.starts(with: Array("SQLite format 3\0".utf8)))
        #expect(exported.fields["location"]?.hasPrefix("/v1/snapshots/") == true)
        let again = try server.send("GET", "/v1/apps/shop/realms/ada/export")
        #expect(again.status == 200 && again.body == exported.body)
    }

    @Test func `is refused where the realm is of another version that it can't be migrated to`() throws {
        _ = try server.send("PUT", path, ["format": "csv", "targetVersion": 7])
        #expect(try upload(Self.waits).problem == "schema_version_unknown")
        #expect(try server.send("GET", "/v1/apps/shop/realms/ada/export").problem == "export_of_another_version")
        #expect(try server.send("GET", "/v1/apps/shop/realms/eve/export").problem == "realm_not_found")
    }

    @Test func `says that a migration goes on where the time is over`() throws {
        _ = try server.send(
            "PUT", "/v1/apps/shop/schemas/7", ["schema": [["name": "A", "properties": ["n": "string"]]]])
        _ = try server.send("PUT", path, ["format": "csv", "targetVersion": 7])
        // Nobody runs jobs here.
        let answer = try upload([("Prefer", "wait=0")])
        #expect(answer.status == 202)
        #expect(answer.json["state"] == "queued" && answer.json["toVersion"] == 7)
    }
}
