import TestHTTP
import Testing

/// The id of a request.
struct RequestIDTests {
    @Test(arguments: ["order-17", "a", String(repeating: "x", count: 128), "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"])
    func `is what the client says`(id: String) throws {
        let server = try TestServer()
        let response = try server.client().request("GET", "/bytes/1", fields: [("X-Request-Id", id)])
        #expect(response.fields["x-request-id"] == id)
        #expect(server.handler.accesses(1).map(\.requestID) == [id])
    }

    @Test(arguments: [nil, "", "two words", "quote\"", "ümlaut", "a,b", String(repeating: "x", count: 129)])
    func `is a new one where it says nothing that can stand in a log`(given: String?) throws {
        let server = try TestServer()
        let client = try server.client()
        let ids = try (0..<3).map { _ in
            try client.request("GET", "/bytes/1", fields: given.map { [("X-Request-Id", $0)] } ?? [])
                .fields["x-request-id"] ?? ""
        }
        #expect(Set(ids).count == 3)
        #expect(ids.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
        #expect(server.handler.accesses(3).map(\.requestID) == ids)
    }

    @Test func `is said where a request is refused, too`() throws {
        let server = try TestServer()
        for target in ["/nowhere", "/%zz"] {
            let response = try server.client().request("GET", target, fields: [("X-Request-Id", "mine")])
            #expect(response.fields["x-request-id"] == "mine")
        }
    }
}
