import Foundation
import HTTPServer
import Testing

struct TLSTests {
    @Test func `a certificate and its key make the server speak TLS`() throws {
        guard let openssl = Program("openssl"), let curl = Program("curl") else {
            print("skipped: openssl and curl are not installed")
            return
        }
        let certificate = NSTemporaryDirectory() + "tls-\(UInt64.random(in: 0 ... .max)).pem"
        let key = certificate + ".key"
        defer { for file in [certificate, key] { try? FileManager.default.removeItem(atPath: file) } }
        try openssl.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", certificate, "-keyout", key)

        let server = try TestServer { $0.tls = .init(certificatePath: certificate, keyPath: key) }
        let body = try curl.run("-sS", "--cacert", certificate, "https://localhost:\(server.port)/stream/300000")
        #expect(body == pattern(300_000))
        #expect(try curl.run("-sS", "-k", "http://localhost:\(server.port)/bytes/1").isEmpty)

        #expect(throws: HTTPError.self) { try TestServer { $0.tls = .init(certificatePath: key, keyPath: key) } }
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

    /// What it writes to its standard output.
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
