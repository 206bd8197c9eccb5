import Testing

@testable import HTTPServer

/// Heads and the framing of bodies as bytes alone.
struct RequestHeadTests {
    private static let head = "POST /a?b=c HTTP/1.1\r\nHost: a\r\nX-Y:  z\t\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let body = "4;x=y\r\nWiki\r\n00A\r\n0123456789\r\n0\r\nA: b\r\n\r\n"

    @Test func `a head is found and read wherever its bytes are cut`() throws {
        let bytes = Array((Self.head + "rest").utf8)
        for cut in 0...bytes.count {
            var scanner = RequestHeadScanner()
            let early = try bytes[..<cut].withUnsafeBytes { try scanner.end(in: $0) }
            #expect((early != nil) == (cut >= Self.head.utf8.count))
            let end = try early ?? bytes.withUnsafeBytes { try scanner.end(in: $0) }
            #expect(end == Self.head.utf8.count)
        }
        let parsed = try bytes[..<Self.head.utf8.count].withUnsafeBytes { try RequestHeadParser.parse($0) }
        #expect(parsed.method == "POST")
        #expect(parsed.target == "/a?b=c")
        #expect(parsed.fields["x-y"] == "z")
        #expect(parsed.body == .chunked)
        #expect(parsed.keepsAlive)
    }

    @Test func `chunks give the same content wherever they are cut`() throws {
        let bytes = Array((Self.body + "GET").utf8)
        for cut in 0...bytes.count {
            var framing = BodyFraming.chunked
            var content: [UInt8] = []
            var read = 0
            for part in [bytes[..<cut], bytes[cut...]] {
                var rest = Array(part)
                while !rest.isEmpty, !framing.isAtEnd {
                    let (count, range) = try rest.withUnsafeBytes { try framing.read($0) }
                    content += rest[range]
                    rest.removeFirst(count)
                    read += count
                }
            }
            #expect(framing.isAtEnd)
            #expect(content == Array("Wiki0123456789".utf8))
            #expect(read == Self.body.utf8.count)
        }
    }

    @Test func `a body of a length ends with it`() throws {
        for cut in 0...7 {
            var framing = BodyFraming.counted(5)
            let bytes = Array("abcdefg".utf8)
            let (first, _) = try bytes[..<cut].withUnsafeBytes { try framing.read($0) }
            let (second, _) = try bytes[first...].withUnsafeBytes { try framing.read($0) }
            #expect(first + second == 5)
            #expect(framing.isAtEnd)
        }
    }

    @Test func `a head of the longest length is taken, and one byte more refused`() throws {
        let frame = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n"
        let room = RequestHeadScanner.limit - frame.utf8.count
        for (extra, fits) in [(room, true), (room + 1, false)] {
            let text = frame.replacing("X: ", with: "X: " + String(repeating: "a", count: extra))
            var scanner = RequestHeadScanner()
            let end = Result { try Array(text.utf8).withUnsafeBytes { try scanner.end(in: $0) } }
            #expect((try? end.get()) == (fits ? RequestHeadScanner.limit : nil))
        }
    }

    @Test func `extensions and trailers are bounded`() throws {
        for text in ["1;" + String(repeating: "x", count: 5000), "0\r\n" + String(repeating: "A: b\r\n", count: 2000)] {
            var framing = BodyFraming.chunked
            #expect(throws: HTTPError.self) {
                var rest = Array(text.utf8)
                while !rest.isEmpty {
                    let (count, _) = try rest.withUnsafeBytes { try framing.read($0) }
                    rest.removeFirst(count)
                }
            }
        }
    }

    @Test func `a response can't be split by a value`() {
        let head = ResponseHead(
            status: 200, fields: ["X": "a\r\nSet-Cookie: b"], framing: .counted(0), closes: false)
        let text = String(decoding: head.encoded(date: HTTPDate.text(0)), as: UTF8.self)
        #expect(
            text
                == "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nX: a  Set-Cookie: b\r\n"
                + "Content-Length: 0\r\n\r\n")
    }

    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
    ])
    func `times are written as HTTP has them`(seconds: Int, text: String) {
        #expect(HTTPDate.text(seconds) == text)
    }
}
