import Foundation
import RealmJSON
import RealmModel
import SnapshotStore
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
        case .removedElsewhere: try server.store.keys.delete(key.id)
        case .expired:
            _ = try server.pool.withConnection {
                try $0.execute(
                    "UPDATE api_key SET expires_at = now() + interval '1 second' WHERE api_key_id = \(key.id)")
            }
        }
    }

    @Test(arguments: End.allCases) func `an event stream ends with its key`(end: End) throws {
        let (server, job) = try server()
        let (key, secret) = try server.store.keys.create(named: "phone", scopes: [.read], apps: .named(["shop"]))
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
        let (key, secret) = try server.store.keys.create(named: "phone", scopes: [.read], apps: .named(["shop"]))
        let client = try server.client()
        try client.send(
            SocketClient.head("GET", job, [("Authorization", "Bearer \(secret)"), ("Prefer", "wait=60")]))
        usleep(300_000)
        try self.end(key, end, server)
        let response = try client.response()
        #expect(response.status == 401)
        #expect(response.problem == "unauthorized")
    }
}
