import AccessStore
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Checks of a declaration, which an editor asks for while somebody types.
struct DeclarationTrialTests {
    private static let path = "/v1/apps/shop/schemas/2/check"

    private func server() throws -> APIServer {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema])
        _ = try server.upload(Samples.realm().encoded())
        return server
    }

    private static func script(_ source: String) -> JSONValue {
        ["language": "javascript", "source": .string(source)]
    }

    @Test func `faults of the schema and of the script stand side by side, with their places`() throws {
        let server = try server()
        let response = try server.send(
            "POST", Self.path,
            [
                "schema": [["name": "Person", "properties": ["dogs": "Dog[]"]]],
                "migration": Self.script("function migrate() {\n  let a = ;\n}"),
            ])
        #expect(response.status == 200)
        #expect(response.json["outcome"] == .null)
        let problem = try #require(response.json["problem"])
        #expect(problem["code"] == "schema_invalid" && problem["status"] == 422)
        let errors = try #require(problem["errors"]?.elements)
        #expect(errors.map { $0["pointer"] } == ["/schema", "/migration/source"])
        #expect(errors[1]["line"] == 2)
        #expect(response.json["changes"] == [])
    }

    @Test func `it says what declaring it says, and declares nothing`() throws {
        let server = try server()
        let declarations: [JSONValue] = [
            ["schema": [], "migration": Self.script("function migrate() {}")],
            ["schema": Samples.grownSchema, "migration": ["renames": [["class": "Cat", "from": "a", "to": "b"]]]],
            ["schema": Samples.grownSchema, "migration": Self.script("function migrated() {}")],
            ["schema": Samples.grownSchema, "migration": ["nullability": "never"]],
            ["schema": [["name": "Dog", "properties": ["name": "text"]]]],
            ["schema": Samples.grownSchema, "migration": Self.script("function migrate() {}")],
        ]
        for declaration in declarations {
            let checked = try server.send("POST", Self.path, declaration)
            #expect(checked.status == 200)
            #expect(try server.send("GET", "/v1/apps/shop/schemas/2").status == 404)
            let put = try server.send("PUT", "/v1/apps/shop/schemas/2", declaration)
            if put.status == 201 {
                #expect(checked.json["outcome"] == "new" && checked.json["problem"] == .null)
                for member in ["changes", "lint"] { #expect(checked.json[member] == put.json[member]) }
                _ = try server.send("DELETE", "/v1/apps/shop/schemas/2")
            } else {
                let problem = try #require(checked.json["problem"])
                for member in ["status", "code", "detail", "errors", "realmCode"] {
                    #expect(problem[member] == put.json[member], "\(checked.text) \(put.text)")
                }
            }
        }
        let entries = try server.send("GET", "/v1/audit").json["items"]?.elements ?? []
        #expect(!entries.contains { $0["operation"] == "checkSchemaVersion" })
    }

    @Test func `what is declared in between is known at once`() throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        let renamed: (String) -> JSONValue = { name in
            [
                "schema": [["name": "T", "properties": ["z": "int"]]],
                "migration": ["renames": [["class": "T", "from": .string(name), "to": "z"]]],
            ]
        }
        for (name, other) in [("a", "b"), ("b", "a")] {
            let declared: JSONValue = ["schema": [["name": "T", "properties": .object([JSONMember(name, "int")])]]]
            #expect([200, 201].contains(try server.send("PUT", "/v1/apps/shop/schemas/1", declared).status))
            #expect(try server.send("POST", Self.path, renamed(name)).json["outcome"] == "new")
            #expect(try server.send("POST", Self.path, renamed(other)).json["problem"]?["status"] == 422)
        }
    }

    @Test func `renames are suggested, and the realms counted that it concerns`() throws {
        let server = try server()
        let schema: JSONValue = [
            [
                "name": "Person", "primaryKey": "id",
                "properties": ["id": "int", "fullName": "string?", "dogs": "Dog[]"],
            ], Samples.dog,
        ]
        let json = try server.send("POST", Self.path, ["schema": schema]).json
        let rename: JSONValue = ["class": "Person", "from": "name", "to": "fullName"]
        #expect(json["suggestions"] == [rename])
        #expect(json["impact"]?["realms"] == 1)
        #expect(json["impact"]?["versions"] == [["version": 1, "count": 1]])
        #expect(json["impact"]?["breaksServer"] == true)
        #expect(json["impact"]?["breaksClients"] == false)
        let accepted = try server.send("POST", Self.path, ["schema": schema, "migration": ["renames": [rename]]]).json
        #expect(accepted["suggestions"] == [] && accepted["outcome"] == "new")
    }

    @Test func `a version that realms have reached keeps its schema`() throws {
        let server = try server()
        let path = "/v1/apps/shop/schemas/1/check"
        let other = try server.send("POST", path, ["schema": Samples.grownSchema]).json
        #expect(other["problem"]?["code"] == "schema_version_in_use" && other["outcome"] == .null)
        #expect(try server.send("POST", path, ["schema": Samples.schema]).json["outcome"] == "same")
        let script = Self.script("function migrate() {}")
        let revised = try server.send("POST", path, ["schema": Samples.schema, "migration": script]).json
        #expect(revised["outcome"] == "revised")
    }

    @Test func `a request at fault is refused, and one without the scope to declare`() throws {
        let server = try server()
        #expect(try server.send("POST", Self.path, ["schemas": []]).problem == "unknown_member")
        #expect(try server.send("POST", Self.path, [:]).status == 422)
        #expect(try server.send("POST", "/v1/apps/none/schemas/2/check", ["schema": []]).problem == "app_not_found")
        #expect(try server.send("POST", "/v1/apps/shop/schemas/x/check", ["schema": []]).problem == "invalid_parameter")
        let reader = try server.access.keys.create(named: "reader", scopes: [.read], apps: .all).secret
        let refused = try server.client().request(
            "POST", Self.path,
            fields: [("Authorization", "Bearer \(reader)"), ("Content-Type", "application/json")],
            body: JSONValue.object([JSONMember("schema", [])]).encoded())
        #expect(refused.problem == "scope_missing")
    }
}
