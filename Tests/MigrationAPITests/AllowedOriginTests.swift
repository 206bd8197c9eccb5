import RealmJSON
import RealmModel
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

/// Pages of other origins: with keys where the operator allows it, never with cookies.
@Suite struct `A page of another origin` {
    private static let origin = "https://tools.example.com"

    private func preflight(_ server: APIServer, _ origin: String, _ path: String = "/v1/apps/shop") throws
        -> SocketResponse
    {
        try server.client().request(
            "OPTIONS", path,
            fields: [
                ("Origin", origin), ("Access-Control-Request-Method", "PUT"),
                ("Access-Control-Request-Headers", "authorization,content-type"),
            ])
    }

    @Test func `is allowed what the operator has named, for requests with a key`() throws {
        let server = try APIServer(allowedOrigins: [Self.origin, "http://localhost:3000"])
        for path in ["/v1/apps/shop", "/v1/none", "/v1/apps/shop/realms/ada/uploads"] {
            let asked = try preflight(server, Self.origin, path)
            #expect(asked.status == 204 && asked.fields["access-control-allow-origin"] == Self.origin)
            #expect(asked.fields["access-control-allow-methods"]?.contains("PUT") == true)
            for field in ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID"] {
                #expect(asked.fields["access-control-allow-headers"]?.contains(field) == true)
            }
            #expect(asked.fields["access-control-allow-credentials"] == nil)
            #expect(asked.fields["vary"]?.contains("Origin") == true)
        }
        let made = try server.send("PUT", "/v1/apps/shop", fields: [("Origin", Self.origin)])
        #expect(made.status == 201 && made.fields["access-control-allow-origin"] == Self.origin)
        let exposed = made.fields["access-control-expose-headers"]?.split(separator: ", ") ?? []
        #expect(Set(exposed).isSuperset(of: ["ETag", "Upload-Length", "Upload-Offset", "Idempotent-Replayed"]))
        // Errors of every kind can be read, too.
        for (key, path) in [("wrong", "/v1/apps"), (server.key, "/v1/apps/none"), (server.key, "/v1/none")] {
            let refused = try server.client().request(
                "GET", path, fields: [("Authorization", "Bearer \(key)"), ("Origin", Self.origin)])
            #expect(refused.status > 400 && refused.fields["access-control-allow-origin"] == Self.origin)
        }
        let open = try server.client().request("GET", "/v1/version", fields: [("Origin", "http://localhost:3000")])
        #expect(open.fields["access-control-allow-origin"] == "http://localhost:3000")
    }

    @Test(arguments: ["https://tools.example.com.evil", "http://tools.example.com", "null", "*", ""])
    func `is allowed nothing where it is not that origin to the letter`(origin: String) throws {
        let server = try APIServer(allowedOrigins: [Self.origin])
        let asked = try preflight(server, origin)
        #expect(asked.status == 405 && asked.fields["access-control-allow-origin"] == nil)
        let read = try server.send("GET", "/v1/apps", fields: [("Origin", origin)])
        #expect(read.status == 200 && read.fields["access-control-allow-origin"] == nil)
        #expect(read.fields["vary"] == "Origin")
    }

    @Test func `is allowed nothing where the operator has named none`() throws {
        let server = try APIServer()
        #expect(try preflight(server, Self.origin).status == 405)
        let read = try server.send("GET", "/v1/apps", fields: [("Origin", Self.origin)])
        #expect(read.fields["access-control-allow-origin"] == nil && read.fields["vary"] == nil)
    }

    private func session(_ server: APIServer) throws -> String {
        let made = try server.client().request(
            "POST", "/v1/sessions", fields: [("Authorization", "Bearer \(server.key)"), ("Host", "127.0.0.1")])
        return String(try #require(made.fields["set-cookie"]).prefix { $0 != ";" })
    }

    @Test func `sees and does nothing with a cookie, although its origin is allowed`() throws {
        let server = try APIServer(allowedOrigins: [Self.origin])
        let cookie = try session(server)
        for site in ["cross-site", "same-site"] {
            for method in ["GET", "PUT"] {
                let answer = try server.client().request(
                    method, "/v1/apps/shop",
                    fields: [("Cookie", cookie), ("Origin", Self.origin), ("Sec-Fetch-Site", site)])
                #expect(answer.problem == "foreign_origin")
                #expect(answer.fields["access-control-allow-origin"] == nil)
            }
        }
        let old = try server.client().request("GET", "/v1/apps", fields: [("Cookie", cookie), ("Origin", Self.origin)])
        #expect(old.fields["access-control-allow-origin"] == nil)
    }

    @Test func `leaves its attempts in the audit log, the first of each minute`() throws {
        let server = try APIServer()
        let cookie = try session(server)
        for number in 0..<30 {
            let answer = try server.client().request(
                "POST", "/v1/apps/shop/realms/r\(number)/migrations",
                fields: [("Cookie", cookie), ("Sec-Fetch-Site", "cross-site")])
            #expect(answer.problem == "foreign_origin")
        }
        let entries = try server.send("GET", "/v1/audit").json["items"]?.elements ?? []
        let refused = entries.filter { $0["status"] == 403 }
        #expect(refused.count == RefusalCount.most, "\(entries) \(server.log.failures.withLock { $0 })")
        #expect(refused.allSatisfy { $0["operation"] == "startMigration" && $0["key"]?["name"] == "test" })
        // Those of one millisecond are in any order.
        let paths = (0..<RefusalCount.most).map { "/v1/apps/shop/realms/r\($0)/migrations" }
        #expect(Set(refused.compactMap { $0["path"]?.string }) == Set(paths))
    }

    @Test func `is noted anew in the next minute`() {
        var count = RefusalCount()
        let (start, key) = (ContinuousClock.now, RealmModel.UUID.version7())
        let first = (0..<30).filter { _ in count.takes(key, at: start) }
        #expect(first.count == RefusalCount.most)
        #expect(!count.takes(key, at: start + .seconds(59)) && count.takes(key, at: start + .seconds(61)))
    }
}
