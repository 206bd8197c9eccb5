import Foundation
import TestHTTP
import Testing

@testable import HTTPServer

/// All bodies that are spooled have so many bytes together, and no more.
struct SpoolDirectoryTests {
    private let spool = SpoolDirectory("/tmp", limit: 1000)

    private func sink(_ length: Int?) throws -> BodySink {
        try BodySink(
            .spooled(limit: 5000, in: spool), fields: length.map { ["Content-Length": "\($0)"] } ?? [:])
    }

    @Test func `a body that says its length is refused where there is no room, and takes none before it comes`() throws
    {
        var first: BodySink? = try sink(600)
        #expect(spool.usedBytes == 0)
        let bytes = [UInt8](repeating: 1, count: 600)
        try bytes.withUnsafeBytes { try first?.receive($0) }
        #expect(spool.usedBytes == 600)
        #expect(throws: HTTPError.spoolFull) { try sink(401) }
        let second = try sink(400)
        first = nil
        #expect(spool.usedBytes == 0)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a body without a length takes room as it comes, and gives it back with the last who has it`() throws {
        var sink: BodySink? = try sink(nil)
        func receive(_ count: Int) throws {
            let bytes = [UInt8](repeating: 1, count: count)
            try bytes.withUnsafeBytes { try sink?.receive($0) }
        }
        for _ in 0..<3 { try receive(300) }
        #expect(spool.usedBytes == 900)
        #expect(throws: HTTPError.spoolFull) { try receive(101) }
        var body = try sink?.finish()
        sink = nil
        #expect(spool.usedBytes == 900)
        body = nil
        #expect(spool.usedBytes == 0)
        withExtendedLifetime(body) {}
    }

    @Test func `what is refused is refused before it is sent`() throws {
        let server = try TestServer()
        let length = TestHandler.spoolLimit
        let clients = try (0..<3).map { _ in try server.client() }
        for client in clients[..<2] {
            try client.send(SocketClient.head("POST", "/spooled", [("Content-Length", "\(length)")]))
            try client.send(pattern(length - 1))
        }
        for _ in 0..<2_000 where server.handler.spool.usedBytes < 2 * (length - 1) {
            Thread.sleep(forTimeInterval: 0.01)
        }
        let fields = [("Content-Length", "\(length)"), ("Expect", "100-continue")]
        try clients[2].send(SocketClient.head("POST", "/spooled", fields))
        #expect(try clients[2].response().status != 100)
        clients[0].hangUp()
        for _ in 0..<2_000 where server.handler.spool.usedBytes > length { Thread.sleep(forTimeInterval: 0.01) }
        #expect(try server.client().request("POST", "/spooled", body: pattern(1000)).status == 200)
    }
}
