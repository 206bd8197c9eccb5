import Foundation
import HTTPServer
import TestHTTP
import Testing

struct WaitingTests {
    @Test func `waiting requests hold up neither event threads nor workers`() throws {
        let server = try TestServer {
            $0.eventThreads = 1
            $0.workers = 1
        }
        let waiting = try (0..<500).map { _ in try server.client() }
        for client in waiting { try client.send(SocketClient.head("GET", "/wait/60?once")) }
        let wakers = server.handler.wakers(waiting.count)
        #expect(try server.client().request("GET", "/stream/10").body == pattern(10))
        // Those of all the tests that run at the same time.
        #expect(threadCount() < waiting.count)
        for waker in wakers { waker.wake() }
        for client in waiting { #expect(try client.response().text == "waited") }
    }

    @Test func `a wait ends with its time`() throws {
        let server = try TestServer()
        let start = ContinuousClock.now
        #expect(try server.client().request("GET", "/wait/1").text == "waited")
        let duration = ContinuousClock.now - start
        #expect(duration >= .seconds(1))
        #expect(duration < .seconds(5))
    }

    @Test func `who is woken before it sleeps does not sleep`() throws {
        let server = try TestServer()
        let client = try server.client()
        for number in 1...200 {
            try client.send(SocketClient.head("GET", "/wait/60?once"))
            // As likely before the connection is put to sleep as after.
            server.handler.wakers(number)[number - 1].wake()
            #expect(try client.response().text == "waited")
        }
    }

    @Test(arguments: ["/wait/60", "/live"])
    func `a client that leaves while it waits is noticed`(target: String) throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("GET", target))
        #expect(server.handler.wakers(1).count == 1)
        usleep(50_000)
        let start = ContinuousClock.now
        client.hangUp()
        #expect(server.handler.accesses(1).count == 1)
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    @Test func `a live body gives what there is when it is woken, and signs of life meanwhile`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("GET", "/live"))
        let waker = try #require(server.handler.wakers(1).first)
        for word in ["a", "b", "end"] {
            usleep(400_000)
            server.handler.news.withLock { $0.append(word) }
            waker.wake()
        }
        let response = try client.response()
        #expect(response.isComplete)
        #expect(response.text.filter { $0 != "." } == "abend")
        #expect(response.text.contains("."))
        #expect(try client.request("GET", "/bytes/3").body == pattern(3))
    }

    @Test func `a live body that fails does not look whole`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("GET", "/live"))
        let waker = try #require(server.handler.wakers(1).first)
        server.handler.news.withLock { $0.append("fail") }
        waker.wake()
        #expect(try client.response().isComplete == false)
        #expect(server.handler.accesses(1).first?.failure is ProducerFailure)
    }

    @Test func `live bodies end when the server stops`() throws {
        let server = try TestServer()
        let clients = try (0..<20).map { _ in try server.client() }
        for client in clients { try client.send(SocketClient.head("GET", "/live")) }
        _ = server.handler.wakers(20)
        server.stop(within: .seconds(10))
        for client in clients { #expect(try client.response().isComplete) }
    }

    private func threadCount() -> Int { fileNames(in: "/proc/self/task").count }
}
