import Foundation
import HTTPServer
import TestHTTP
import Testing

struct ConnectionTests {
    @Test func `a connection serves one request after another`() throws {
        let server = try TestServer()
        let client = try server.client()
        for number in 0..<50 {
            #expect(try client.request("GET", "/bytes/\(number)").body.count == number)
            #expect(try client.request("GET", "/stream/\(number)").body.count == number)
            #expect(try client.request("POST", "/buffered", body: pattern(number)).status == 200)
        }
    }

    @Test func `a refused body does not spoil its connection`() throws {
        let server = try TestServer()
        let client = try server.client()
        #expect(try client.request("POST", "/nowhere", body: pattern(300_000)).status == 404)
        #expect(try client.request("POST", "/buffered", body: pattern(300_000)).status == 413)
        #expect(try client.request("GET", "/bytes/3").body == pattern(3))
    }

    @Test func `a hundred connections are served at once`() throws {
        let server = try TestServer()
        let clients = try (0..<100).map { _ in try server.client() }
        for (number, client) in clients.enumerated() {
            try client.send(SocketClient.head("GET", number.isMultiple(of: 2) ? "/stream/300001" : "/wait/1"))
        }
        for (number, client) in clients.enumerated() {
            let response = try client.response()
            #expect(response.body == (number.isMultiple(of: 2) ? pattern(300_001) : Array("waited".utf8)))
        }
    }

    @Test func `paths are decoded segment by segment and queries by parameter`() throws {
        let server = try TestServer()
        let response = try server.client().request("GET", "/segments/a%2Fb/%C3%A4%20+/?x=1%262&y=a+b&z")
        #expect(response.text == "segments|a/b|ä +||x=1&2|y=a b|z=")
    }

    @Test(arguments: ["/segments/%", "/segments/%zz", "/segments/%ff", "/segments?a=%f"])
    func `a target that can't be decoded is refused`(target: String) throws {
        let server = try TestServer()
        #expect(try server.client().request("GET", target).status == 400)
    }

    @Test func `a head that is too long is refused`() throws {
        let server = try TestServer()
        let client = try server.client()
        try? client.send(SocketClient.head("GET", "/bytes/1", [("X", String(repeating: "a", count: 200_000))]))
        if let response = try? client.response() { #expect(response.status == 431) }
        #expect(try server.client().request("GET", "/bytes/1").status == 200)
    }

    @Test func `requests are reported as their routes want them named`() throws {
        let server = try TestServer()
        let client = try server.client()
        _ = try client.request("GET", "/bytes/1?secret=2")
        _ = try client.request("PUT", "/somewhere")
        let accesses = server.handler.accesses(2)
        #expect(accesses.map(\.method) == ["GET", "PUT"])
        #expect(accesses.map(\.path) == ["/bytes/1", "/hidden"])
        #expect(accesses.map(\.status) == [200, 404])
    }

    @Test func `a port that is taken is reported`() throws {
        let server = try TestServer()
        #expect(throws: HTTPError.cannotListen(reason: "127.0.0.1, port \(server.port): Address already in use")) {
            try HTTPServer(HTTPServerConfiguration(port: server.port), handler: server.handler)
        }
    }
}
