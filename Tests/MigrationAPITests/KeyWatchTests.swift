import AccessStore
import Foundation
import RealmJSON
import RealmModel
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

/// Answers that go on for long end within seconds of their key's end.
@Suite struct KeyWatchTests {
    /// How a key ends.
    enum End: CaseIterable {
        case removed
        /// By another process.
        case removedElsewhere
        case expired
    }

    /// How a token ends.
    enum TokenEnd: CaseIterable {
        case removed
        /// By another process.
        case removedElsewhere
        case expired
        /// The key that made it.
        case makerRemoved
        case makerRemovedElsewhere
        case makerExpired
    }

    private func server() throws -> (APIServer, job: String) {
        let server = try APIServer(followsJobs: true)
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.upload(Samples.realm().encoded())
        let made = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        return (server, try #require(made.fields["location"]))
    }

    private func end(_ key: APIKey, _ end: End, _ server: APIServer) throws {
        switch end {
        case .removed: #expect(try server.send("DELETE", "/v1/keys/\(key.id)").status == 204)
        case .removedElsewhere: try server.access.keys.delete(key.id)
        case .expired:
            _ = try server.pool.withConnection {
                try $0.execute(
                    "UPDATE api_key SET expires_at = now() + interval '1 second' WHERE api_key_id = \(key.id)")
            }
        }
    }

    @Test(arguments: End.allCases) func `an event stream ends with its key`(end: End) throws {
        let (server, job) = try server()
        let (key, secret) = try server.access.keys.create(named: "phone", scopes: [.read], apps: .named(["shop"]))
        let client = try server.client()
        try client.send(SocketClient.head("GET", "\(job)/events", [("Authorization", "Bearer \(secret)")]))
        _ = try client.read(until: "retry: 2000")
        // Another key's stream goes on.
        let other = try server.client()
        try other.send(SocketClient.head("GET", "\(job)/events", [("Authorization", "Bearer \(server.key)")]))
        _ = try other.read(until: "retry: 2000")
        try self.end(key, end, server)
        let rest = try client.read(until: "0\r\n\r\n")
        #expect(!rest.contains("event: done"))
        _ = try server.send("POST", "\(job)/cancel")
        #expect(try other.read(until: "event: done").contains("id:"))
    }

    @Test(arguments: End.allCases) func `a long wait ends with its key, and says nothing of the job`(end: End) throws {
        let (server, job) = try server()
        let (key, secret) = try server.access.keys.create(named: "phone", scopes: [.read], apps: .named(["shop"]))
        let client = try server.client()
        try client.send(
            SocketClient.head("GET", job, [("Authorization", "Bearer \(secret)"), ("Prefer", "wait=60")]))
        usleep(300_000)
        try self.end(key, end, server)
        let response = try client.response()
        #expect(response.status == 401)
        #expect(response.problem == "unauthorized")
    }

    /// Of a download that is larger than what two sockets hold, so that the server is still at it.
    @Test(arguments: End.allCases) func `a download breaks off with its key`(end: End) throws {
        let server = try APIServer(documentLimit: 64 << 20)
        _ = try server.send("PUT", "/v1/apps/shop")
        let text = String(repeating: "a", count: 1 << 20)
        let realm: JSONValue = [
            "schema": [["name": "Note", "properties": ["text": "string"]]],
            "objects": ["Note": .array((0..<30).map { ["_key": .int($0), "text": .string(text)] })],
        ]
        let made = try server.upload(realm.encoded())
        let path = "/v1/snapshots/\(try #require(made.json["id"]?.string, "\(made.text)"))/content"
        let (key, secret) = try server.access.keys.create(named: "phone", scopes: [.read], apps: .named(["shop"]))
        let client = try server.client()
        let fields = [("Authorization", "Bearer \(secret)"), ("Accept", "application/json")]
        try client.send(SocketClient.head("GET", path, fields))
        #expect(client.take(1) == 1)
        try self.end(key, end, server)
        // A second until it expires, two until somebody looks, or longer; what is taken meanwhile is less than there is.
        var isReset = false
        for _ in 0..<200 where end != .removed && !isReset {
            isReset = client.take(10_000) == nil && errno == ECONNRESET
            usleep(150_000)
        }
        #expect(isReset || client.endsByReset())
        #expect(server.log.failures.withLock { $0 }.isEmpty)
    }

    private func end(_ token: RealmToken, _ end: TokenEnd, _ server: APIServer) throws {
        switch end {
        case .removed: #expect(try server.send("DELETE", "/v1/tokens/\(token.id)").status == 204)
        case .removedElsewhere: try server.access.tokens.delete(token.id)
        case .expired:
            _ = try server.pool.withConnection {
                try $0.execute(
                    """
                    UPDATE realm_token SET expires_at = now() + interval '1 second'
                    WHERE realm_token_id = \(token.id)
                    """)
            }
        case .makerRemoved: try self.end(try server.access.keys.find(token.maker), .removed, server)
        case .makerRemovedElsewhere: try self.end(try server.access.keys.find(token.maker), .removedElsewhere, server)
        case .makerExpired: try self.end(try server.access.keys.find(token.maker), .expired, server)
        }
    }

    @Test(arguments: TokenEnd.allCases) func `event streams end with their token, and with its maker`(
        end: TokenEnd
    ) throws {
        let (server, job) = try server()
        let maker = try server.access.keys.create(named: "backend", scopes: [.read], apps: .named(["shop"])).key
        let realms = try #require(RealmNames(["ada"]))
        func make() throws -> (token: RealmToken, secret: String) {
            try server.access.tokens.create(by: maker.id, for: realms, of: "shop", scopes: [.read], life: .seconds(600))
        }
        let (token, other) = (try make(), try make())
        func follow(_ path: String, _ secret: String) throws -> SocketClient {
            let client = try server.client()
            try client.send(
                SocketClient.head(
                    "GET", path, [("Authorization", "Bearer \(secret)"), ("Accept", "text/event-stream")]))
            _ = try client.read(until: "retry: 2000")
            return client
        }
        let clients = try ["\(job)/events", "/v1/apps/shop/realms/ada/changes"].map { try follow($0, token.secret) }
        let rest = try follow("\(job)/events", other.secret)
        try self.end(token.token, end, server)
        for client in clients { #expect(try !client.read(until: "0\r\n\r\n").contains("event: done")) }
        switch end {
        case .removed, .removedElsewhere, .expired:
            // Another token of the key goes on.
            _ = try server.send("POST", "\(job)/cancel")
            #expect(try rest.read(until: "event: done").contains("id:"))
        case .makerRemoved, .makerRemovedElsewhere, .makerExpired:
            #expect(try !rest.read(until: "0\r\n\r\n").contains("event: done"))
        }
    }

    @Test func `a long wait ends with its token, and says nothing of the job`() throws {
        let (server, job) = try server()
        let made = try server.send("POST", "/v1/tokens", ["app": "shop", "realms": ["ada"], "scopes": ["read"]]).json
        let client = try server.client()
        let secret = try #require(made["token"]?.string)
        try client.send(
            SocketClient.head("GET", job, [("Authorization", "Bearer \(secret)"), ("Prefer", "wait=60")]))
        usleep(300_000)
        #expect(try server.send("DELETE", "/v1/tokens/\(made["id"]?.string ?? "")").status == 204)
        let response = try client.response()
        #expect(response.status == 401)
        #expect(response.problem == "unauthorized")
    }
}
