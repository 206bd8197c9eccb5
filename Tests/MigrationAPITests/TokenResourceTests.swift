import AccessStore
import Postgres
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

/// A key for one realm: a secret of hours that opens the realms that it names, for whoever has the scopes in the app.
@Suite struct `A key for one realm` {
    private let server: APIServer
    /// A team's backend: it may not even make keys.
    private let backend: (key: APIKey, secret: String)

    init() throws { try self.init(requestsPerMinute: nil) }

    private init(requestsPerMinute: Int?) throws {
        server = try APIServer(requestsPerMinute: requestsPerMinute)
        backend = try server.access.keys.create(
            named: "backend", scopes: [.read, .write], apps: .named(["shop", "notes", "later"]))
        for app in ["shop", "notes", "zoo"] { _ = try server.store.apps.put(app) }
    }

    private func send(
        _ method: String, _ path: String, _ body: JSONValue? = nil, with secret: String,
        fields: [(String, String)] = []
    ) throws -> SocketResponse {
        try server.client().request(
            method, path,
            fields: [("Authorization", "Bearer \(secret)"), ("Content-Type", "application/json")] + fields,
            body: body?.encoded())
    }

    private func make(_ members: [JSONMember] = [], with secret: String? = nil) throws -> SocketResponse {
        let usual: [JSONMember] = [
            JSONMember("app", "shop"), JSONMember("realms", ["ada"]), JSONMember("scopes", ["read", "write"]),
        ]
        let body = usual.filter { one in !members.contains { $0.name == one.name } } + members
        return try send("POST", "/v1/tokens", .object(body), with: secret ?? backend.secret)
    }

