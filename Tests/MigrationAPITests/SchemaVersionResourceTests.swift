import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

struct SchemaVersionResourceTests {
    private func server() throws -> APIServer {
        let server = try APIServer()
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
        return server
    }

    @Test func `apps are made once, listed by name and removed`() throws {
        let server = try server()
        #expect(try server.send("PUT", "/v1/apps/shop", [:]).status == 200)
        for name in ["b", "a", "c"] { #expect(try server.send("PUT", "/v1/apps/\(name)").status == 201) }
        let first = try server.send("GET", "/v1/apps?limit=3").json
        #expect(first["items"]?.elements?.map { $0["name"]?.string } == ["a", "b", "c"])
        let next = try #require(first["next"]?.string)
        let second = try server.send("GET", "/v1/apps?limit=3&cursor=\(next)").json
        #expect(second["items"]?.elements?.map { $0["name"]?.string } == ["shop"])
        #expect(second["next"] == .null)
        #expect(try server.send("GET", "/v1/apps/a").json["createdAt"]?.string?.hasSuffix("Z") == true)
        #expect(try server.send("DELETE", "/v1/apps/a").status == 204)
        #expect(try server.send("GET", "/v1/apps/a").problem == "app_not_found")
        #expect(try server.send("DELETE", "/v1/apps/a").status == 404)
    }

    @Test(arguments: ["/v1/apps/-a", "/v1/apps/a%2Fb", "/v1/apps/%C3%A4", "/v1/apps/a%00", "/v1/apps/shop/realms/+x"])
    func `names that are none are refused, and not found`(path: String) throws {
        let server = try server()
        let response = try server.send("PUT", path)
        #expect(response.status == 422)
        #expect(response.problem == "invalid_name")
        #expect(try server.send("GET", path).status == 404)
        #expect(try server.send("DELETE", path).status == 404)
    }

    @Test func `a schema version is declared, found and not found`() throws {
        let server = try server()
        let path = "/v1/apps/shop/schemas/1"
        let made = try server.send("PUT", path, ["schema": Samples.schema])
        #expect(made.status == 201)
        #expect(made.json["version"] == 1)
        #expect(made.json["migration"] == .null)
        #expect(made.json["changes"]?.elements?.map { $0["kind"] } == ["addObjectType", "addObjectType"])
        #expect(made.json["schema"]?.elements?.first?["properties"]?["dogs"]?["type"] == "list")
        #expect(try server.send("PUT", path, ["schema": Samples.schema]).status == 200)
        #expect(try server.send("GET", path).json == made.json)
        #expect(try server.send("GET", "/v1/apps/shop/schemas/2").problem == "schema_version_not_found")
        #expect(try server.send("GET", "/v1/apps/shop/schemas/x").problem == "schema_version_not_found")
        #expect(try server.send("GET", "/v1/apps/none/schemas/1").problem == "app_not_found")
    }

    @Test func `a version tells what changed against the one before, renames included`() throws {
        let server = try server()
        _ = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema])
        let renamed: JSONValue = [
            [
                "name": "Person", "primaryKey": "id",
                "properties": ["id": "int", "fullName": "string?", "dogs": "Dog[]"],
            ], Samples.dog,
        ]
        let migration: JSONValue = [
            "language": "javascript", "source": "function migrate() {}",
            "renames": [["class": "Person", "from": "name", "to": "fullName"]], "nullability": "keep",
            "applyDefaults": "existing",
        ]
        let made = try server.send("PUT", "/v1/apps/shop/schemas/3", ["schema": renamed, "migration": migration])
        #expect(made.status == 201)
        #expect(made.json["migration"] == migration)
        let changes = try #require(made.json["changes"]?.elements)
        #expect(changes.map { $0["kind"] } == ["changePropertyName"])
        for member in ["class", "property", "from", "to", "message", "serverSide", "client", "requires", "handling"] {
            #expect(changes[0][member] != nil, "\(member)")
        }
        #expect(try server.send("GET", "/v1/apps/shop/schemas/1/diff/3").json["changes"]?.elements == changes)
        let back = try server.send("GET", "/v1/apps/shop/schemas/3/diff/1").json["changes"]?.elements
        #expect(back?.map { $0["kind"] } == ["removeOptionalProperty", "addOptionalProperty"])
        let listed = try server.send("GET", "/v1/apps/shop/schemas").json["items"]?.elements
        #expect(listed?.map { $0["version"] } == [1, 3])
    }

    @Test func `schemas are compared without an app`() throws {
        let server = try server()
        let body: JSONValue = ["from": Samples.schema, "to": Samples.grownSchema]
        let changes = try server.send("POST", "/v1/schema-diffs", body).json["changes"]?.elements
        #expect(changes?.map { $0["kind"] } == ["addOptionalProperty"])
        #expect(changes?.first?["serverSide"] == "non-breaking")
        #expect(try server.send("POST", "/v1/schema-diffs", ["from": []]).problem == "malformed_document")
    }

    @Test func `a schema that Realm refuses is refused with all of Realm's messages`() throws {
        let server = try server()
        let schema: JSONValue = [
            ["name": "A", "primaryKey": "no", "properties": ["b": "objectid", "c": "double?"]],
            ["name": "A", "properties": [:]],
        ]
        let response = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": schema])
        #expect(response.status == 422)
        #expect(response.problem == "schema_invalid")
        #expect(response.json["realmCode"] == "SchemaValidationFailed")
        #expect(response.json["errors"]?.elements?.count ?? 0 >= 3)
        #expect(response.json["errors"]?.elements?.contains { $0["hint"] == "Did you mean 'objectId'?" } == true)
        #expect(response.json["detail"]?.string?.contains("- Type 'A' appears more than once in the schema.") == true)
        #expect(try server.send("GET", "/v1/apps/shop/schemas").json["items"] == [])
    }

    struct BadBody: Sendable, CustomTestStringConvertible {
        var body: String
        var status: Int
        var code: String
        var pointer: String?
        var testDescription: String { body }
    }

    @Test(arguments: [
        BadBody(body: "", status: 400, code: "malformed_json"),
        BadBody(body: "{\"schema\": [", status: 400, code: "malformed_json"),
        BadBody(body: "[]", status: 422, code: "malformed_document", pointer: ""),
        BadBody(body: "{}", status: 422, code: "malformed_document", pointer: "/schema"),
        BadBody(body: "{\"schema\": 1}", status: 422, code: "malformed_document", pointer: "/schema"),
        BadBody(body: "{\"schema\": [], \"a/b\": 1}", status: 400, code: "unknown_member", pointer: "/a~1b"),
        BadBody(
            body: "{\"schema\": [{\"name\": \"A\", \"properties\": {\"x\": \"strnig\"}, \"y\": 1}]}", status: 400,
            code: "unknown_member", pointer: "/schema/0/y"),
        BadBody(
            body: "{\"schema\": [], \"migration\": {\"language\": \"cobol\", \"source\": \"\"}}", status: 422,
            code: "script_language_unsupported", pointer: "/migration/language"),
        BadBody(
            body: "{\"schema\": [], \"migration\": {\"language\": \"javascript\"}}", status: 422,
            code: "malformed_document", pointer: "/migration/source"),
        BadBody(
            body: "{\"schema\": [], \"migration\": {\"source\": \"\"}}", status: 422, code: "malformed_document",
            pointer: "/migration/language"),
        BadBody(
            body: "{\"schema\": [], \"migration\": {\"renames\": [{\"class\": \"A\", \"from\": 1}]}}", status: 422,
            code: "malformed_document", pointer: "/migration/renames/0/from"),
        BadBody(
            body: "{\"schema\": [], \"migration\": {\"nullability\": \"no\"}}", status: 422,
            code: "malformed_document", pointer: "/migration/nullability"),
    ])
    func `a body that is not as it has to be is refused with its place`(bad: BadBody) throws {
        let server = try server()
        let response = try server.client().request(
            "PUT", "/v1/apps/shop/schemas/1",
            fields: [("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json")],
            body: Array(bad.body.utf8))
        #expect(response.status == bad.status)
        #expect(response.problem == bad.code)
        if let pointer = bad.pointer {
            #expect(response.json["errors"]?.elements?.first?["pointer"]?.string == pointer)
        }
    }

    @Test func `a body of another type or too long is refused`() throws {
        let server = try server()
        let key = ("Authorization", "Bearer \(server.key)")
        let text = try server.client().request(
            "PUT", "/v1/apps/shop/schemas/1", fields: [key, ("Content-Type", "text/plain")], body: [65])
        #expect(text.status == 415)
        #expect(text.problem == "unsupported_media_type")
        let long = try server.client().request(
            "PUT", "/v1/apps/shop/schemas/1", fields: [key], body: [UInt8](repeating: 32, count: 100_001))
        #expect(long.status == 413)
        #expect(long.problem == "content_too_large")
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/-1", ["schema": []]).status == 400)
        #expect(try server.send("GET", "/v1/apps?limit=0").problem == "invalid_parameter")
        #expect(try server.send("GET", "/v1/apps?cursor=!").problem == "invalid_cursor")
    }

    @Test func `declarations are told what is seldom meant`() throws {
        let server = try server()
        func schema(_ properties: JSONValue) -> JSONValue { [["name": "Person", "properties": properties]] }
        let with = schema(["name": "string", "note": "string"])
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": with]).json["lint"] == [])
        let without = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": schema(["name": "string"])])
        #expect(without.json["lint"] == [])
        let migration: JSONValue = [
            "language": "javascript",
            "source": "function migrate(migration) { migration.enumerateObjects('Person', (before, now) => {}); }",
        ]
        let back = try server.send("PUT", "/v1/apps/shop/schemas/3", ["schema": with, "migration": migration])
        #expect(back.status == 201, "\(back.json)")
        #expect(back.json["lint"]?.elements?.map { $0["rule"] } == ["versionNotAsked", "propertyComesBack"])
        #expect(back.json["lint"]?.elements?.last?["property"] == "note")
        // The answer can be declared again.
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/3", back.json).status == 200)
    }
}
