import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// The rules that clients of a synced realm may rely on, one by one.
@Suite struct SyncedRuleTests {
    private static let team: JSONValue = [
        "name": "Team", "primaryKey": "_id", "properties": ["_id": "int", "name": "string?"],
    ]
    private static let badge: JSONValue = [
        "name": "Badge", "embedded": true,
        "properties": ["team": ["type": "object", "objectType": "Team", "optional": true], "zip": "string?"],
    ]
    private static let owner: JSONValue = [
        "name": "Owner", "primaryKey": "_id",
        "properties": [
            "_id": "int", "team": ["type": "object", "objectType": "Team", "optional": true],
            "badge": ["type": "object", "objectType": "Badge", "optional": true],
            "badges": ["type": "list", "objectType": "Badge"], "teams": ["type": "set", "objectType": "Team"],
        ],
    ]

    /// An owner of two badges with links to a team.
    private func owners(versions: [JSONValue] = []) throws -> PartnerServer {
        let badge: JSONValue = ["team": 1, "zip": "a"]
        return try PartnerServer(
            [Self.team, Self.badge, Self.owner],
            [
                "Team": [["_id": 1, "name": "one"], ["_id": 2, "name": "two"]],
                "Owner": [["_id": 1, "team": 1, "badge": badge, "badges": [badge, ["zip": "b"]], "teams": [1, 2]]],
            ], versions: versions)
    }

    private func snapshot(of server: PartnerServer) throws -> String {
        try #require(try server.send("GET").json["currentSnapshot"]?.string)
    }

    // MARK: A backfill never overwrites a client

    @Test func `a pass for links writes links alone, and none that a client gave`() throws {
        let node: JSONValue = [
            "name": "Node", "primaryKey": "_id",
            "properties": [
                "_id": "int", "n": "int", "next": ["type": "object", "objectType": "Node", "optional": true],
            ],
        ]
        let partner: JSONValue = [
            "name": "Node2", "primaryKey": "_id",
            "properties": [
                "_id": "int", "t": "string", "next": ["type": "object", "objectType": "Node2", "optional": true],
            ],
        ]
        let nodes = (0..<40).map { ["_id": .int($0), "n": .int($0), "next": .int(($0 + 1) % 40)] as JSONValue }
        let server = try PartnerServer([node], ["Node": .array(nodes)])
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Node", "partner": partner, "forward": "o => ({ t: String(o.n), next: o.next })",
                "backward": "o => ({ next: o.next })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        // Before the first pass, with links to what has no partner yet; between the passes comes what the worker lets in.
        #expect(try server.upsert("Node2", ["_id": 3, "t": "own", "next": 3]).status == 201)
        #expect(try server.upsert("Node2", ["_id": 5, "t": "mine"]).status == 201)
        try server.fill(id)
        #expect(try server.object("Node2", 3) == ["_id": 3, "t": "own", "next": 3])
        #expect(try server.object("Node2", 5) == ["_id": 5, "t": "mine", "next": 6])
        #expect(try server.object("Node2", 39) == ["_id": 39, "t": "39", "next": 0])
        #expect(try server.object("Node", 3)?["next"] == 3)
    }

    @Test func `a link that is given as it is shown is refused while its object's own waits for a target`() throws {
        let node: JSONValue = [
            "name": "Node", "primaryKey": "_id",
            "properties": ["_id": "int", "next": ["type": "object", "objectType": "Node", "optional": true]],
        ]
        let partner: JSONValue = [
            "name": "Node2", "primaryKey": "_id",
            "properties": ["_id": "int", "next": ["type": "object", "objectType": "Node2", "optional": true]],
        ]
        let server = try PartnerServer([node], ["Node": [["_id": 1, "next": 2], ["_id": 2]]])
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Node", "partner": partner, "forward": "o => ({ next: o.next })",
                "backward": "o => ({ next: o.next })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        let refused = try server.upsert("Node2", ["_id": 1, "next": .null])
        #expect(refused.status == 422 && refused.problem == "broken_link", "\(refused.json)")
        #expect(try server.object("Node", 1)?["next"] == 2)
        try server.fill(id)
        #expect(try server.object("Node2", 1) == ["_id": 1, "next": 2])
        #expect(try server.upsert("Node2", ["_id": 1, "next": .null]).status == 201)
        #expect(try server.object("Node", 1)?["next"] == .null)
    }

    // MARK: One delta with every consequence

