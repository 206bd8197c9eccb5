import Glibc

/// The response that a test reads from a connection.
package struct SocketResponse {
    package var status: Int
    package var fields: [String: String]
    package var body: [UInt8]
    /// Whether the body came to the end that its framing announced.
    package var isComplete: Bool

    package var text: String { String(decoding: body, as: UTF8.self) }
}

package struct SocketFailure: Error {
    package var what: String
}

/// One TCP connection that says exactly what a test wants to say.
package final class SocketClient {
    private var descriptor: Int32
    private var received: [UInt8] = []

    /// - Parameter patience: how many seconds it waits for bytes of an answer, more than any test asks the service to wait.
    package init(port: UInt16, patience: Int = 120) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw SocketFailure(what: "connect") }
    }

    deinit { hangUp() }

    package func hangUp() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw SocketFailure(what: "send") }
            sent += count
        }
    }

    /// Sends a request whose body has a length.
    package func request(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> SocketResponse {
        var lines = fields
        if let body { lines.append(("Content-Length", "\(body.count)")) }
        try send(Self.head(method, target, lines))
        if let body { try send(body) }
        return try response(toHead: method == "HEAD")
    }

    /// Sends a request whose body comes in chunks.
    package func chunked(
        _ method: String, _ target: String, fields: [(String, String)] = [], chunks: [[UInt8]]
    ) throws -> SocketResponse {
        try send(Self.head(method, target, fields + [("Transfer-Encoding", "chunked")]))
        for chunk in chunks where !chunk.isEmpty {
            try send(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8))
        }
        try send("0\r\n\r\n")
        return try response()
    }

    package static func head(_ method: String, _ target: String, _ fields: [(String, String)] = []) -> String {
        let lines = (fields.contains { $0.0 == "Host" } ? [] : [("Host", "localhost")]) + fields
        return "\(method) \(target) HTTP/1.1\r\n" + lines.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
    }

    /// Reads the next response of the connection.
    package func response(toHead: Bool = false) throws -> SocketResponse {
        let head = try readHead()
        let lines = head.split(separator: "\r\n")
        guard let status = lines.first.flatMap({ Int($0.dropFirst("HTTP/1.1 ".count).prefix(3)) }) else {
            throw SocketFailure(what: "status line: \(lines.first ?? "")")
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields[line[..<colon].lowercased()] = String(value)
        }
        var response = SocketResponse(status: status, fields: fields, body: [], isComplete: true)
        if toHead || status == 204 || status == 304 || status < 200 { return response }
        if fields["transfer-encoding"] == "chunked" {
            readChunks(into: &response)
        } else {
            try read(count: Int(fields["content-length"] ?? "") ?? 0, into: &response)
        }
        return response
    }

    /// Takes some of what comes, as it comes, and forgets it.
    ///
    /// - Returns: how many bytes, at most those that are asked for; nil where the connection has ended.
    package func take(_ most: Int) -> Int? {
        var buffer = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &buffer, most, 0)
        return count > 0 ? count : nil
    }

    /// Whether the server closes the connection without another byte.
    package func isAtEnd() -> Bool { received.isEmpty && !fill() }

    /// Whether the server resets the connection rather than closing it in order, after whatever it sends.
    package func endsByReset() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return count < 0 && errno == ECONNRESET }
        }
    }

    private func readHead() throws -> String {
        let end = Array("\r\n\r\n".utf8)
        var searched = 0
        while true {
            if received.count >= 4 {
                for start in max(0, searched - 3)...(received.count - 4)
                where received[start..<(start + 4)].elementsEqual(end) {
                    defer { received.removeFirst(start + 4) }
                    return String(decoding: received[..<start], as: UTF8.self)
                }
            }
            searched = received.count
            guard fill() else { throw SocketFailure(what: "no head") }
        }
    }

    private func read(count: Int, into response: inout SocketResponse) throws {
        while received.count < count {
            guard fill() else {
                response.isComplete = false
                break
            }
        }
        response.body = Array(received.prefix(count))
        received.removeFirst(min(count, received.count))
    }

    private func readChunks(into response: inout SocketResponse) {
        var position = 0
        defer { received.removeFirst(min(position, received.count)) }
        while true {
            guard let lineEnd = lineEnd(from: position),
                let count = Int(String(decoding: received[position..<lineEnd], as: UTF8.self), radix: 16)
            else {
                response.isComplete = false
                return
            }
            position = lineEnd + 2
            while received.count < position + count + 2 {
                guard fill() else {
                    response.isComplete = false
                    return
                }
            }
            response.body += received[position..<(position + count)]
            position += count + 2
            if count == 0 { return }
        }
    }

    private func lineEnd(from position: Int) -> Int? {
        var index = position
        while true {
            while index + 1 < received.count {
                if received[index] == 13 && received[index + 1] == 10 { return index }
                index += 1
            }
            guard fill() else { return nil }
        }
    }

    /// Reads on until a text has come, of a body that goes on.
    ///
    /// - Returns: what came up to the text, and that.
    package func read(until text: String) throws -> String {
        let wanted = Array(text.utf8)
        while true {
            if let found = received.firstRange(of: wanted) {
                defer { received.removeSubrange(..<found.upperBound) }
                return String(decoding: received[..<found.upperBound], as: UTF8.self)
            }
            guard fill() else { throw SocketFailure(what: "the end came before \(text)") }
        }
    }

    private func fill() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received += buffer[..<count]
        return true
    }
}
