import MigrationJobs
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Swift files in the place of schemas and scripts.
struct SwiftResourceTests {
    private static let models: JSONValue = [
        "swift": [
            [
                "name": "Person.swift",
                "text": """
                import RealmSwift
                class Person: Object {
                    @Persisted(primaryKey: true) var id: Int
                    @Persisted var name: String?
                    @Persisted var label: String
                }
                """,
            ]
        ]
    ]

    private static func migration(_ body: String, _ members: [JSONMember] = []) -> JSONValue {
        .object(
            [
                JSONMember("language", "swift"),
                JSONMember(
                    "sources",
                    [
                        [
                            "name": "Migration.swift",
                            "text": .string(
                                "func migrate(_ migration: Migration, from old: UInt64) {\n\(body)\n}\n"),
                        ]
                    ]),
            ] + members)
    }

    private static let label = """
            migration.enumerateObjects(ofType: Person.className()) { old, new in
                guard let name = old?["name"] as? String else { return }
                Log.note(name)
                new?["label"] = "\\(old!["id"]!): \\(name)" + Settings.suffix
            }
        """
    private static let settings = [
        JSONMember("stubs", ["Log"]), JSONMember("parameters", ["Settings.suffix": "!"]),
    ]

    private func server() throws -> APIServer {
        let server = try APIServer(followsJobs: true)
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
        return server
    }

    @Test func `classes are a schema, and a block is run by a job`() throws {
        let server = try server()
        let declared = try server.send(
            "PUT", "/v1/apps/shop/schemas/2",
            ["schema": Self.models, "migration": Self.migration(Self.label, Self.settings)])
        #expect(declared.status == 201, "\(declared.text)")
        #expect(declared.json["migration"]?["language"] == "swift")
        #expect(declared.json["migration"]?["stubs"] == ["Log"])
        #expect(declared.json["schema"]?.elements?.first?["properties"]?["label"]?["type"] == "string")
        #expect(try server.upload(Samples.realm(persons: 2).encoded()).status == 201)
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        let job = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2], fields: [("Prefer", "wait=20")])
        #expect(job.json["state"] == "succeeded", "\(job.text)")
        let persons = try server.send(
            "GET", "/v1/snapshots/\(try #require(job.json["resultSnapshot"]?.string))/objects/Person")
        #expect(persons.text.contains("1: Person 1!"), "\(persons.text)")
    }

    @Test func `what is not understood is refused with its place`() throws {
        let server = try server()
        let refused = try server.send(
            "PUT", "/v1/apps/shop/schemas/2", ["schema": Self.models, "migration": Self.migration(Self.label)])
        #expect(refused.status == 422)
        #expect(refused.problem == "script_invalid")
        let error = try #require(refused.json["errors"]?.elements?.first, "\(refused.text)")
        #expect(error["line"] == 4 && error["column"] == 9, "\(refused.text)")
        #expect(error["message"]?.string?.contains("‘Log’ is declared by no file") == true)
        let models: JSONValue = [
            "swift": [["name": "A.swift", "text": "class A: Object {\n  @Persisted var x: B?\n}\n"]]
        ]
        let unknown = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": models])
        #expect(unknown.status == 422, "\(unknown.text)")
        #expect(unknown.text.contains("Realm stores no ‘B’"))
    }

    @Test func `one file of classes is a body of its own`() throws {
        let server = try server()
        let answer = try server.client().request(
            "PUT", "/v1/apps/shop/schemas/1",
            fields: [("Authorization", "Bearer \(server.key)"), ("Content-Type", "text/x-swift")],
            body: Array("class Dog: Object { @Persisted var name: String }".utf8))
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.json["schema"]?.elements?.first?["name"] == "Dog")
    }

    @Test func `several files of classes are one body`() throws {
        let server = try server()
        func put(_ body: String, boundary: String = "\"x y\"") throws -> SocketResponse {
            try server.client().request(
                "PUT", "/v1/apps/shop/schemas/1",
                fields: [
                    ("Authorization", "Bearer \(server.key)"),
                    ("Content-Type", "multipart/form-data; boundary=\(boundary)"),
                ], body: Array(body.utf8))
        }
        let dog = "class Dog: Object { @Persisted var owner: Owner? }\n"
        let owner = "class Owner: Object {\r\n    @Persisted var name: String\r\n}"
        let head = "Content-Disposition: form-data; name=\"files\"; filename="
        let answer = try put(
            "--x y\r\n\(head)\"Dog.swift\"\r\n\r\n\(dog)\r\n--x y\r\n\(head)\"Owner.swift\"\r\nContent-Type: text/x-swift\r\n\r\n\(owner)\r\n--x y--\r\n"
        )
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.json["schema"]?.elements?.map { $0["name"] } == ["Dog", "Owner"], "\(answer.text)")
        let unknown = try put("--b\r\n\(head)\"Dog.swift\"\r\n\r\n\(dog)\r\n--b--", boundary: "b")
        #expect(unknown.status == 422)
        #expect(unknown.text.contains("Dog.swift: Realm stores no ‘Owner’"), "\(unknown.text)")
        for body in ["", "--b\r\n", "--b--\r\n", "--b\r\n\r\n\(dog)", "--c\r\n\r\n\(dog)\r\n--c--"] {
            #expect(try put(body, boundary: "b").status == 422, "\(body)")
        }
    }

    @Test func `what is not understood in one of several files names the file`() throws {
        let helper: JSONValue = [
            "name": "Helper.swift",
            "text": "func helped() {\n    UserDefaults.standard.removeObject(forKey: \"x\")\n}\n",
        ]
        let migration = Self.migration("helped()")
        let sources = (migration["sources"]?.elements ?? []) + [helper]
        let refused = try server().send(
            "PUT", "/v1/apps/shop/schemas/2",
            ["schema": Self.models, "migration": ["language": "swift", "sources": .array(sources)]])
        let error = try #require(refused.json["errors"]?.elements?.first, "\(refused.text)")
        #expect(error["line"] == 2 && error["message"]?.string?.hasPrefix("Helper.swift: ") == true, "\(refused.text)")
    }

    @Test(arguments: ["sources", "stubs", "parameters", "block"])
    func `members of a program in Swift are refused of any other migration`(name: String) throws {
        let server = try server()
        for value: JSONValue in [.object([]), .array([]), "x"] {
            let migration = JSONValue.object([JSONMember(name, value)])
            let refused = try server.send(
                "PUT", "/v1/apps/shop/schemas/9", ["schema": [], "migration": migration])
            #expect(refused.problem == "malformed_document")
            #expect(refused.json["errors"]?.elements?.first?["pointer"] == .string("/migration/\(name)"))
        }
    }
}
