import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `The list of realms` {
    private let server: APIServer
    private let path = "/v1/apps/shop/realms"

    /// Realms at the versions 1 to 3, one without a version, and one without a snapshot.
    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        for version in 1...3 {
            let members = Samples.realm().members?.filter { $0.name != "schemaVersion" } ?? []
            let realm = JSONValue.object([JSONMember("schemaVersion", .int(Int64(version)))] + members)
            #expect(try server.upload(realm.encoded(), to: "\(path)/v\(version)").status == 201)
        }
        _ = try server.send("PUT", "\(path)/empty", ["labels": ["ring": "0"]])
        _ = try server.send("PUT", "\(path)/v1", ["labels": ["ring": "0", "note": "a:b"]])
        _ = try server.send("PUT", "\(path)/v2", ["labels": ["ring": "1"]])
    }

    private func names(_ query: String) throws -> [String] {
        let answer = try server.send("GET", "\(path)\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return (answer.json["items"]?.elements ?? []).compactMap { $0["name"]?.string }
    }

    @Test(
        arguments: [
            ("", ["empty", "v1", "v2", "v3"]), ("?version=2", ["v2"]), ("?version=%3D2", ["v2"]),
            ("?version=%3C3", ["v1", "v2"]), ("?version=%3C%3D3", ["v1", "v2", "v3"]),
            ("?version=%3E%3D2", ["v2", "v3"]),
            ("?version=%3E1", ["v2", "v3"]), ("?version=!%3D2", ["v1", "v3"]), ("?version=9", []),
            ("?label=ring:0", ["empty", "v1"]), ("?label=note:a:b", ["v1"]), ("?label=ring:2", []),
            ("?version=%3C3&label=ring:0", ["v1"]), ("?version=%3C3&limit=1", ["v1"]),
        ] as [(String, [String])])
    func `has those that stand at a version, and have a label`(query: String, expected: [String]) throws {
        #expect(try names(query) == expected)
    }

    @Test func `goes on where a page ended, with the same condition`() throws {
        let first = try server.send("GET", "\(path)?version=%3E%3D2&limit=1").json
        let next = try #require(first["next"]?.string)
        #expect(try names("?version=%3E%3D2&limit=1&cursor=\(next)") == ["v3"])
    }

    @Test(arguments: [
        "?version=three", "?version=", "?version=%3C", "?label=ring", "?label=:0", "?label=a:%01", "?version=%3C%3C1",
    ])
    func `takes no condition that is none`(query: String) throws {
        let answer = try server.send("GET", "\(path)\(query)")
        #expect(answer.status == 400 && answer.problem == "invalid_parameter")
    }

    @Test func `says what stands out of each realm`() throws {
        let items = try server.send("GET", path).json["items"]?.elements ?? []
        #expect(items.map { $0["schemaVersion"] } == [.null, 1, 2, 3])
        #expect(items.map { $0["objectCount"] } == [0, 3, 3, 3])
        #expect(items.map { ($0["storedBytes"]?.int ?? 0) > 0 } == [false, true, true, true])
        #expect(items.allSatisfy { $0["lastJob"] == .null })
        let job = try server.send("POST", "\(path)/v1/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        let listed = try server.send("GET", path).json["items"]?.elements?[1]
        #expect(listed?["lastJob"] == ["id": job.json["id"] ?? .null, "state": "queued"])
    }
}
