import AccessStore
import RealmJSON
import RealmModel
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

/// A browser's session: a cookie in place of a key, for the service's own pages alone.
@Suite struct `A session of a browser` {
    private let server: APIServer

    init() throws { server = try APIServer() }

    private func signIn(_ server: APIServer, _ secret: String? = nil, host: String = "127.0.0.1") throws
        -> SocketResponse
    {
        try server.client().request(
            "POST", "/v1/sessions",
            fields: [("Authorization", "Bearer \(secret ?? server.key)"), ("Host", host)])
    }

    /// The name and the value that a browser sends back.
    private func cookie(_ response: SocketResponse) throws -> String {
        String(try #require(response.fields["set-cookie"]).prefix { $0 != ";" })
    }

    private func send(
        _ method: String, _ path: String, _ body: JSONValue? = nil, cookie: String,
        fields: [(String, String)] = [("Sec-Fetch-Site", "same-origin")]
    ) throws -> SocketResponse {
        try server.client().request(
            method, path, fields: [("Cookie", cookie), ("Content-Type", "application/json")] + fields,
            body: body?.encoded())
    }

    // MARK: Making

    @Test func `it is a cookie that no script reads and no other site sends`() throws {
        let made = try signIn(server)
        #expect(made.status == 201 && made.fields["location"] == "/v1/sessions/current")
        let field = try #require(made.fields["set-cookie"])
        #expect(field.hasPrefix("realmshift-session=rss_"))
        #expect(field.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        #expect(made.fields["cache-control"] == "no-store")
        let secret = try cookie(made).dropFirst("realmshift-session=".count)
        #expect(!made.text.contains(secret))
    }

    @Test func `nobody keeps an answer beyond it`() throws {
        let cookie = try cookie(try signIn(server))
        for path in ["/v1/apps", "/v1/keys", "/v1/jobs", "/metrics", "/v1/apps/none"] {
            #expect(
                try send("GET", path, cookie: cookie).fields["cache-control"]?.contains("no-store") == true, "\(path)")
        }
    }