    @Test func `a link that a deletion clears runs forward`() throws {
        let server = try owners()
        let partner: JSONValue = [
            "name": "Owner2", "primaryKey": "_id", "properties": ["_id": "int", "hasTeam": "bool", "badged": "bool"],
        ]
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Owner", "partner": partner,
                "forward": "o => ({ hasTeam: o.team !== null, badged: o.badge.team !== null })",
                "backward": "o => ({})",
            ])
        try server.fill(try #require(made.json["id"]?.string, "\(made.json)"))
        #expect(try server.object("Owner2", 1) == ["_id": 1, "hasTeam": true, "badged": true])
        #expect(try server.delete("Team", 1).status == 201)
        #expect(try server.object("Owner2", 1) == ["_id": 1, "hasTeam": false, "badged": false])
    }

    @Test func `the owner of an embedded object whose link was cleared is told, conflicts and differs`() throws {
        let server = try owners()
        let unlinked: JSONValue = ["_id": 1, "team": .null, "teams": []]
        #expect(try server.upsert("Owner", unlinked).status == 201)
        let before = try snapshot(of: server)
        #expect(try server.delete("Team", 1).status == 201)
        let after = try snapshot(of: server)
        let feed = try server.send("GET", "/changes?since=\(before)")
        #expect(String(decoding: feed.body, as: UTF8.self).contains("\"class\":\"Owner\",\"object\""))
        let old = try server.send(
            "POST", "/changes",
            ["base": .string(before), "upserts": [["class": "Owner", "object": ["_id": 1, "team": 2]]]])
        #expect(old.status == 409, "\(old.json)")
        let difference = try server.server.send("GET", "/v1/snapshots/\(before)/diff/\(after)").json
        let owners = difference["classes"]?.elements?.first { $0["class"] == "Owner" }
        #expect(owners?["changed"] == 1, "\(difference)")
        let objects = try server.server.send("GET", "/v1/snapshots/\(before)/diff/\(after)/objects?class=Owner").json
        #expect(objects["items"]?.elements?.first?["after"]?["badge"]?["team"] == .null, "\(objects)")
    }

    // MARK: Properties that a version does not show

    @Test func `a client that writes an embedded object keeps what its version does not show of it`() throws {
        let older: JSONValue = [
            "name": "Badge", "embedded": true,
            "properties": ["team": ["type": "object", "objectType": "Team", "optional": true]],
        ]
        let server = try owners(versions: [[Self.team, older, Self.owner], [Self.team, Self.badge, Self.owner]])
        let written = try server.upsert(
            "Owner", ["_id": 1, "badge": ["team": 2], "badges": [["team": 2], ["team": .null], ["team": 1]]], version: 1
        )
        #expect(written.status == 201, "\(written.json)")
        let owner = try server.object("Owner", 1)
        #expect(owner?["badge"] == ["team": 2, "zip": "a"], "\(owner ?? .null)")
        // In lists they are matched by their place; one past the old length is new.
        #expect(
            owner?["badges"] == [
                ["team": 2, "zip": "a"], ["team": .null, "zip": "b"], ["team": 1, "zip": .null],
            ])
    }

    @Test func `a client is shown no link to an object that it can't have`() throws {
        let server = try owners()
        let wanting: JSONValue = [
            "name": "Team", "primaryKey": "_id", "properties": ["_id": "int", "name": "string?", "size": "int"],
        ]
        try server.migrate(to: [wanting, Self.badge, Self.owner])
        #expect(try server.upsert("Team", ["_id": 2, "size": 3]).status == 201)
        let owner = try server.object("Owner", 1)
        #expect(owner?["team"] == .null && owner?["teams"] == [2], "\(owner ?? .null)")
    }

    @Test func `sets of links are compared as sets`() throws {
        let server = try owners()
        let partner: JSONValue = [
            "name": "Owner2", "primaryKey": "_id",
            "properties": ["_id": "int", "teams": ["type": "set", "objectType": "Team"]],
        ]
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Owner", "partner": partner, "forward": "o => ({ teams: o.teams.slice().reverse() })",
                "backward": "o => ({ teams: o.teams.slice().reverse() })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(id)
        #expect(try server.upsert("Owner", ["_id": 1, "teams": [2, 1]]).status == 201)
        #expect(try server.upsert("Owner2", ["_id": 1, "teams": [2, 1]]).status == 201)
        let partnerNow = try server.partner(id)
        #expect(partnerNow["violationCount"] == 0 && partnerNow["divergent"]?["count"] == 0, "\(partnerNow)")
    }

    // MARK: Bases and backfills

    @Test func `an added optional property or an index is no conflict with an older base`() throws {
        let server = try owners()
        let before = try snapshot(of: server)
        let grown: JSONValue = [
            "name": "Team", "primaryKey": "_id",
            "properties": [
                "_id": "int", "name": ["type": "string", "optional": true, "indexed": true], "motto": "string?",
            ],
        ]
        try server.migrate(to: [grown, Self.badge, Self.owner])
        let changed = try server.send(
            "POST", "/changes",
            ["base": .string(before), "upserts": [["class": "Team", "object": ["_id": 1, "name": "won"]]]])
        #expect(changed.status == 201, "\(changed.json)")
    }

    @Test func `a class with a partner can be backfilled, and the partner follows`() throws {
        let server = try PartnerServer()
        let forward = "o => ({ name: o.name, age: String(o.age + (o.rank ?? 0)) })"
        let id = try server.makePartner(forward: forward, backward: "o => ({ name: o.name })")
        let ranked: JSONValue = [
            "name": "Person", "primaryKey": "_id",
            "properties": ["_id": "int", "name": "string", "age": "int", "rank": "int"],
        ]
        try server.migrate(to: [ranked, PartnerServer.newPerson])
        let job = try server.server.send(
            "POST", PartnerServer.realm + "/backfills", ["class": "Person", "property": "rank", "value": 7],
            fields: [("Prefer", "wait=20")])
        #expect(job.json["state"] == "succeeded", "\(job.json)")
        #expect(try server.object("Person", 1)?["rank"] == 7)
        #expect(try server.object("PersonV2", 1)?["age"] == "28")
        #expect(try server.partner(id)["state"] == "dual")
    }

    // MARK: Limits

    @Test func `a batch above its limits is refused before it has its turn`() throws {
        let server = try owners()
        let operation: JSONValue = ["class": "Team", "key": 1]
        let deletes = JSONValue.array([JSONValue](repeating: operation, count: 100_001))
        let before = try snapshot(of: server)
        let refused = try server.send("POST", "/changes", ["deletes": deletes])
        #expect(refused.status == 413 || refused.status == 422, "\(refused.json)")
        #expect(refused.json["detail"]?.string?.contains("100000") == true, "\(refused.json)")
        #expect(try snapshot(of: server) == before)
    }
}
