import Foundation
import HTTPServer
import TestHTTP
import Testing

/// Clients that keep a connection without getting on.
struct PatienceTests {
    private static let short = Patience(
        idle: .milliseconds(600), head: .milliseconds(300), body: .milliseconds(300), leastBytesPerSecond: 1000,
        farewell: .milliseconds(500))

    private func server() throws -> TestServer { try TestServer { $0.patience = Self.short } }

    @Test func `a head that dribbles is refused`() throws {
        let server = try server()
        let client = try server.client()
        let start = ContinuousClock.now
        for byte in SocketClient.head("GET", "/bytes/1").utf8 {
            do { try client.send([byte]) } catch { break }
            usleep(50_000)
            if ContinuousClock.now - start > .milliseconds(800) { break }
        }
        #expect(try client.response().status == 408)
    }

    @Test(arguments: ["/buffered", "/spooled"]) func `a body below the least rate is refused`(target: String) throws {
        let server = try server()
        let client = try server.client()
        try client.send(SocketClient.head("POST", target, [("Content-Length", "900")]))
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .milliseconds(1500) {
            // Always within the time for no byte at all.
            do { try client.send([1]) } catch { break }
            usleep(100_000)
        }
        #expect(try client.response().status == 408)
    }

    @Test func `a body above the least rate may take longer than its patience`() throws {
        let server = try server()
        let client = try server.client()
        try client.send(SocketClient.head("POST", "/spooled", [("Content-Length", "20000")]))
        for _ in 0..<10 {
            try client.send(pattern(2000))
            usleep(100_000)
        }
        #expect(try client.response().status == 200)
    }

    @Test func `a connection without a request is closed`() throws {
        let server = try server()
        let fresh = try server.client()
        let used = try server.client()
        #expect(try used.request("GET", "/bytes/1").status == 200)
        #expect(fresh.isAtEnd())
        #expect(used.isAtEnd())
    }

    @Test func `a client that takes nothing of its answer is dropped`() throws {
        let server = try server()
        let client = try server.client()
        try client.send(SocketClient.head("GET", "/stream/50000000"))
        let access = try #require(server.handler.accesses(1).first)
        #expect(access.status == 200)
        #expect(try client.response().isComplete == false)
    }

    @Test(arguments: [(least: 20_000_000, bytes: 60_000_000, isServed: false), (1_000_000, 12_000_000, true)])
    func `a client that takes its answer slowly is dropped below the least rate alone`(
        least: Int, bytes: Int, isServed: Bool
    ) throws {
        let idle = Duration.seconds(2)
        let server = try TestServer { $0.patience = Patience(idle: idle, leastBytesPerSecond: least) }
        let client = try server.client()
        try client.send(SocketClient.head("GET", "/stream/\(bytes)"))
        let start = ContinuousClock.now
        var taken = 0
        // Four million bytes a second: some come always within the time for none at all.
        while taken < bytes, let count = client.take(200_000) {
            taken += count
            usleep(50_000)
        }
        #expect(ContinuousClock.now - start > idle)
        #expect((taken >= bytes) == isServed)
    }

    @Test func `a request that was refused is read no further than the patience for it`() throws {
        let server = try server()
        let client = try server.client()
        try client.send(SocketClient.head("POST", "/nowhere", [("Content-Length", "\(1 << 40)")]))
        let response = try client.response()
        #expect(response.status == 404)
        #expect(response.fields["connection"] == "close")
        let start = ContinuousClock.now
        while (try? client.send(pattern(1000))) != nil, ContinuousClock.now - start < .seconds(5) { usleep(20_000) }
        #expect(ContinuousClock.now - start < .seconds(4))
    }

    @Test func `a refusal comes before the body`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("POST", "/nowhere", [("Content-Length", "1000000")]))
        #expect(try client.response().status == 404)
        try client.send(pattern(1_000_000))
        #expect(try client.request("GET", "/bytes/5").body == pattern(5))
    }
}