    private func token(_ members: [JSONMember] = []) throws -> (id: String, secret: String) {
        let made = try make(members)
        #expect(made.status == 201, "\(made.json)")
        return (try #require(made.json["id"]?.string), try #require(made.json["token"]?.string))
    }

    // MARK: Making

    @Test func `its secret is shown once, and it is known by its id from then on`() throws {
        let made = try make([JSONMember("expiresInSeconds", 7200)])
        #expect(made.status == 201)
        let id = try #require(made.json["id"]?.string)
        #expect(made.fields["location"] == "/v1/tokens/\(id)")
        #expect(made.json["token"]?.string?.hasPrefix("rst_") == true)
        let found = try send("GET", "/v1/tokens/\(id)", with: backend.secret).json
        #expect(found["token"] == nil)
        #expect(found["app"] == "shop" && found["realms"] == ["ada"] && found["scopes"] == ["read", "write"])
        #expect(found["maker"] == ["id": .string("\(backend.key.id)"), "name": "backend"])
        #expect(try send("GET", "/v1/tokens", with: backend.secret).json["items"] == [found])
        let (created, expires) = (
            try #require(Timestamp(found["createdAt"]?.string ?? "")),
            try #require(Timestamp(found["expiresAt"]?.string ?? ""))
        )
        #expect(expires.seconds - created.seconds == 7200)
    }

    @Test func `it is made by whoever has its scopes in the app, and has no more`() throws {
        #expect(try make([JSONMember("scopes", ["read", "migrate"])]).problem == "scope_missing")
        for app in ["zoo", "none", "later", "no such name!"] {
            let refused = try make([JSONMember("app", .string(app))])
            #expect(refused.status == 404 && refused.problem == "app_not_found", "\(app)")
        }
        #expect(try make([JSONMember("app", "notes"), JSONMember("scopes", ["read"])]).json["scopes"] == ["read"])
        // Not even its maker's own: by a token nobody makes one, nor a key.
        let token = try token().secret
        #expect(try make(with: token).problem == "not_for_tokens")
        for (method, path) in [("GET", "/v1/tokens"), ("POST", "/v1/keys"), ("GET", "/v1/keys")] {
            #expect(try send(method, path, [:], with: token).status == 403)
        }
    }

    @Test(
        arguments: [
            ("app", .null), ("app", 7), ("realms", .null), ("realms", []), ("realms", "ada"), ("realms", [7]),
            ("realms", ["*"]), ("realms", ["ada*"]), ("realms", ["ada", ""]), ("realms", ["team/*"]),
            ("realms", .array((0...100).map { .string("r\($0)") })), ("scopes", .null), ("scopes", []),
            ("scopes", ["root"]), ("scopes", ["admin"]), ("expiresInSeconds", 0), ("expiresInSeconds", -1),
            ("expiresInSeconds", 86_401), ("expiresInSeconds", "1 h"), ("expiresInSeconds", 1.5),
        ] as [(String, JSONValue)])
    func `refuses`(member: String, value: JSONValue) throws {
        let response = try make([JSONMember(member, value)], with: server.key)
        #expect(response.status == 422)
        #expect(response.problem == "malformed_document")
        #expect(response.json["errors"]?.elements?.first?["pointer"]?.string == "/\(member)")
    }

    @Test func `it is of a day at most, of an hour unless told, and never longer than its maker`() throws {
        func life(_ members: [JSONMember], with secret: String? = nil) throws -> Int64 {
            let json = try make(members, with: secret).json
            let times = try ["createdAt", "expiresAt"].map { try #require(Timestamp(json[$0]?.string ?? "")) }
            return times[1].seconds - times[0].seconds
        }
        #expect(try life([]) == 3600)
        #expect(try life([JSONMember("expiresInSeconds", 86_400)]) == 86_400)
        let brief = try server.access.keys.create(
            named: "brief", scopes: [.read, .write], apps: .all,
            expiresAt: Timestamp(seconds: Timestamp.now.seconds + 60, nanoseconds: 0))
        #expect(try (50...60).contains(life([], with: brief.secret)))
    }

    // MARK: Using

    @Test func `it opens the realms that it names, there or not, and those of its prefixes`() throws {
        let secret = try token([JSONMember("realms", ["ada", "team-7:"])]).secret
        for realm in ["ada", "team-7:notes", "team-7:photos"] {
            let path = "/v1/apps/shop/realms/\(realm)"
            #expect(try send("GET", path, with: secret).problem == "realm_not_found")
            #expect(try send("POST", "\(path)/snapshots", Samples.realm(), with: secret).status == 201)
            #expect(try send("GET", path, with: secret).status == 200)
        }
        for realm in ["adam", "team-7", "team-70", "team-8:notes"] {
            let path = "/v1/apps/shop/realms/\(realm)"
            #expect(try send("POST", "\(path)/snapshots", Samples.realm(), with: secret).problem == "realm_not_found")
            #expect(try send("PUT", path, with: secret).problem == "realm_not_found")
        }
        let listed = try send("GET", "/v1/apps/shop/realms", with: secret).json["items"]?.elements
        #expect(listed?.compactMap { $0["name"]?.string } == ["ada", "team-7:notes", "team-7:photos"])
    }

    @Test func `it opens nothing from the moment on that it, or its maker, is revoked`() throws {
        let (one, other) = (try token(), try token())
        for token in [one, other] { #expect(try send("GET", "/v1/jobs", with: token.secret).status == 200) }
        #expect(try send("DELETE", "/v1/tokens/\(one.id)", with: backend.secret).status == 204)
        #expect(try send("GET", "/v1/jobs", with: one.secret).status == 401)
        #expect(try send("DELETE", "/v1/tokens/\(one.id)", with: backend.secret).problem == "token_not_found")
        #expect(try send("GET", "/v1/jobs", with: other.secret).status == 200)
        #expect(try server.send("DELETE", "/v1/keys/\(backend.key.id)").status == 204)
        #expect(try send("GET", "/v1/jobs", with: other.secret).status == 401)
        #expect(try server.send("GET", "/v1/tokens/\(other.id)").problem == "token_not_found")
    }

    @Test func `it opens nothing of another app of the name that its app had`() throws {
        let token = try token()
        #expect(try send("GET", "/v1/jobs", with: token.secret).status == 200)
        #expect(try server.send("DELETE", "/v1/apps/shop").status == 204)
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
        #expect(try send("GET", "/v1/jobs", with: token.secret).status == 401)
    }

    @Test func `it is seen by its maker, and by administrators of its app`() throws {
        let id = try token().id
        func status(_ scopes: Set<KeyScope>, _ apps: VisibleApps) throws -> [Int] {
            let secret = try server.access.keys.create(named: "k", scopes: scopes, apps: apps).secret
            let count = try send("GET", "/v1/tokens", with: secret).json["items"]?.elements?.count
            return [try #require(count), try send("GET", "/v1/tokens/\(id)", with: secret).status]
        }
        #expect(try status([.admin], .named(["shop"])) == [1, 200])
        #expect(try status([.admin], .all) == [1, 200])
        #expect(try status([.admin], .named(["notes"])) == [0, 404])
        #expect(try status([.read, .write, .migrate], .all) == [0, 404])
    }

    @Test func `what is done with it is in the audit log by its maker`() throws {
        let token = try token()
        _ = try send("PUT", "/v1/apps/shop/realms/ada", with: token.secret)
        _ = try send("PUT", "/v1/apps/shop/realms/bob", with: token.secret)
        _ = try send("PUT", "/v1/apps/shop/realms/bob", with: backend.secret)
        let entries = try #require(try server.send("GET", "/v1/audit?key=\(backend.key.id)").json["items"]?.elements)
        // A request that is refused by its head changes nothing, whoever sends it.
        #expect(entries.compactMap { $0["operation"]?.string } == ["putRealm", "putRealm", "makeToken"])
        #expect(entries.map { $0["token"] } == [.null, .string(token.id), .null])
        #expect(entries.allSatisfy { $0["key"]?["name"] == "backend" })
        #expect(entries[1]["path"] == "/v1/apps/shop/realms/ada" && entries[1]["app"] == "shop")
        #expect(!entries.description.contains(token.secret))
    }

    @Test func `requests that are repeated are its own, and its secret is not among what is kept`() throws {
        let (one, other) = (try token(), try token())
        let fields = [("Idempotency-Key", "same")]
        func upload(_ secret: String) throws -> SocketResponse {
            try send("POST", "/v1/apps/shop/realms/ada/snapshots", Samples.realm(), with: secret, fields: fields)
        }
        let first = try upload(one.secret)
        #expect(try upload(one.secret).body == first.body)
        #expect(try upload(other.secret).fields["idempotent-replayed"] == nil)
        let body: JSONValue = ["app": "shop", "realms": ["ada"], "scopes": ["read"]]
        let made = try (0..<2).map { _ in try send("POST", "/v1/tokens", body, with: backend.secret, fields: fields) }
        #expect(made[0].json["token"] != nil && made[1].json["token"] == nil)
        #expect(made[0].json["id"] == made[1].json["id"])
    }

    @Test func `it has a budget of requests of its own`() throws {
        let limited = try Self(requestsPerMinute: 3)
        let (one, other) = (try limited.token(), try limited.token())
        for _ in 0..<3 { #expect(try limited.send("GET", "/v1/jobs", with: one.secret).status == 200) }
        #expect(try limited.send("GET", "/v1/jobs", with: one.secret).problem == "rate_limited")
        #expect(try limited.send("GET", "/v1/jobs", with: other.secret).status == 200)
        #expect(try limited.send("GET", "/v1/jobs", with: limited.backend.secret).status == 200)
    }

    @Test func `a change of its realm is its user's, by scopes and by the realm's feed`() throws {
        let synced = try SyncedServer()
        let made = try synced.server.send(
            "POST", "/v1/tokens", ["app": "shop", "realms": ["team"], "scopes": ["read", "write"]])
        let secret = try #require(made.json["token"]?.string)
        func ask(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> SocketResponse {
            try synced.server.client().request(
                method, SyncedServer.realm + path,
                fields: [
                    ("Authorization", "Bearer \(secret)"), ("Content-Type", "application/json"),
                    ("Realm-Schema-Version", "1"),
                ], body: body?.encoded())
        }
        let base = try #require(try ask("GET", "").json["currentSnapshot"]?.string)
        let change: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "title": "hers"]]]]
        #expect(try ask("POST", "/changes", change).status == 201)
        #expect(try ask("GET", "/changes?since=\(base)").text.contains("hers"))
        #expect(try ask("GET", "/objects/Note/1").json["title"] == "hers")
        #expect(try ask("POST", "/migrations", ["targetVersion": 1]).problem == "scope_missing")
    }
}
