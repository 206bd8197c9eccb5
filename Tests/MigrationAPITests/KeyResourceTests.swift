import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Keys over the API: what is made opens what it says, and nobody gets more by making one.
@Suite struct KeyResourceTests {
    private let server: APIServer

    init() throws { server = try APIServer() }

    private func send(
        _ method: String, _ path: String, _ body: JSONValue? = nil, key: String
    ) throws -> SocketResponse {
        try server.client().request(
            method, path, fields: [("Authorization", "Bearer \(key)"), ("Content-Type", "application/json")],
            body: body?.encoded())
    }

    private func make(_ body: JSONValue, by key: String? = nil) throws -> SocketResponse {
        try send("POST", "/v1/keys", body, key: key ?? server.key)
    }

    @Test func `shows a secret once, and knows the key by its id from then on`() throws {
        let made = try make([
            "name": "laptop", "scopes": ["migrate", "read"], "apps": ["shop"], "expiresAt": "2999-01-01T00:00:00Z",
        ])
        #expect(made.status == 201)
        let secret = try #require(made.json["key"]?.string)
        let id = try #require(made.json["id"]?.string)
        #expect(made.fields["location"] == "/v1/keys/\(id)")
        let found = try send("GET", "/v1/keys/\(id)", key: server.key).json
        #expect(found["scopes"] == ["read", "migrate"])
        #expect(found["apps"] == ["shop"])
        #expect(found["expiresAt"] == "2999-01-01T00:00:00.000Z")
        #expect(found["key"] == nil)
        #expect(try send("GET", "/v1/keys", key: server.key).json["items"]?.elements?.last == found)
        #expect(try send("GET", "/v1/jobs", key: secret).status == 200)
        #expect(try send("GET", "/v1/keys", key: secret).problem == "scope_missing")
    }

    @Test func `opens nothing from the moment on that it is revoked`() throws {
        let made = try make(["name": "lost", "scopes": ["read"]]).json
        let secret = try #require(made["key"]?.string)
        for _ in 0..<3 { #expect(try send("GET", "/v1/apps", key: secret).status == 200) }
        let path = "/v1/keys/\(try #require(made["id"]?.string))"
        #expect(try send("DELETE", path, key: server.key).status == 204)
        #expect(try send("GET", "/v1/apps", key: secret).status == 401)
        #expect(try send("DELETE", path, key: server.key).problem == "api_key_not_found")
    }

    @Test func `gives no more than its maker has`() throws {
        let limited = try server.access.keys.create(
            named: "limited", scopes: [.admin, .read], apps: .named(["shop", "notes"])
        ).secret
        #expect(try make(["name": "k", "scopes": ["read", "write"]], by: limited).problem == "scope_missing")
        #expect(try make(["name": "k", "scopes": ["read"], "apps": ["zoo"]], by: limited).problem == "app_not_found")
        #expect(try make(["name": "k", "scopes": ["read"], "apps": ["shop"]], by: limited).json["apps"] == ["shop"])
        #expect(try make(["name": "k", "scopes": ["read"]], by: limited).json["apps"] == ["notes", "shop"])
        #expect(try make(["name": "k", "scopes": ["read"]]).json["apps"] == .null)
        #expect(try send("GET", "/v1/keys", key: limited).json["items"]?.elements?.count == 3)
    }

    @Test(
        arguments: [
            ("name", ""), ("name", .string(String(repeating: "é", count: 201))), ("name", 7), ("name", "a\0"),
            ("scopes", []), ("scopes", ["root"]), ("scopes", "read"), ("scopes", .null),
            ("apps", []), ("apps", ["no such name!"]), ("apps", [1]),
            ("expiresAt", "tomorrow"), ("expiresAt", "2001-01-01T00:00:00Z"), ("expiresAt", "10000-01-01T00:00:00Z"),
        ] as [(String, JSONValue)])
    func `refuses`(member: String, value: JSONValue) throws {
        let members = [("name", "k"), ("scopes", ["read"])] as [(String, JSONValue)]
        let body = members.filter { $0.0 != member } + [(member, value)]
        let response = try make(.object(body.map { JSONMember($0.0, $0.1) }))
        #expect(response.status == 422)
        #expect(response.problem == "malformed_document")
        #expect(response.json["errors"]?.elements?.first?["pointer"]?.string == "/\(member)")
    }
}
