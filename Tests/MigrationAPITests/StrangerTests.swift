import TestHTTP
import Testing

@testable import MigrationAPI

/// Without a key that is known, nothing of a body is taken.
struct StrangerTests {
    @Test(
        arguments: [[], [("Authorization", "Bearer wrong")], [("Expect", "100-continue")]], ["snapshots", "migrations"])
    func `the answer comes before the body, which is not read`(fields: [(String, String)], to what: String) throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        let before = try server.traces()
        let client = try server.client()
        try client.send(
            SocketClient.head(
                "POST", "/v1/apps/shop/realms/ada/\(what)",
                fields + [("Content-Type", "application/json"), ("Content-Length", "\(1 << 30)")]))
        let response = try client.response()
        #expect(response.problem == "unauthorized")
        #expect(response.fields["connection"] == "close")
        // Bytes that are sent all the same fill the system's buffers at most.
        var sent = 0
        while sent < 1 << 30, (try? client.send([UInt8](repeating: 0x20, count: 1 << 20))) != nil { sent += 1 << 20 }
        #expect(sent < 64 << 20)
        #expect(try server.comesBack(to: before))
    }

    @Test func `chunks of a stranger are not read either`() throws {
        let server = try APIServer()
        let client = try server.client()
        try client.send(
            SocketClient.head("POST", "/v1/apps/shop/realms/ada/snapshots", [("Transfer-Encoding", "chunked")]))
        #expect(try client.response().problem == "unauthorized")
        let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("\r\n".utf8)
        var sent = 0
        while sent < 1 << 30, (try? client.send(chunk)) != nil { sent += chunk.count }
        #expect(sent < 64 << 20)
    }
}
