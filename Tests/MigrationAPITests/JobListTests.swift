import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `The list of jobs` {
    private let server: APIServer

    /// Six migrations, one a minute from noon on, of which every second one failed, and a rehearsal of them all.
    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema])
        for number in 0..<6 {
            let realm = "/v1/apps/shop/realms/r\(number)"
            _ = try server.upload(Samples.realm().encoded(), to: realm)
            #expect(try server.send("POST", "\(realm)/migrations", ["targetVersion": 2]).status == 202)
        }
        #expect(try server.send("POST", "/v1/apps/shop/rehearsals", ["targetVersion": 2]).status == 202)
        try server.pool.withConnection {
            try $0.execute(
                script: """
                    UPDATE job SET created_at = '2026-01-01T12:00:00Z'::timestamptz
                        + coalesce(right(realm_name, 1)::int, 6) * interval '1 minute';
                    UPDATE job SET state = 'failed', finished_at = now(),
                        problem = '{"status": 422, "code": "x", "detail": "y"}' WHERE realm_name IN ('r1', 'r3', 'r5')
                    """)
        }
    }

    private func realms(_ query: String) throws -> [String?] {
        let answer = try server.send("GET", "/v1/jobs?\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return (answer.json["items"]?.elements ?? []).map { $0["realm"]?.string }
    }

    @Test(
        arguments: [
            ("state=failed", ["r5", "r3", "r1"]), ("state=failed,queued&kind=migration&limit=3", ["r5", "r4", "r3"]),
            ("sort=createdAt&limit=2", ["r0", "r1"]), ("kind=rehearsal", [nil]), ("kind=fleet", []),
            ("since=2026-01-01T12:04:00Z&kind=migration", ["r5", "r4"]),
            ("until=2026-01-01T12:02:00Z", ["r1", "r0"]), ("app=shop&realm=r2&state=queued", ["r2"]),
            ("since=2026-01-01T12:01:00Z&until=2026-01-01T12:05:00Z&sort=createdAt&state=failed", ["r1", "r3"]),
            ("app=shop&fleet=0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000", []),
        ] as [(String, [String?])])
    func `has those that agree with all that is asked for`(query: String, expected: [String?]) throws {
        #expect(try realms(query) == expected)
    }

    @Test(arguments: ["createdAt", "-createdAt"]) func `goes on where a page ended`(order: String) throws {
        var (found, cursor): ([String?], String) = ([], "")
        repeat {
            let query = "state=failed,queued&kind=migration&limit=4&sort=\(order)\(cursor)"
            found += try realms(query)
            let next = try server.send("GET", "/v1/jobs?\(query)").json["next"]?.string
            cursor = next.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        let expected = (0..<6).map { "r\($0)" as String? }
        #expect(found == (order == "createdAt" ? expected : expected.reversed()))
    }

    @Test func `counts what is on all pages`() throws {
        for (query, count) in [("", 7), ("&state=failed", 3), ("&kind=migration&app=shop", 6)] as [(String, JSONValue)]
        {
            let total = try server.send("GET", "/v1/jobs?limit=1&total=true\(query)").json["total"]
            #expect(total == ["count": count, "isExact": true])
        }
    }

    @Test(arguments: [
        "state=", "state=failed,lost", "kind=job", "fleet=7&app=shop", "fleet=0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000",
        "since=yesterday", "until=2026", "sort=name", "total=1",
    ])
    func `takes no condition that is none`(query: String) throws {
        #expect(try server.send("GET", "/v1/jobs?\(query)").problem == "invalid_parameter")
    }
}
