import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

struct OddTextTests {
    private static let odd = ["a\0b", "\u{1}", "ä\u{301}", "💥", "\u{fffd}", "'; DROP TABLE app; --", "\u{2028}"]

    @Test(arguments: odd) func `odd characters in scripts and names do not make the service fail`(text: String) throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        let schema: JSONValue = [["name": "A", "properties": .object([JSONMember(text, "string")])]]
        let migration: JSONValue = ["language": "javascript", "source": .string("// \(text)")]
        let put = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": schema, "migration": migration])
        #expect([201, 422].contains(put.status), "\(put.text)")
        if put.status == 201 {
            let got = try server.send("GET", "/v1/apps/shop/schemas/1").json
            #expect(got["migration"] == migration)
            #expect(got["schema"]?.elements?.first?["properties"]?.members?.first?.name == text)
        }
        let realm: JSONValue = [
            "schema": schema, "objects": ["A": [.object([JSONMember(text, .string(text))])]],
        ]
        let made = try server.upload(realm.encoded())
        #expect([201, 422].contains(made.status), "\(made.text)")
        let job = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations",
            ["targetVersion": 7, "schema": schema, "migration": migration])
        #expect([202, 404, 422].contains(job.status), "\(job.text)")
        let segment = text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        for path in ["/v1/apps/\(segment)", "/v1/apps/shop/realms/\(segment)", "/v1/jobs/\(segment)"] {
            #expect(try server.send("GET", path).status == 404)
        }
        #expect(try server.send("GET", "/v1/jobs?cursor=\(segment)").status == 400)
        #expect(server.log.failures.withLock { $0 } == [])
    }
}