    @Test func `it travels by TLS alone, except on the machine itself`() throws {
        for host in ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "127.1.2.3"] {
            #expect(try signIn(server, host: host).status == 201, "\(host)")
        }
        for host in ["realms.example.com", "10.0.0.1:8080", "127.0.0.1.example.com", "localhost.example.com", "[::2]"] {
            let refused = try signIn(server, host: host)
            #expect(refused.problem == "session_needs_https", "\(host)")
            #expect(refused.fields["set-cookie"] == nil)
        }
        // A proxy that gives the name of this machine for its own.
        let refused = try server.client().request(
            "POST", "/v1/sessions",
            fields: [
                ("Authorization", "Bearer \(server.key)"), ("Host", "127.0.0.1"),
                ("Origin", "https://realms.example.com"),
            ])
        #expect(refused.problem == "session_needs_https")
        let behindProxy = try APIServer(publicOrigin: "https://realms.example.com")
        let field = try signIn(behindProxy, host: "realms.example.com").fields["set-cookie"]
        #expect(field?.hasPrefix("__Host-realmshift-session=rss_") == true)
        #expect(field?.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Secure") == true)
        let inTheClear = try APIServer(publicOrigin: "http://realms.example.com")
        #expect(try signIn(inTheClear, host: "realms.example.com").problem == "session_needs_https")
    }

    @Test func `a repeated request gets no cookie`() throws {
        let fields = [("Authorization", "Bearer \(server.key)"), ("Idempotency-Key", "once")]
        let (first, second) = (
            try server.client().request("POST", "/v1/sessions", fields: fields),
            try server.client().request("POST", "/v1/sessions", fields: fields)
        )
        #expect(first.fields["set-cookie"] != nil && second.fields["set-cookie"] == nil)
        #expect(second.fields["idempotent-replayed"] == "true" && first.json == second.json)
    }

    // MARK: Using

    @Test func `it says who one is, and permits what its key does`() throws {
        let (key, secret) = try server.access.keys.create(named: "Ada", scopes: [.read], apps: .named(["shop"]))
        for app in ["shop", "notes"] { _ = try server.send("PUT", "/v1/apps/\(app)") }
        let cookie = try cookie(try signIn(server, secret))
        let current = try send("GET", "/v1/sessions/current", cookie: cookie).json
        #expect(current["id"]?.string != nil)
        #expect(current["key"]?["id"]?.string == "\(key.id)" && current["key"]?["scopes"] == ["read"])
        #expect(current["key"]?["apps"] == ["shop"] && current["key"]?["name"] == "Ada")
        #expect(try send("GET", "/v1/apps/shop", cookie: cookie).status == 200)
        #expect(try send("GET", "/v1/apps/notes", cookie: cookie).problem == "app_not_found")
        #expect(try send("PUT", "/v1/apps/shop", cookie: cookie).problem == "scope_missing")
        let byKey = try server.client().request(
            "GET", "/v1/sessions/current", fields: [("Authorization", "Bearer \(secret)")]
        ).json
        #expect(byKey["id"] == .null && byKey["key"] == current["key"])
    }

    @Test func `it ends when it is ended, and with its key`() throws {
        let (key, secret) = try server.access.keys.create(named: "Ada", scopes: [.read], apps: .all)
        let (one, other) = (try cookie(try signIn(server, secret)), try cookie(try signIn(server, secret)))
        #expect(try send("GET", "/v1/apps", cookie: one).status == 200)
        let ended = try send("DELETE", "/v1/sessions/current", cookie: one)
        #expect(ended.status == 204)
        #expect(ended.fields["set-cookie"] == "realmshift-session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
        #expect(try send("GET", "/v1/apps", cookie: one).problem == "session_ended")
        #expect(try send("GET", "/v1/apps", cookie: other).status == 200)
        #expect(try server.send("DELETE", "/v1/keys/\(key.id)").status == 204)
        let refused = try send("GET", "/v1/apps", cookie: other)
        #expect(refused.status == 401 && refused.problem == "session_ended")
        #expect(try server.send("DELETE", "/v1/sessions/current").problem == "session_not_found")
    }

    @Test func `an event stream ends with it`() throws {
        let server = try APIServer(followsJobs: true)
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.upload(Samples.realm().encoded())
        let job = try #require(
            try server.send(
                "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema]
            ).fields["location"])
        let cookie = try cookie(try signIn(server))
        let client = try server.client()
        try client.send(SocketClient.head("GET", "\(job)/events", [("Cookie", cookie)]))
        _ = try client.read(until: "retry: 2000")
        let ended = try server.client().request(
            "DELETE", "/v1/sessions/current", fields: [("Cookie", cookie), ("Sec-Fetch-Site", "same-origin")])
        #expect(ended.status == 204)
        _ = try client.read(until: "0\r\n\r\n")
    }

    @Test func `its secret opens nothing but by the cookie, which gives way to a key`() throws {
        let cookie = try cookie(try signIn(server))
        let secret = cookie.dropFirst("realmshift-session=".count)
        let bearer = try server.client().request("GET", "/v1/apps", fields: [("Authorization", "Bearer \(secret)")])
        #expect(bearer.problem == "unauthorized")
        for other in ["realmshift-session=\(server.key)", "__Host-realmshift-session=\(secret)", "x=\(secret)"] {
            #expect(try send("GET", "/v1/apps", cookie: other).problem == "unauthorized", "\(other)")
        }
        let wrong = try send("GET", "/v1/apps", cookie: cookie, fields: [("Authorization", "Bearer wrong")])
        #expect(wrong.problem == "unauthorized")
        #expect(try send("GET", "/v1/apps", cookie: "a=b; \(cookie); c=d").status == 200)
    }

    // MARK: Other origins

    @Test(
        arguments: [
            [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")], [("Sec-Fetch-Site", "none")], [],
            [("Origin", "https://evil.example")], [("Origin", "null")], [("Origin", "http://127.0.0.1:1")],
            [("Origin", "https://127.0.0.1")], [("Sec-Fetch-Site", "cross-site"), ("Origin", "http://127.0.0.1")],
        ] as [[(String, String)]])
    func `another site's page starts nothing by it`(fields: [(String, String)]) throws {
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.upload(Samples.realm().encoded())
        let cookie = try cookie(try signIn(server))
        // As a form of another site sends it, and as its script would.
        for type in ["application/x-www-form-urlencoded", "text/plain", "application/json"] {
            let refused = try server.client().request(
                "POST", "/v1/apps/shop/realms/ada/migrations",
                fields: [("Host", "127.0.0.1"), ("Cookie", cookie), ("Content-Type", type)] + fields,
                body: (["targetVersion": 2, "schema": Samples.grownSchema] as JSONValue).encoded())
            #expect(refused.status == 403 && refused.problem == "foreign_origin", "\(fields)")
        }
        for (method, path) in [("PUT", "/v1/apps/new"), ("DELETE", "/v1/apps/shop"), ("POST", "/v1/sessions")] {
            #expect(try send(method, path, cookie: cookie, fields: fields + [("Host", "127.0.0.1")]).status == 403)
        }
        #expect(try server.send("GET", "/v1/jobs").json["items"] == [])
        #expect(try server.send("GET", "/v1/apps").json["items"]?.elements?.count == 1)
    }

    @Test func `the service's own pages change things by it`() throws {
        let cookie = try cookie(try signIn(server))
        for (name, fields) in [
            ("a", [("Sec-Fetch-Site", "same-origin")]),
            ("b", [("Origin", "http://127.0.0.1:81"), ("Host", "127.0.0.1:81")]),
        ] {
            #expect(try send("PUT", "/v1/apps/\(name)", cookie: cookie, fields: fields).status == 201)
        }
        let site = SessionCookie(publicOrigin: "https://realms.example.com", speaksTLS: false)
        let behindProxy = try APIServer(publicOrigin: "https://realms.example.com")
        let secure = try self.cookie(try signIn(behindProxy, host: "inner:8080"))
        #expect(site.secret(in: secure)?.hasPrefix("rss_") == true)
        for (origin, status) in [("https://realms.example.com", 201), ("http://inner:8080", 403)] {
            let answer = try behindProxy.client().request(
                "PUT", "/v1/apps/a", fields: [("Host", "inner:8080"), ("Cookie", secure), ("Origin", origin)])
            #expect(answer.status == status, "\(origin)")
        }
    }

    @Test func `other sites' pages read nothing by it, and none of its answers runs scripts`() throws {
        let cookie = try cookie(try signIn(server))
        for site in ["cross-site", "same-site"] {
            let refused = try send("GET", "/v1/apps", cookie: cookie, fields: [("Sec-Fetch-Site", site)])
            #expect(refused.problem == "foreign_origin")
        }
        for path in ["/v1/apps", "/v1/apps/none"] {
            let answer = try send("GET", path, cookie: cookie, fields: [("Sec-Fetch-Site", "none")])
            #expect(answer.fields["content-security-policy"]?.hasPrefix("sandbox;") == true)
            #expect(answer.fields["x-content-type-options"] == "nosniff")
        }
    }
}
