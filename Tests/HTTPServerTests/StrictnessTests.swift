import Foundation
import HTTPServer
import TestHTTP
import Testing

/// Bytes that two readers of HTTP could understand differently (RFC 9112), sent as they are.
struct StrictnessTests {
    private static let post = "POST /buffered HTTP/1.1\r\nHost: a\r\n"
    private static let get = "GET /bytes/1 HTTP/1.1\r\nHost: a\r\n"

    struct Malformed: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var status = 400

        init(_ name: String, _ text: String, _ status: Int = 400) {
            (testDescription, self.text, self.status) = (name, text, status)
        }
    }

    static let malformed: [Malformed] = [
        Malformed("two lengths", post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"),
        Malformed("a list of lengths", post + "Content-Length: 3, 3\r\n\r\nabc"),
        Malformed("a signed length", post + "Content-Length: +3\r\n\r\nabc"),
        Malformed("a negative length", post + "Content-Length: -3\r\n\r\nabc"),
        Malformed("a hexadecimal length", post + "Content-Length: 0x3\r\n\r\nabc"),
        Malformed("a length with a space", post + "Content-Length: 1 0\r\n\r\nabc"),
        Malformed("an empty length", post + "Content-Length:\r\n\r\n"),
        Malformed("a length past 63 bits", post + "Content-Length: 99999999999999999999\r\n\r\n"),
        Malformed(
            "a length beside a coding", post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Malformed("two codings", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Malformed("the identity as a coding", post + "Transfer-Encoding: identity\r\n\r\n", 501),
        Malformed("another coding before chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        Malformed("a coding that looks like chunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
        Malformed("a coding with a Kelvin sign", post + "Transfer-Encoding: chun\u{212A}ed\r\n\r\n0\r\n\r\n", 501),
        Malformed("a space in the host", "GET /bytes/1 HTTP/1.1\r\nHost: a b\r\n\r\n"),
        Malformed("a path in the host", "GET /bytes/1 HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Malformed("a user in the host", "GET /bytes/1 HTTP/1.1\r\nHost: a@b\r\n\r\n"),
        Malformed("a host past ASCII", "GET /bytes/1 HTTP/1.1\r\nHost: ä\r\n\r\n"),
        Malformed("a coding with a vertical tab", post + "Transfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n"),
        Malformed("a coding in HTTP/1.0", "POST /buffered HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Malformed("a chunk's size with a bare LF", post + "Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n"),
        Malformed("a chunk that ends with a bare LF", post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\n0\r\n\r\n"),
        Malformed("a chunk that is longer", post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n"),
        Malformed("a size with a prefix", post + "Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n"),
        Malformed("a size with a space", post + "Transfer-Encoding: chunked\r\n\r\n3 \r\nabc\r\n0\r\n\r\n"),
        Malformed("a signed size", post + "Transfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n"),
        Malformed("no size", post + "Transfer-Encoding: chunked\r\n\r\n\r\nabc\r\n0\r\n\r\n"),
        Malformed("a size past 63 bits", post + "Transfer-Encoding: chunked\r\n\r\n10000000000000003\r\nabc\r\n"),
        Malformed("an extension with NUL", post + "Transfer-Encoding: chunked\r\n\r\n3;a=\0\r\nabc\r\n0\r\n\r\n"),
        Malformed("a trailer with a bare LF", post + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\n\r\n"),
        Malformed("bare LFs", "GET /bytes/1 HTTP/1.1\nHost: a\n\n"),
        Malformed("one bare LF", "GET /bytes/1 HTTP/1.1\r\nHost: a\nX: b\r\n\r\n"),
        Malformed("a bare CR", "GET /bytes/1 HTTP/1.1\r\nHost: a\rX: b\r\n\r\n"),
        Malformed("a folded field", get + "X: b\r\n c\r\n\r\n"),
        Malformed("a field folded by a tab", get + "X: b\r\n\tc\r\n\r\n"),
        Malformed("a fold before the first field", "GET /bytes/1 HTTP/1.1\r\n X: b\r\nHost: a\r\n\r\n"),
        Malformed("NUL in a value", get + "X: b\0c\r\n\r\n"),
        Malformed("NUL in a name", get + "X\0Y: b\r\n\r\n"),
        Malformed("NUL in the target", "GET /bytes/1\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Malformed("a control character in a value", get + "X: b\u{1}c\r\n\r\n"),
        Malformed("a space before the colon", get + "X : b\r\n\r\n"),
        Malformed("a space in a name", get + "X Y: b\r\n\r\n"),
        Malformed("no colon", get + "XY\r\n\r\n"),
        Malformed("an empty name", get + ": b\r\n\r\n"),
        Malformed("no host", "GET /bytes/1 HTTP/1.1\r\n\r\n"),
        Malformed("two hosts", get + "Host: b\r\n\r\n"),
        Malformed("two spaces", "GET  /bytes/1 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Malformed("a tab in the request line", "GET\t/bytes/1 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Malformed("something behind the version", "GET /bytes/1 HTTP/1.1 x\r\nHost: a\r\n\r\n"),
        Malformed("bytes past ASCII in the target", "GET /bytes/ä HTTP/1.1\r\nHost: a\r\n\r\n"),
        Malformed("no version", "GET /bytes/1\r\nHost: a\r\n\r\n"),
        Malformed("a version in small letters", "GET /bytes/1 http/1.1\r\nHost: a\r\n\r\n"),
        Malformed("HTTP/2.0", "GET /bytes/1 HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        Malformed("two empty lines", "\r\n\r\nGET /bytes/1 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Malformed("nonsense", "NONSENSE\r\n\r\n"),
        Malformed("bytes of another protocol", "\u{16}\u{3}\u{1}\r\n\r\n"),
        Malformed("another expectation", post + "Expect: more\r\nContent-Length: 1\r\n\r\n", 417),
    ]

    @Test(arguments: malformed) func `a request that could be read in two ways is refused`(case one: Malformed) throws {
        let server = try TestServer()
        let client = try server.client()
        // The bytes behind it must not be taken for a request.
        try client.send(one.text + "GET /bytes/2 HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = try client.response()
        #expect(response.status == one.status)
        #expect(response.fields["connection"] == "close")
        #expect(client.isAtEnd())
    }

    @Test(arguments: malformed) func `it is refused in single bytes just the same`(case one: Malformed) throws {
        let server = try TestServer()
        let client = try server.client()
        for byte in one.text.utf8 {
            // The server may have had enough before the last byte.
            do { try client.send([byte]) } catch { break }
        }
        #expect(try client.response().status == one.status)
    }

    @Test(arguments: [
        "\r\n" + get + "\r\n", "GET http://a/bytes/1 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /bytes/1 HTTP/1.1\r\nhOST:a\r\n\r\n", "GET /bytes/1 HTTP/1.1\r\nHost: \t a \t\r\nX:\r\n\r\n",
        "GET /bytes/1 HTTP/1.7\r\nHost: a\r\n\r\n", "GET /bytes/1 HTTP/1.0\r\n\r\n",
        get + "Content-Length: 3\r\n\r\nabc", get + "Content-Length: 000\r\n\r\n",
        get + "Transfer-Encoding: CHUNKED\r\n\r\n3;a=b;c=\"d e\"\r\nabc\r\n0A\r\n0123456789\r\n000\r\nX: y\r\n\r\n",
    ])
    func `what is unusual and clear is served`(text: String) throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(text)
        let response = try client.response()
        #expect(response.status == 200)
        #expect(response.body == pattern(1))
        let isOld = text.contains("HTTP/1.0")
        #expect(response.fields["connection"] == (isOld ? "close" : nil))
        if isOld { #expect(client.isAtEnd()) } else { #expect(try client.request("GET", "/bytes/2").body.count == 2) }
    }

    @Test func `requests that come before the answers are answered in order`() throws {
        let server = try TestServer()
        let client = try server.client()
        var text = ""
        for number in 0..<30 {
            text += SocketClient.head("GET", number.isMultiple(of: 3) ? "/stream/\(number)" : "/bytes/\(number)")
            text += SocketClient.head("POST", "/spooled", [("Content-Length", "\(number)")])
            text += String(repeating: "x", count: number)
        }
        try client.send(text)
        for number in 0..<30 {
            #expect(try client.response().body.count == number)
            #expect(try client.response().text.hasPrefix("\(number) "))
        }
    }
}
