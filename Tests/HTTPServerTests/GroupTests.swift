import Foundation
import HTTPServer
import TestHTTP
import Testing

struct GroupTests {
    @Test func `requests that come meanwhile are answered together, each with its own answer`() throws {
        let server = try TestServer()
        let clients = try (0..<40).map { _ in try server.client() }
        for (number, client) in clients.enumerated() {
            try client.send(SocketClient.head("GET", "/together/\(number)"))
        }
        var sizes: [Int] = []
        for (number, client) in clients.enumerated() {
            let words = try client.response().text.split(separator: " ")
            #expect(words.first == "\(number)")
            sizes.append(try #require(words.last.flatMap { Int($0) }))
        }
        #expect(sizes.contains { $0 > 1 })
    }

    @Test func `more requests than may wait are refused`() throws {
        let server = try TestServer()
        let clients = try (0..<200).map { _ in try server.client() }
        for client in clients { try client.send(SocketClient.head("GET", "/together/0")) }
        let statuses = Set(try clients.map { try $0.response().status })
        #expect(statuses == [200, 503])
        #expect(try clients[0].request("GET", "/together/1").text == "1 of 1")
    }

    @Test func `a server stops while requests are answered together`() throws {
        for _ in 0..<20 {
            let server = try TestServer()
            let clients = try (0..<16).map { _ in try server.client() }
            for client in clients { try client.send(SocketClient.head("GET", "/together/0")) }
            usleep(.random(in: 0..<40_000))
            server.stop(within: .zero)
            for client in clients {
                let response = try? client.response()
                #expect(response?.isComplete != true || response?.status == 200)
            }
        }
    }
}
