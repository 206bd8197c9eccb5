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
            ("?q=V", ["v1", "v2", "v3"]), ("?q=mp", ["empty"]), ("?q=x", []), ("?q=&limit=1", ["empty"]),
            ("?q=2&version=%3C3", ["v2"]),
            ("?kind=local&sort=-name", ["v3", "v2", "v1", "empty"]), ("?kind=synced", []),
            ("?sort=createdAt", ["v1", "v2", "v3", "empty"]), ("?sort=-createdAt", ["empty", "v3", "v2", "v1"]),
            ("?q=v&sort=-createdAt", ["v3", "v2", "v1"]), ("?label=ring:0&sort=-name", ["v1", "empty"]),
            ("?lastJob=none", ["empty", "v1", "v2", "v3"]), ("?lastJob=failed,running", []),
        ] as [(String, [String])])
    func `has those that stand at a version, and have a label`(query: String, expected: [String]) throws {
        #expect(try names(query) == expected)
    }

    @Test func `has the same by version once realms were counted, and whatever changed after that`() throws {
        let queries = ["2", "%3C3", "%3C%3D3", "%3E%3D2", "!%3D2", "9", "%3C3&limit=1", "%3E0&sort=-createdAt"]
        let before = try queries.map { try names("?version=\($0)&total=true") }
        try server.store.maintenance.count()
        #expect(try queries.map { try names("?version=\($0)&total=true") } == before)
        let members = Samples.realm().members?.filter { $0.name != "schemaVersion" } ?? []
        let realm = JSONValue.object([JSONMember("schemaVersion", .int(2))] + members)
        for name in ["v3", "a"] { #expect(try server.upload(realm.encoded(), to: "\(path)/\(name)").status == 201) }
        for _ in 0..<2 {
            #expect(try names("?version=2") == ["a", "v2", "v3"])
            #expect(try names("?version=2&limit=1") == ["a"])
            #expect(try names("?version=2&sort=-name") == ["v3", "v2", "a"])
            #expect(try names("?version=%3E2") == [])
            #expect(try server.send("GET", "\(path)?version=2&total=true&limit=1").json["total"]?["count"] == 3)
            try server.store.maintenance.count()
        }
    }

    @Test func `goes on where a page ended, with the same condition`() throws {
        let first = try server.send("GET", "\(path)?version=%3E%3D2&limit=1").json
        let next = try #require(first["next"]?.string)
        #expect(try names("?version=%3E%3D2&limit=1&cursor=\(next)") == ["v3"])
    }

    @Test(arguments: [
        "?version=three", "?version=", "?version=%3C", "?label=ring", "?label=:0", "?label=a:%01", "?version=%3C%3C1",
        "?q=%C3%A4", "?q=%00", "?kind=both", "?lastJob=", "?lastJob=failed,lost", "?sort=version", "?total=yes",
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

    @Test func `counts what is on all pages`() throws {
        let total = try server.send("GET", "\(path)?limit=1&total=true").json["total"]
        #expect(total == ["count": 4, "isExact": true])
        #expect(try server.send("GET", "\(path)?q=v&total=true").json["total"]?["count"] == 3)
        #expect(try server.send("GET", "\(path)?lastJob=none&label=ring:0&total=true").json["total"]?["count"] == 2)
        #expect(try server.send("GET", path).json["total"] == nil)
    }

    @Test func `has those whose last job stands somewhere, page by page in each order`() throws {
        for (name, ends) in [("v1", "failed"), ("v2", "cancelled"), ("v3", "queued")] {
            let made = try server.send(
                "POST", "\(path)/\(name)/migrations", ["targetVersion": 9, "schema": Samples.grownSchema])
            #expect(made.status == 202)
            if ends == "cancelled" {
                _ = try server.send("POST", "/v1/jobs/\(made.json["id"]?.string ?? "")/cancel")
            } else if ends == "failed" {
                try server.pool.withConnection {
                    try $0.execute(
                        script: """
                            UPDATE job SET state = 'failed', finished_at = now(),
                                problem = '{"status": 422, "code": "x", "detail": "y"}' WHERE state = 'queued'
                            """)
                }
            }
        }
        #expect(try names("?lastJob=failed") == ["v1"])
        #expect(try names("?lastJob=queued") == ["v3"])
        #expect(try names("?lastJob=succeeded,running") == [])
        #expect(try names("?lastJob=failed,cancelled,queued&q=v&version=%3C3") == ["v1", "v2"])
        #expect(try names("?lastJob=failed,none&sort=-name") == ["v1", "empty"])
        for order in ["name", "-name", "createdAt", "-createdAt"] {
            let whole = try names("?lastJob=cancelled,failed&sort=\(order)")
            #expect(Set(whole) == ["v1", "v2"])
            let first = try server.send("GET", "\(path)?lastJob=cancelled,failed&sort=\(order)&limit=1").json
            let next = try #require(first["next"]?.string)
            #expect(try names("?lastJob=cancelled,failed&sort=\(order)&limit=1&cursor=\(next)") == [whole[1]])
        }
    }

    @Test func `one realm has all that the list has of it, and another tag when its last job goes on`() throws {
        let listed = try server.send("GET", path).json["items"]?.elements ?? []
        for item in listed {
            #expect(try server.send("GET", "\(path)/\(item["name"]?.string ?? "")").json == item)
        }
        let before = try #require(try server.send("GET", "\(path)/v1").fields["etag"])
        let job = try server.send("POST", "\(path)/v1/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        let read = try server.send("GET", "\(path)/v1", fields: [("If-None-Match", before)])
        #expect(read.status == 200 && read.json["lastJob"]?["id"] == job.json["id"])
        // A change is made on the realm's own state, which a job has not changed yet.
        let labelled = try server.send(
            "PUT", "\(path)/v1", ["labels": ["ring": "7"]], fields: [("If-Match", before)])
        #expect(labelled.status == 200)
        let again = try server.send("PUT", "\(path)/v1", ["labels": ["ring": "8"]], fields: [("If-Match", before)])
        #expect(again.problem == "precondition_failed")
    }
}
