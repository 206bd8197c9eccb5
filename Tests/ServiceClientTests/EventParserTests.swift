import ServiceClient
import Testing

@Suite struct `Events as they come in` {
    private let text = "retry: 500\n\nid: 7\nevent: log\ndata: {\"a\":\ndata: 1}\n\n: still here\n\ndata: plain\r\n\r\n"

    @Test(arguments: 1...20)
    func `are the same whatever pieces they come in`(length: Int) throws {
        var parser = EventParser()
        var events: [EventParser.Event] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: length) {
            events += try parser.take(bytes[start..<min(start + length, bytes.count)])
        }
        #expect(events == [.init(name: "log", data: "{\"a\":\n1}"), .init(name: "message", data: "plain")])
        #expect(parser.lastID == "7")
        #expect(parser.retrySeconds == 0.5)
    }

    @Test func `forget what was not whole, and keep the last id`() throws {
        var parser = EventParser()
        #expect(try parser.take(Array("id: 1\ndata: a\n\nid: 2\ndata: b\n".utf8)).count == 1)
        parser.restart()
        #expect(parser.lastID == "1")
        #expect(try parser.take(Array("data: c\n\n".utf8)) == [.init(name: "message", data: "c")])
        #expect(parser.lastID == "1")
    }

    @Test(arguments: ["", "data: x\n"])
    func `have an end`(line: String) throws {
        var parser = EventParser()
        let piece = Array((line.isEmpty ? String(repeating: "x", count: 8) : line).utf8)
        var taken = 0
        #expect(throws: UnexpectedAnswer.self) {
            while taken < 2 * EventParser.longestEvent {
                _ = try parser.take(Array(repeating: piece, count: 4096).joined())
                taken += 4096 * piece.count
            }
        }
        #expect(taken <= EventParser.longestEvent)
        // A stream may go on for ever, of events that end.
        var other = EventParser()
        for _ in 0..<40 {
            #expect(try other.take(Array(repeating: UInt8(ascii: "x"), count: 1 << 19) + [10, 10]).isEmpty)
        }
    }
}

@Suite struct `Patterns of names` {
    @Test(arguments: [
        ("*", "", true), ("*", "ada", true), ("a*", "ada", true), ("*a", "ada", true), ("a?a", "ada", true),
        ("a?", "ada", false), ("*d*", "ada", true), ("a*b*c", "aXbYbc", true), ("a*b*c", "aXc", false), ("", "", true),
        ("ada", "ada", true), ("ada", "adam", false), ("**", "x", true), ("?", "", false),
    ])
    func `fit what they say`(pattern: String, name: String, fits: Bool) {
        #expect(NamePattern(pattern).fits(name) == fits)
    }
}

@Suite struct `Addresses of services` {
    @Test(arguments: [
        "https://realms.example.com", "https://realms.example.com:8443/", "http://127.0.0.1:8080", "http://localhost",
        "http://[::1]:8080",
    ])
    func `have a scheme and a host`(text: String) throws {
        #expect(try !ServiceAddress(text).url.hasSuffix("/"))
    }

    @Test(arguments: ["", "realms.example.com", "https://", "https://a/b", "ftp://a", "https://key@a", "https://a b"])
    func `have nothing else`(text: String) {
        #expect(throws: ServiceAddress.Fault.malformed) { try ServiceAddress(text) }
    }

    @Test(arguments: [
        "http://realms.example.com", "http://127.0.0.1.example.com", "http://10.0.0.1", "http://1270.0.0.1",
    ])
    func `let no key go over a network in the clear`(text: String) throws {
        #expect(throws: ServiceAddress.Fault.inTheClear) { try ServiceAddress(text) }
        #expect(try ServiceAddress(text, permitsClear: true).url == text)
    }
}
