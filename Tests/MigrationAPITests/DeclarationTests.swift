import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Point 10: a declaration is checked when it is made, and can be mended.
struct DeclarationTests {
    private static let path = "/v1/apps/shop/schemas/2"

    /// A server whose app has schema version 1.
    private func server() throws -> APIServer {
        let server = try APIServer()
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema]).status == 201)
        return server
    }

    private static func script(_ source: String) -> JSONValue {
        ["language": "javascript", "source": .string(source)]
    }

    // MARK: Checked

    @Test(arguments: [
        ("function migrate() {\n\n  let a = ;\n}", 3, "Unexpected token ';'"),
        ("function migrated() {}", 1, "declares no function migrate"),
        ("function migrate() {}\nundeclared();", 2, "undeclared"),
        ("\nwhile (true) Math.random();", 2, "longer than \(DeclarationCheck.limits.timeoutSeconds)"),
    ])
    func `a script that no migration can run is refused with its place`(
        source: String, line: Int?, message: String
    ) throws {
        let server = try server()
        let response = try server.send(
            "PUT", Self.path, ["schema": Samples.schema, "migration": Self.script(source)])
        #expect(response.status == 422)
        #expect(response.problem == "script_invalid")
        let error = try #require(response.json["errors"]?.elements?.first)
        #expect(error["pointer"] == "/migration/source")
        #expect(error["line"]?.int == line.map(Int64.init))
        #expect(error["message"]?.string?.contains(message) == true, "\(response.text)")
        #expect(try server.send("GET", Self.path).problem == "schema_version_not_found")
    }

    struct Rename: Sendable, CustomTestStringConvertible {
        var rename: JSONValue
        var code: String
        var message: String
        var testDescription: String { message }
    }

    @Test(arguments: [
        Rename(
            rename: ["class": "Cat", "from": "a", "to": "b"], code: "no_such_table",
            message: "Cannot rename properties for type 'Cat' because it does not exist."),
        Rename(
            rename: ["class": "Dog", "from": "nam", "to": "title"], code: "invalid_property",
            message: "Cannot rename property 'Dog.nam' because it does not exist."),
        Rename(
            rename: ["class": "Person", "from": "id", "to": "number"], code: "illegal_operation",
            message: "Cannot rename property 'Person.id' to 'number' because the source property still exists."),
        Rename(
            rename: ["class": "Dog", "from": "name", "to": "age"], code: "illegal_operation",
            message: "Cannot rename property 'Dog.name' to 'age' because it would change from type 'string' to 'int'."),
        Rename(
            rename: ["class": "Dog", "from": "name", "to": "titel"], code: "invalid_property",
            message: "Renamed property 'Dog.titel' does not exist."),
    ])
    func `a rename that Realm would refuse is refused in its words`(bad: Rename) throws {
        let server = try server()
        let schema: JSONValue = [
            Samples.person, ["name": "Dog", "properties": ["title": "string", "age": "int"]],
        ]
        let migration: JSONValue = ["renames": [bad.rename]]
        let response = try server.send("PUT", Self.path, ["schema": schema, "migration": migration])
        #expect(response.status == 422)
        #expect(response.problem == bad.code)
        #expect(response.json["detail"]?.string == bad.message)
        #expect(response.json["errors"]?.elements?.first?["class"] == bad.rename["class"])
        let good: JSONValue = ["renames": [["class": "Dog", "from": "name", "to": "title"]]]
        #expect(try server.send("PUT", Self.path, ["schema": schema, "migration": good]).status == 201)
    }

    @Test func `a rename of what neither versions nor realms have is refused, with the nearest name`() throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.upload(Samples.realm().encoded())
        let schema: JSONValue = [
            ["name": "Person", "primaryKey": "id", "properties": ["id": "int", "fullName": "string?"]]
        ]
        func declare(_ rename: JSONValue) throws -> SocketResponse {
            try server.send("PUT", Self.path, ["schema": schema, "migration": ["renames": [rename]]])
        }
        let refused = try declare(["class": "Person", "from": "nmae", "to": "fullName"])
        #expect(refused.status == 422 && refused.problem == "rename_unknown")
        #expect(refused.json["detail"]?.string?.contains("“name” is the nearest") == true)
        #expect(refused.json["errors"]?.elements?.first?["pointer"] == "/migration/renames")
        #expect(try declare(["class": "Persn", "from": "name", "to": "fullName"]).problem == "rename_unknown")
        #expect(try declare(["class": "Person", "from": "name", "to": "fullName"]).status == 201)
    }

    @Test func `a first version changes what realms have, and adds nothing that they have`() throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.upload(Samples.realm().encoded())
        let same = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema])
        #expect(same.status == 201 && same.json["changes"] == [], "\(same.text)")
        let other = try APIServer()
        _ = try other.send("PUT", "/v1/apps/shop")
        _ = try other.upload(Samples.realm().encoded())
        let shrunk = try other.send("PUT", Self.path, ["schema": Samples.shrunkSchema])
        #expect(shrunk.json["changes"]?.elements?.map { $0["kind"] } == ["removeOptionalProperty"], "\(shrunk.text)")
        #expect(try other.send("GET", Self.path).json["changes"] == shrunk.json["changes"])
    }

    @Test func `a conversion that Realm would refuse is refused in its words`() throws {
        let server = try server()
        let tag: JSONValue = ["name": "Tag", "embedded": true, "properties": ["a": "int"]]
        let before: JSONValue = [["name": "A", "properties": ["one": "Tag?"]], tag]
        #expect(try server.send("PUT", Self.path, ["schema": before]).status == 201)
        let schema: JSONValue = [
            ["name": "A", "properties": ["one": ["type": "object", "objectType": "Tag"], "tags": "Tag<>"]],
            ["name": "Tag", "properties": ["a": "int"]],
        ]
        let response = try server.send("PUT", "/v1/apps/shop/schemas/3", ["schema": schema])
        #expect(response.problem == "illegal_operation")
        #expect(response.json["detail"] == "Set of embedded objects not supported")
    }

    @Test func `what a script may do is left to it`() throws {
        let server = try server()
        let migration: JSONValue = [
            "language": "javascript", "source": "function migrate(m) { m.renameProperty('Dog', 'between', 'title') }",
            "renames": [["class": "Dog", "from": "name", "to": "between"]],
        ]
        let schema: JSONValue = [Samples.person, ["name": "Dog", "properties": ["title": "string"]]]
        #expect(try server.send("PUT", Self.path, ["schema": schema, "migration": migration]).status == 201)
    }

    @Test(
        arguments: [
            ["language": "javascript", "source": "function migrate() {}"],
            ["renames": [["class": "Dog", "from": "name", "to": "title"]]],
        ] as [JSONValue])
    func `a migration to version 0 never runs and is refused`(migration: JSONValue) throws {
        let server = try server()
        let path = "/v1/apps/shop/schemas/0"
        let response = try server.send("PUT", path, ["schema": Samples.schema, "migration": migration])
        #expect(response.status == 422)
        #expect(response.problem == "migration_never_runs")
        #expect(response.json["errors"]?.elements?.first?["pointer"] == "/migration")
        #expect(try server.send("PUT", path, ["schema": Samples.schema, "migration": [:]]).status == 201)
    }

    // MARK: Mended

    @Test func `a version that no realm has reached is replaced and deleted`() throws {
        let server = try server()
        let first = try server.send("PUT", Self.path, ["schema": Samples.schema])
        #expect(first.json["revision"] == 1)
        let second = try server.send("PUT", Self.path, ["schema": Samples.grownSchema])
        #expect(second.status == 200)
        #expect(second.json["revision"] == 2)
        #expect(second.json["changes"]?.elements?.count == 1)
        #expect(try server.send("GET", Self.path).json == second.json)
        #expect(try server.send("GET", "\(Self.path)?revision=1").json == first.json)
        #expect(try server.send("GET", "\(Self.path)?revision=3").problem == "schema_version_not_found")
        #expect(try server.send("GET", "\(Self.path)?revision=0").problem == "invalid_parameter")
        #expect(try server.send("DELETE", Self.path).status == 204)
        #expect(try server.send("DELETE", Self.path).problem == "schema_version_not_found")
        #expect(try server.send("GET", "\(Self.path)?revision=2").json["schema"] == second.json["schema"])
    }

    @Test func `of a version that was reached the schema is fixed and the migration is not`() throws {
        let server = try server()
        #expect(try server.upload(Samples.realm().encoded()).status == 201)
        let path = "/v1/apps/shop/schemas/1"
        let other = try server.send("PUT", path, ["schema": Samples.grownSchema])
        #expect(other.status == 409)
        #expect(other.problem == "schema_version_in_use")
        #expect(try server.send("DELETE", path).problem == "schema_version_in_use")
        let migration = Self.script("function migrate() {}")
        let mended = try server.send("PUT", path, ["schema": Samples.schema, "migration": migration])
        #expect(mended.status == 200)
        #expect(mended.json["revision"] == 2)
        #expect(mended.json["migration"] == migration)
    }

    /// Everything that a migration may say, each member with each other: `.null` stands for left out.
    static let migrations: [JSONValue] = {
        let scripts: [[JSONMember]] = [
            [],
            [
                JSONMember("language", "javascript"),
                JSONMember("source", "function migrate() { return '\u{0}ä\u{2028}' }"),
            ],
        ]
        let others: [[JSONMember]] = [
            [JSONMember("renames", [["class": "Dog", "from": "name", "to": "title"]])],
            [JSONMember("nullability", "keep")], [JSONMember("applyDefaults", "existing")],
        ]
        let chosen = (0..<8).map { bits in
            others.indices.filter { bits >> $0 & 1 == 1 }.flatMap { others[$0] }
        }
        return [.null] + scripts.flatMap { script in chosen.map { .object(script + $0) } }
    }()

    static let schema: JSONValue = [
        [
            "name": "Person", "primaryKey": "id",
            "properties": [
                "id": "int", "name": ["type": "string", "optional": true, "indexed": "full-text"],
                "dogs": "Dog[]", "tags": "string?<>", "map": "mixed{}", "home": "Home",
                "age": ["type": "int", "default": 7, "mapTo": "years", "indexed": true],
            ],
        ],
        [
            "name": "Dog",
            "properties": [
                "title": "string",
                "owners": ["type": "linkingObjects", "objectType": "Person", "property": "dogs"],
            ],
        ],
        ["name": "Home", "embedded": true, "properties": ["at": "date?"]],
    ]

    @Test(arguments: migrations)
    func `what GET gives can be PUT again`(migration: JSONValue) throws {
        let server = try server()
        for body in [["schema": Self.schema, "migration": migration], ["schema": Self.schema]] as [JSONValue] {
            let put = try server.send("PUT", Self.path, body)
            #expect([200, 201].contains(put.status), "\(put.text)")
            let got = try server.send("GET", Self.path).json
            #expect(got == put.json)
            #expect(got["migration"] == body["migration"] ?? .null)
            let again = try server.send("PUT", Self.path, got)
            #expect(again.status == 200)
            #expect(again.json == got)
        }
        let got = try server.send("GET", Self.path).json
        let elsewhere = try server.send("PUT", "/v1/apps/shop/schemas/3", got)
        #expect(elsewhere.problem == "malformed_document")
        #expect(elsewhere.json["errors"]?.elements?.first?["pointer"] == "/version")
    }
}
