import Foundation
import TestHTTP
import Testing

struct DownloadTests {
    private static let sizes = [0, 1, 65_536, 20_000_003]

    @Test(arguments: sizes) func `a body in memory has a length and arrives whole`(size: Int) throws {
        let server = try TestServer()
        let response = try server.client().request("GET", "/bytes/\(size)")
        #expect(response.fields["content-length"] == "\(size)")
        #expect(response.fields["date"] != nil)
        #expect(response.body == pattern(size))
    }

    @Test(arguments: sizes, ["event", "worker"])
    func `a streamed body arrives whole`(size: Int, thread: String) throws {
        let server = try TestServer()
        let response = try server.client().request("GET", "/stream/\(size)?on=\(thread)")
        #expect(response.fields["transfer-encoding"] == "chunked")
        #expect(response.isComplete)
        #expect(response.body == pattern(size))
    }

    @Test(arguments: ["event", "worker"])
    func `a producer that fails breaks the body off`(thread: String) throws {
        let server = try TestServer()
        let response = try server.client().request("GET", "/stream/9000000?on=\(thread)&fail=2000000")
        #expect(response.status == 200)
        #expect(!response.isComplete)
        #expect(response.body.count < 9_000_000)
        let access = try #require(server.handler.accesses(1).first)
        #expect(access.failure is ProducerFailure)
    }

    @Test(arguments: ["event", "worker"], [0, 1, 100_003, 300_000])
    func `point 3, a body that fails after so many bytes does not look whole to any client`(
        thread: String, failing: Int
    ) throws {
        let server = try TestServer()
        let target = "/stream/9000000?on=\(thread)&fail=\(failing)"
        let client = try server.client()
        try client.send("GET \(target) HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(client.endsByReset())
        let modern = try server.client()
        try modern.send(SocketClient.head("GET", target))
        #expect(modern.endsByReset())
        #expect(server.handler.accesses(2).allSatisfy { $0.failure is ProducerFailure })
    }

    @Test func `whole answers that clients leave unread are held up to a bound`() throws {
        let server = try TestServer { $0.heldBytes = 45 << 20 }
        let (target, whole) = ("/bytes/20000003", 20_000_003)
        let idle = try [server.client(), server.client()]
        for client in idle { try client.send(SocketClient.head("GET", target)) }
        var status = 200
        // Until both of them are answered there is room for a third.
        for _ in 0..<200 where status == 200 { status = try server.client().request("GET", target).status }
        #expect(status == 503)
        #expect(try server.client().request("GET", "/bytes/5000").status == 200)
        for client in idle { #expect(try client.response().body.count == whole) }
        for _ in 0..<200 where status != 200 { status = try server.client().request("GET", target).status }
        #expect(status == 200)
    }

    @Test(arguments: ["/bytes/5000", "/stream/5000"])
    func `HEAD gives the fields and no body`(target: String) throws {
        let server = try TestServer()
        let client = try server.client()
        let head = try client.request("HEAD", target)
        #expect(head.status == 200)
        #expect(try head.fields["connection"] == "close" ? client.isAtEnd() : client.request("GET", "/").status == 404)
        let get = try server.client().request("GET", target)
        #expect(get.body == pattern(5000))
        #expect(head.fields["content-length"] == get.fields["content-length"])
    }

    /// Megabytes there would hide for minutes that a slow client goes on taking them.
    @Test func `little of what a client leaves unread waits in the system's buffer`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("GET", "/stream/50000000"))
        var most = 0
        for _ in 0..<1000 where most == 0 {
            usleep(10_000)
            most = Self.unacknowledgedBytes(port: server.port)
        }
        for _ in 0..<50 {
            usleep(10_000)
            most = max(most, Self.unacknowledgedBytes(port: server.port))
        }
        #expect(most > 0 && most < 1 << 20)
        client.hangUp()
    }

    /// The bytes that the other sides of a server's connections have not taken, as Linux tells them (proc_net_tcp).
    private static func unacknowledgedBytes(port: UInt16) -> Int {
        let texts = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap {
            // To the end, which is not where the size says.
            try? FileHandle(forReadingFrom: URL(fileURLWithPath: $0)).readToEnd()
        }
        return texts.map { String(decoding: $0, as: UTF8.self) }.joined().split(separator: "\n").map { line in
            let fields = line.split(separator: " ")
            let isServers = fields.count > 4 && fields[3] == "01" && fields[1].hasSuffix(String(format: ":%04X", port))
            return isServers ? Int(fields[4].prefix(8), radix: 16) ?? 0 : 0
        }.max() ?? 0
    }

    @Test func `a client that hangs up ends its stream`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("GET", "/stream/50000000"))
        client.hangUp()
        #expect(server.handler.accesses(1).count == 1)
        #expect(try server.client().request("GET", "/bytes/1").status == 200)
    }
}
