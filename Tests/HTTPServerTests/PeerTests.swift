import Foundation
import TestHTTP
import Testing

/// How many connections one address may have.
struct PeerTests {
    @Test func `a peer has as many connections as it may have, and another when one has ended`() throws {
        let server = try TestServer { $0.connectionsPerPeer = 3 }
        var clients = try (0..<3).map { _ in try server.client() }
        for client in clients { #expect(try client.request("GET", "/bytes/1").status == 200) }
        for _ in 0..<5 { #expect(try server.client().isAtEnd()) }
        // Those that were there are none the worse.
        for client in clients { #expect(try client.request("GET", "/bytes/1").status == 200) }
        clients.removeLast()
        #expect(try comesIn(server))
    }

    @Test func `connections that never ask for anything count, until they are given up`() throws {
        let server = try TestServer {
            $0.connectionsPerPeer = 2
            $0.patience.head = .milliseconds(300)
        }
        let silent = try (0..<2).map { _ in try server.client() }
        #expect(try server.client().isAtEnd())
        for client in silent { #expect(client.isAtEnd()) }
        #expect(try comesIn(server))
    }

    /// Whether a connection is taken again, once the server has seen the end of another.
    private func comesIn(_ server: TestServer) throws -> Bool {
        for _ in 0..<100 {
            if let status = try? server.client().request("GET", "/bytes/1").status { return status == 200 }
            Thread.sleep(forTimeInterval: 0.02)
        }
        return false
    }
}
