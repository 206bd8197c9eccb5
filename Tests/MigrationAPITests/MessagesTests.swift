import StoreCore
import Testing

@testable import MigrationAPI

struct MessagesTests {
    private static let accepts: [(String?, String?)] = [
        (nil, "application/json"), ("", "application/json"), ("*/*", "application/json"),
        ("application/*;q=0.5", "application/json"), ("application/x-ndjson", "application/x-ndjson"),
        ("application/json;q=0.1, application/x-ndjson;q=0.9", "application/x-ndjson"),
        ("text/html, */*;q=0.1", "application/json"), ("APPLICATION/JSON; charset=utf-8", "application/json"),
        ("application/json;q=0, */*", "application/x-ndjson"), ("text/html", nil), ("application/json;q=0", nil),
    ]

    @Test(arguments: accepts)
    func `the type that is liked best is chosen`(field: String?, type: String?) {
        #expect(Accept(field).best(of: ["application/json", "application/x-ndjson"]) == type)
    }

    private static let preferences: [(String?, Int?)] = [
        (nil, nil), ("wait=5", 5), ("respond-async, wait=10", 10), ("wait = 7;x=1", 7), ("WAIT=\"3\"", 3),
        ("wait", nil), ("wait=-1", nil), ("wait=many", nil), ("handling=lenient", nil),
    ]

    @Test(arguments: preferences)
    func `the wait that a client prefers is understood`(field: String?, seconds: Int?) {
        #expect(Prefer(field).wait == seconds)
    }

    @Test(arguments: [
        ("a", true), ("A1._-", true), (String(repeating: "x", count: 128), true), ("", false), (".a", false),
        ("-a", false), ("a/b", false), ("ä", false), ("a b", false), ("a\0", false),
        (String(repeating: "x", count: 129), false),
    ])
    func `names are letters, digits, points, underscores and dashes`(name: String, isValid: Bool) {
        #expect(ResourceName.isValid(name, of: .app) == isValid)
    }
}
