import Foundation
import HTTPServer
import TestHTTP
import Testing

struct StoppingTests {
    @Test func `an idle server stops at once, and again`() throws {
        let server = try TestServer()
        let client = try server.client()
        #expect(try client.request("GET", "/bytes/1").status == 200)
        let start = ContinuousClock.now
        server.stop(within: .seconds(10))
        server.stop(within: .seconds(10))
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(client.isAtEnd())
        #expect(throws: SocketFailure.self) { try server.client() }
    }

    @Test func `waiting handlers are asked to end, and their answers arrive`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("GET", "/wait/60"))
        _ = server.handler.wakers(1)
        server.stop(within: .seconds(10))
        let response = try client.response()
        #expect(response.text == "stopped")
        #expect(response.fields["connection"] == "close")
    }

    @Test func `a handler that does not end is left behind at the deadline`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("GET", "/deaf"))
        usleep(100_000)
        server.stop(within: .milliseconds(100))
        #expect(client.isAtEnd())
    }

    @Test func `a download that nobody reads is broken off at the deadline`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("GET", "/stream/50000000"))
        usleep(100_000)
        server.stop(within: .milliseconds(100))
        #expect((try? client.response())?.isComplete != true)
    }
}
