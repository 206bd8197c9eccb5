import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `How long an app keeps what it has` {
    private let server: APIServer
    private let path = "/v1/apps/shop/retention"

    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
    }

    @Test func `is said as a whole`() throws {
        #expect(try server.send("GET", path).json["keepDays"] == .null)
        let said: JSONValue = ["keepSnapshots": 3, "keepDays": 1.5, "keepJobs": 0, "keepJobDays": .null]
        #expect(try server.send("PUT", path, said).json == said)
        #expect(try server.send("GET", path).json == said)
        let less: JSONValue = ["keepSnapshots": .null, "keepDays": 2.0, "keepJobs": .null, "keepJobDays": .null]
        #expect(try server.send("PUT", path, ["keepDays": 2]).json["keepSnapshots"] == .null)
        #expect(try server.send("GET", path).json["keepDays"]?.double == less["keepDays"]?.double)
    }

    @Test(arguments: [
        ("keepSnapshots", "0"), ("keepSnapshots", "1.5"), ("keepSnapshots", "4294967296"), ("keepDays", "0"),
        ("keepDays", "-1"), ("keepDays", "1e9"), ("keepJobs", "-1"), ("keepJobDays", #""1""#),
    ])
    func `is refused where it makes no sense`(member: String, value: String) throws {
        let body = Array(#"{"\#(member)": \#(value)}"#.utf8)
        let refused = try server.client().request(
            "PUT", path, fields: [("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json")],
            body: body)
        #expect(refused.problem == "malformed_document")
        #expect(refused.json["errors"]?.elements?.first?["pointer"] == .string("/\(member)"))
    }

    @Test func `is of an app that there is`() throws {
        #expect(try server.send("PUT", "/v1/apps/none/retention", [:]).problem == "app_not_found")
        #expect(try server.send("GET", "/v1/apps/none/retention").problem == "app_not_found")
        #expect(try server.send("PUT", path, ["keep": 1]).problem == "unknown_member")
    }
}
