import TestHTTP
import Testing

struct UploadTests {
    private static let sizes = [0, 1, 65_536, 20_000_003]

    @Test(arguments: sizes) func `a body of a known length arrives whole`(size: Int) throws {
        let server = try TestServer()
        let body = pattern(size)
        let response = try server.client().request("POST", "/spooled", body: body)
        #expect(response.status == 200)
        #expect(response.text == "\(size) \(hash(body))")
    }

    @Test(arguments: sizes) func `a chunked body arrives whole`(size: Int) throws {
        let server = try TestServer()
        let body = pattern(size)
        let chunks = stride(from: 0, to: size, by: 70_001).map { Array(body[$0..<min(size, $0 + 70_001)]) }
        let response = try server.client().chunked("POST", "/spooled", chunks: chunks)
        #expect(response.text == "\(size) \(hash(body))")
    }

    @Test(arguments: sizes, [Coding.gzip, .zstd])
    func `a compressed body arrives decoded`(size: Int, coding: Coding) throws {
        let server = try TestServer()
        let body = pattern(size)
        let response = try server.client().request(
            "POST", "/spooled", fields: [("Content-Encoding", coding.name)], body: coding.encode(body))
        #expect(response.text == "\(size) \(hash(body))")
    }

    @Test(arguments: [Coding.gzip, .zstd])
    func `a compressed body in single bytes and several frames arrives decoded`(coding: Coding) throws {
        let server = try TestServer()
        let body = pattern(700)
        let bytes = coding.encode(Array(body[..<300])) + coding.encode(Array(body[300...]))
        let response = try server.client().chunked(
            "POST", "/spooled", fields: [("Content-Encoding", coding.name)], chunks: bytes.map { [$0] })
        #expect(response.text == "700 \(hash(body))")
    }

    @Test(arguments: [Coding.gzip, .zstd])
    func `a compressed body without its end is refused`(coding: Coding) throws {
        let server = try TestServer()
        let bytes = coding.encode(pattern(100_000))
        for count in [1, 10, bytes.count / 2, bytes.count - 1] {
            let response = try server.client().request(
                "POST", "/spooled", fields: [("Content-Encoding", coding.name)], body: Array(bytes[..<count]))
            #expect(response.status == 400, "cut at \(count)")
        }
    }

    @Test(arguments: [Coding.gzip, .zstd], [10, 5000, 3_000_000])
    func `behind bytes that are not of the coding the connection goes on`(coding: Coding, count: Int) throws {
        let server = try TestServer()
        let client = try server.client()
        let refused = try client.request(
            "POST", "/spooled", fields: [("Content-Encoding", coding.name)], body: pattern(count))
        #expect(refused.status == 400)
        #expect(try client.request("POST", "/buffered", body: pattern(100)).status == 200)
    }

    @Test(arguments: [Coding.gzip, .zstd])
    func `bytes that are not of the coding are refused`(coding: Coding) throws {
        let server = try TestServer()
        let response = try server.client().request(
            "POST", "/spooled", fields: [("Content-Encoding", coding.name)], body: pattern(5000))
        #expect(response.status == 400)
        #expect(response.text == "The body is not valid \(coding.name).")
    }

    @Test(arguments: [Coding.gzip, .zstd])
    func `a bomb is stopped at the limit`(coding: Coding) throws {
        let server = try TestServer()
        let bomb = coding.encode([UInt8](repeating: 0, count: TestHandler.spoolLimit + 1))
        #expect(bomb.count < 1 << 20)
        let response = try server.client().request(
            "POST", "/spooled", fields: [("Content-Encoding", coding.name)], body: bomb)
        #expect(response.status == 413)
    }

    @Test func `a coding that is not known is refused`() throws {
        let server = try TestServer()
        let response = try server.client().request(
            "POST", "/spooled", fields: [("Content-Encoding", "br")], body: [1, 2, 3])
        #expect(response.status == 415)
    }

    @Test(arguments: [(1000, 200), (1001, 413), (100_000, 413), (1_000_000, 413)])
    func `a buffered body has a limit`(size: Int, status: Int) throws {
        let server = try TestServer()
        let body = pattern(size)
        #expect(try server.client().request("POST", "/buffered", body: body).status == status)
        #expect(try server.client().chunked("POST", "/buffered", chunks: [body]).status == status)
    }

    @Test func `a client that asks for leave to send gets it, or its refusal at once`() throws {
        let server = try TestServer()
        let body = pattern(100)
        let client = try server.client()
        try client.send(
            SocketClient.head("POST", "/buffered", [("Expect", "100-continue"), ("Content-Length", "100")]))
        #expect(try client.response().status == 100)
        try client.send(body)
        #expect(try client.response().text == "100 \(hash(body))")

        let refused = try server.client()
        try refused.send(
            SocketClient.head("POST", "/buffered", [("Expect", "100-continue"), ("Content-Length", "1001")]))
        #expect(try refused.response().status == 413)
    }

    @Test func `a request may be decided on a worker before its body is read`() throws {
        let server = try TestServer()
        let client = try server.client()
        for size in [0, 1, 900] {
            let body = pattern(size)
            let text = "\(size) \(hash(body))"
            #expect(try client.request("POST", "/buffered?undecided", body: body).text == text)
            #expect(try client.request("POST", "/spooled?undecided", body: body).text == text)
            #expect(try client.chunked("POST", "/spooled?undecided", chunks: [body, body]).status == 200)
            #expect(try client.request("GET", "/stream/\(size)?undecided").body == body)
            #expect(try client.request("POST", "/nowhere?undecided", body: body).status == 404)
        }
        let waiting = try server.client()
        try waiting.send(
            SocketClient.head("POST", "/buffered?undecided", [("Expect", "100-continue"), ("Content-Length", "1")]))
        #expect(try waiting.response().status == 100)
        try waiting.send([65])
        #expect(try waiting.response().status == 200)
    }

    @Test func `a length over the limit is refused before the body comes`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(SocketClient.head("POST", "/spooled", [("Content-Length", "\(100 << 30)")]))
        #expect(try client.response().status == 413)
    }

    @Test func `a client that hangs up in the middle leaves nothing`() throws {
        let server = try TestServer()
        let before = openFileCount()
        for _ in 0..<10 {
            let client = try server.client()
            try client.send(SocketClient.head("POST", "/spooled", [("Content-Length", "1000000")]))
            try client.send(pattern(500_000))
            client.hangUp()
        }
        let accesses = server.handler.accesses(10)
        #expect(accesses.count == 10)
        #expect(accesses.allSatisfy { $0.status == 0 })
        #expect(openFileCount(in: server.handler.directory) == 0)
        #expect(fileNames(in: server.handler.directory).isEmpty)
        #expect(before >= 0)
    }

    @Test func `a slow client is served, and holds nobody up`() throws {
        let server = try TestServer { $0.eventThreads = 1 }
        let slow = try server.client()
        try slow.send(SocketClient.head("POST", "/buffered", [("Content-Length", "50")]))
        for _ in 0..<50 {
            try slow.send([7])
            #expect(try server.client().request("GET", "/segments").status == 200)
        }
        #expect(try slow.response().text == "50 \(hash([UInt8](repeating: 7, count: 50)))")
    }
}
