import HTTPServer
import Testing

@Suite struct TraceParentTests {
    private static let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `is read from its field`() throws {
        let head = try HTTPRequestHead(method: "GET", target: "/", fields: ["Traceparent": Self.text])
        #expect(head.traceParent?.text == Self.text)
        #expect(head.traceParent?.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(try HTTPRequestHead(method: "GET", target: "/", fields: [:]).traceParent == nil)
    }

    @Test func `of a later version is read as far as it is known`() {
        #expect(TraceParent("cc" + Self.text.dropFirst(2) + "-more")?.text == "cc" + Self.text.dropFirst(2))
        #expect(TraceParent(Self.text + "-more") == nil)
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", "ff" + text.dropFirst(2), text.uppercased(),
        text.replacingOccurrences(of: "-", with: "_"), "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", text + "1",
    ])
    func `is nothing where it is anything else`(text: String) {
        #expect(TraceParent(text) == nil)
    }
}
