import CCurl
import Glibc
import Testing
import Threads

@testable import Webhooks

/// Requests on their way, to a receiver that answers what a test says.
@Suite struct WebhookSenderTests {
    /// The first answer to a request.
    private func answer(
        to request: WebhookRequest, by sender: WebhookSender
    ) throws -> WebhookAnswer {
        let answers = Monitor([WebhookAnswer]())
        sender.start()
        defer { sender.stop() }
        sender.send(request) { answer in answers.change { $0.append(answer) } }
        answers.wait(timeout: .seconds(60)) { !$0.isEmpty }
        return try #require(answers.withLock { $0.first })
    }

    private func sender(
        failed: @escaping @Sendable (any Error) -> Void = { _ in },
        begin: (@Sendable () -> UnsafeMutableRawPointer?)? = nil
    ) throws -> WebhookSender {
        let policy = AddressPolicy(permitted: [try #require(AddressRange("127.0.0.0/8"))])
        guard let begin else { return WebhookSender(policy, failed: failed) }
        return WebhookSender(policy, failed: failed, begin: begin)
    }

    @Test(
        arguments: [
            ("429 Too Many Requests", "120", Duration.seconds(120)), ("503 Service Unavailable", "7", .seconds(7)),
            ("500 Internal Server Error", "120", nil), ("429 Too Many Requests", "soon", nil),
            ("503 Service Unavailable", "Thu, 01 Jan 1970 00:00:00 GMT", nil),
        ] as [(String, String, Duration?)])
    func `say what pause a receiver asks for that is busy or down`(status: String, field: String, pause: Duration?)
        throws
    {
        let receiver = try Receiver("HTTP/1.1 \(status)\r\nRetry-After: \(field)\r\nContent-Length: 0\r\n\r\n")
        let answer = try answer(to: WebhookRequest(url: receiver.url, fields: [], body: "{}"), by: sender())
        #expect(answer.status == Int(status.prefix(3)) && answer.retryAfter == pause)
    }

    @Test func `are begun again where libcurl can't begin, and it is told`() throws {
        let receiver = try Receiver("HTTP/1.1 204 No Content\r\n\r\n")
        let attempts = Mutex(0)
        let failures = Mutex([String]())
        let sender = try sender(
            failed: { error in failures.withLock { $0.append("\(error)") } },
            begin: {
                let attempt = attempts.withLock { count in
                    count += 1
                    return count
                }
                return attempt == 1 ? nil : curl_multi_init()
            })
        // The first may be told that it could not be begun; the next is sent.
        let request = WebhookRequest(url: receiver.url, fields: [], body: "{}")
        let answers = Monitor([WebhookAnswer]())
        sender.start()
        defer { sender.stop() }
        for count in 1...2 where answers.withLock({ $0.last?.status }) == nil {
            sender.send(request) { answer in answers.change { $0.append(answer) } }
            answers.wait(timeout: .seconds(60)) { $0.count >= count }
        }
        #expect(answers.withLock { $0.last?.status } == 204)
        #expect(failures.withLock { $0 }.count == 1)
    }
}

/// Answers one request after the other by the same bytes.
private final class Receiver: Sendable {
    let url: String
    private let listener: Int32
    private let thread = ThreadGroup()

    init(_ answer: String) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isListening)
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
        thread.start("receiver") {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                var request: [UInt8] = []
                // The head and the body `{}`.
                while !request.suffix(2).elementsEqual("{}".utf8) {
                    let count = recv(client, &bytes, bytes.count, 0)
                    guard count > 0 else { break }
                    request += bytes.prefix(count)
                }
                _ = Array(answer.utf8).withUnsafeBytes { send(client, $0.baseAddress, $0.count, 0) }
                close(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        thread.wait(timeout: .seconds(5))
        close(listener)
    }
}
