import Foundation
import HTTPServer
import Testing

struct TLSTests {
    /// A certificate in two files, gone with it.
    private final class Certificate {
        let path = NSTemporaryDirectory() + "tls-\(UInt64.random(in: 0 ... .max)).pem"
        var key: String { path + ".key" }

        init(_ openssl: Program) throws { try renew(openssl) }

        func renew(_ openssl: Program) throws {
            try openssl.run(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", path, "-keyout", key)
        }

        deinit { for file in [path, key] { try? FileManager.default.removeItem(atPath: file) } }
    }

    @Test func `a certificate and its key make the server speak TLS`() throws {
        guard let openssl = Program("openssl"), let curl = Program("curl") else {
            print("skipped: openssl and curl are not installed")
            return
        }
        let certificate = try Certificate(openssl)
        let server = try TestServer { $0.tls = .init(certificatePath: certificate.path, keyPath: certificate.key) }
        let body = try curl.run("-sS", "--cacert", certificate.path, "https://localhost:\(server.port)/stream/300000")
        #expect(body == pattern(300_000))
        #expect(try curl.run("-sS", "-k", "http://localhost:\(server.port)/bytes/1").isEmpty)

        let key = certificate.key
        #expect(throws: HTTPError.self) { try TestServer { $0.tls = .init(certificatePath: key, keyPath: key) } }
    }

    @Test func `a certificate that was read anew is for new connections, and one that can't be used for none`() throws {
        guard let openssl = Program("openssl"), let curl = Program("curl") else {
            print("skipped: openssl and curl are not installed")
            return
        }
        let certificate = try Certificate(openssl)
        let server = try TestServer { $0.tls = .init(certificatePath: certificate.path, keyPath: certificate.key) }
        func answers(to trusted: String) throws -> Bool {
            try curl.run("-sS", "--cacert", trusted, "https://localhost:\(server.port)/bytes/9") == pattern(9)
        }
        let before = certificate.path + ".before"
        try FileManager.default.copyItem(atPath: certificate.path, toPath: before)
        defer { try? FileManager.default.removeItem(atPath: before) }

        try certificate.renew(openssl)
        #expect(try answers(to: before))
        try server.reloadCertificate()
        #expect(try answers(to: certificate.path))
        #expect(try !answers(to: before))

        try "no certificate".write(toFile: certificate.key, atomically: false, encoding: .utf8)
        #expect(throws: HTTPError.self) { try server.reloadCertificate() }
        #expect(try answers(to: certificate.path))
    }

    @Test func `connections that are open go on when a certificate is read anew`() throws {
        guard let openssl = Program("openssl") else {
            print("skipped: openssl is not installed")
            return
        }
        let certificate = try Certificate(openssl)
        let server = try TestServer { $0.tls = .init(certificatePath: certificate.path, keyPath: certificate.key) }
        let clients = try (0..<4).map { _ in
            try openssl.talking("s_client", "-quiet", "-connect", "localhost:\(server.port)")
        }
        for client in clients { try client.ask() }
        for _ in 0..<3 { try server.reloadCertificate() }
        for client in clients { try client.ask() }
        for client in clients { client.end() }
        let another = try openssl.talking("s_client", "-quiet", "-connect", "localhost:\(server.port)")
        try another.ask()
        another.end()
    }

    @Test func `a certificate that is not there is named`() throws {
        #expect(throws: HTTPError.unreadableCertificate(reason: "/none.pem: No such file or directory")) {
            try TestServer { $0.tls = .init(certificatePath: "/none.pem", keyPath: "/none.key") }
        }
    }
}

/// A program of this machine.
struct Program {
    private let path: String

    init?(_ name: String) {
        let path = "/usr/bin/\(name)"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        self.path = path
    }

    /// Starts it, to be talked with.
    func talking(_ arguments: String...) throws -> Conversation { try Conversation(path, arguments) }

    /// Runs it, and gives the bytes of its standard output.
    @discardableResult func run(_ arguments: String...) throws -> [UInt8] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { process.waitUntilExit() }
        return try Array(output.fileHandleForReading.readToEnd() ?? Data())
    }
}

/// A program that hands on what it is told to a server of HTTP, and what that answers.
final class Conversation {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ path: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Asks for nine bytes, and waits for them.
    func ask() throws {
        try input.fileHandleForWriting.write(
            contentsOf: Array("GET /bytes/9 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        var answer: [UInt8] = []
        while !answer.starts(with: Array("HTTP/1.1 200".utf8)) || !answer.suffix(9).elementsEqual(pattern(9)) {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the connection ended")
            answer += more
        }
    }

    /// Ends it for good: it was started with the signals blocked of a thread that Swift's pool has, so that it would see no request to
    /// end, and would stay for as long as the server keeps a silent connection.
    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
