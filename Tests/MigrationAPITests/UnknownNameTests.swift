import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Point 12: what an operation has not is refused, and said what it has.
struct UnknownNameTests {
    @Test func `every operation refuses a query parameter that it has not, and one that stands twice`() throws {
        let server = try APIServer()
        for (method, path, name, query) in server.api.operations {
            let target = path.replacing("{version}", with: "1").replacing("{", with: "").replacing("}", with: "")
            let unknown = try server.send(method, "\(target)?nothing=1")
            #expect(unknown.status == 400, "\(name)")
            #expect(unknown.problem == "unknown_parameter", "\(name)")
            for parameter in query {
                let text = unknown.json["detail"]?.string ?? ""
                #expect(text.contains(parameter), "\(name)")
                let twice = try server.send(method, "\(target)?\(parameter)=1&\(parameter)=1")
                #expect(twice.status == 400, "\(name)")
                #expect(twice.problem == "invalid_parameter", "\(name)")
                #expect(twice.json["detail"]?.string == "The parameter \(parameter) stands twice in the query.")
            }
        }
        #expect(try server.send("GET", "/v1/nothing?a=b").problem == "not_found")
        #expect(try server.client().request("GET", "/v1/jobs?status=failed").problem == "unauthorized")
    }

    @Test func `the parameter that was meant is named, and all that there are`() throws {
        let server = try APIServer()
        let response = try server.send("GET", "/v1/jobs?status=failed&limit=1&zz")
        #expect(
            response.json["errors"]?.elements?.map { $0["message"]?.string } == [
                "This operation has no query parameter “status”: “state” is the nearest. "
                    + "It has app, realm, state, kind, fleet, since, until, sort, limit, cursor, total.",
                "This operation has no query parameter “zz”. "
                    + "It has app, realm, state, kind, fleet, since, until, sort, limit, cursor, total.",
            ])
        let none = try server.send("GET", "/v1/version?a=b").json["detail"]?.string
        #expect(none == "This operation has no query parameter “a”. It has none.")
    }

    struct Body: Sendable, CustomTestStringConvertible {
        var method = "PUT"
        var path: String
        var body: JSONValue
        var pointers: [String]
        var nearest: String?
        var testDescription: String { "\(method) \(path) \(pointers)" }
    }

    private static let realm = "/v1/apps/shop/realms/ada"
    private static let migrations = "\(realm)/migrations"
    private static let schemas = "/v1/apps/shop/schemas/1"

    @Test(arguments: [
        Body(path: "/v1/apps/shop", body: ["name": "x"], pointers: ["/name"]),
        Body(path: realm, body: ["kin": "local", "b": 1], pointers: ["/kin", "/b"], nearest: "kind"),
        Body(
            method: "POST", path: "\(realm)/restore", body: ["snapshots": "x"], pointers: ["/snapshots"],
            nearest: "snapshot"),
        Body(
            method: "POST", path: "/v1/schema-diffs", body: ["form": [], "to": []], pointers: ["/form"], nearest: "from"
        ),
        Body(
            method: "POST", path: "/v1/schema-diffs",
            body: ["from": [], "to": [["name": "A", "properties": ["b": ["type": "int", "optinal": true]]]]],
            pointers: ["/to/0/properties/b/optinal"], nearest: "optional"),
        Body(
            path: schemas, body: ["schema": [], "migrations": .null], pointers: ["/migrations"], nearest: "migration"),
        Body(
            path: schemas, body: ["schema": [["name": "A", "primarykey": "b", "properties": [:]]]],
            pointers: ["/schema/0/primarykey"], nearest: "primaryKey"),
        Body(
            path: schemas, body: ["schema": [], "migration": ["script": ""]], pointers: ["/migration/script"]),
        Body(
            path: schemas,
            body: [
                "schema": [], "migration": ["renames": [["class": "A", "from": "b", "to": "c", "form": "d"]]],
            ], pointers: ["/migration/renames/0/form"], nearest: "from"),
        Body(
            method: "POST", path: migrations, body: ["targetversion": 2], pointers: ["/targetversion"],
            nearest: "targetVersion"),
        Body(
            method: "POST", path: migrations, body: ["targetVersion": 2, "limits": ["memory~Bytes": 1]],
            pointers: ["/limits/memory~0Bytes"], nearest: "memoryBytes"),
        Body(
            method: "POST", path: "/v1/jobs/0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000/cancel", body: ["force": true],
            pointers: ["/force"]),
        Body(
            method: "POST", path: "/v1/jobs/0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000/retry", body: ["force": true],
            pointers: ["/force"]),
        Body(
            method: "POST", path: "\(realm)/snapshots", body: ["schema": [], "object": [:]], pointers: ["/object"],
            nearest: "objects"),
    ])
    func `a member that a body has not is refused at every depth`(wrong: Body) throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", Self.realm)
        let response = try server.send(wrong.method, wrong.path, wrong.body)
        #expect(response.status == 400)
        #expect(response.problem == "unknown_member")
        let errors = response.json["errors"]?.elements ?? []
        #expect(errors.map { $0["pointer"]?.string } == wrong.pointers)
        let nearest = errors.first?["message"]?.string?.contains("“\(wrong.nearest ?? "")” is the nearest") ?? false
        #expect(nearest == (wrong.nearest != nil), "\(response.text)")
    }

    @Test func `a long name is neither repeated nor compared`() throws {
        let server = try APIServer()
        let long = String(repeating: "k", count: 50_000)
        let members = try server.send("PUT", "/v1/apps/shop", [long: 1])
        #expect(members.problem == "unknown_member")
        #expect(members.body.count < 2000)
        #expect(members.json["errors"]?.elements?.first?["pointer"] == "")
        let many = (0..<500).map { "p\($0)=" }.joined(separator: "&")
        let parameters = try server.send("GET", "/v1/apps?\(many)")
        #expect(parameters.problem == "unknown_parameter")
        #expect(parameters.json["errors"]?.elements?.count == Problem.longestList)
    }
}
