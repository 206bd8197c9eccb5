import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// No write of a partner is lost, and no side is left as it was.
@Suite struct PartnerConsequenceTests {
    @Test func `after an abort clients of the partner class are refused`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner()
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        let answers = [
            try server.send("GET", "/objects/PersonV2", version: 2), try server.send("GET", "/changes", version: 2),
            try server.upsert("PersonV2", ["_id": 1, "age": "42"], version: 2),
        ]
        #expect(answers.map(\.status) == [409, 409, 409])
        #expect(answers.allSatisfy { $0.problem == "client_reset_required" })
        #expect(try server.object("Person", 1)?["age"] == 21)
        #expect(try server.send("GET", "/objects/Person", version: 1).status == 200)
    }

    @Test func `deleting a partner that waits to be made deletes both sides`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(fills: false)
        let batch: JSONValue = ["deletes": [["class": "PersonV2", "key": 1]]]
        let deleted = try server.send("POST", "/changes", batch, version: 2)
        #expect(deleted.status == 201 && deleted.json["applied"] == 1, "\(deleted.json)")
        try server.fill(id)
        #expect(try server.object("Person", 1) == nil)
        #expect(try server.object("PersonV2", 1) == nil)
    }

    @Test func `a batch that deletes the other side of what it makes comes to the same each time`() throws {
        let server = try PartnerServer()
        try server.makePartner()
        let batch: JSONValue = [
            "upserts": [["class": "PersonV2", "object": ["_id": 9, "name": "nine", "age": "9"]]],
            "deletes": [["class": "Person", "key": 9]],
        ]
        for _ in 0..<2 {
            #expect(try server.send("POST", "/changes", batch).status == 201)
            #expect(try server.object("Person", 9) == nil)
            #expect(try server.object("PersonV2", 9) == nil)
        }
    }

    @Test func `functions that make a primary key of more than the other one are refused`() throws {
        let server = try PartnerServer()
        let texts: JSONValue = [
            "name": "PersonV2", "primaryKey": "_id", "properties": ["_id": "string", "name": "string"],
        ]
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Person", "partner": texts, "forward": "o => ({ _id: o.name + '-' + o._id, name: o.name })",
                "backward": "o => ({ _id: Number(o._id.split('-')[1]), name: o.name })",
            ])
        #expect(made.status == 422, "\(made.json)")
        #expect(try server.send("GET", "/partners").json["items"] == [])
    }

    /// Adds a rank to persons, which all are given.
    private func giveRanks(_ server: PartnerServer, _ fields: [JSONMember] = []) throws -> JSONValue {
        let grown: JSONValue = [
            "name": "Person", "primaryKey": "_id",
            "properties": [
                "_id": "int", "name": "string", "age": "int", "rank": ["type": "int", "default": 5],
            ],
        ]
        let body: JSONValue = [
            "schema": [grown, PartnerServer.newPerson], "migration": ["applyDefaults": "existing"],
        ]
        let asked = try server.send("POST", "/migrations", body.adding(fields))
        #expect(asked.status == 202, "\(asked.json)")
        return try server.endedJob()
    }

    private static let ranked = "o => ({ name: o.name, age: String(o.age + (o.rank ?? 0)) })"
    private static let unranked = "o => ({ name: o.name })"

    @Test(arguments: [true, false]) func `defaults that a migration gives to objects reach the partner`(isFilled: Bool)
        throws
    {
        let server = try PartnerServer()
        let id = try server.makePartner(forward: Self.ranked, backward: Self.unranked, fills: isFilled)
        #expect(try server.upsert("Person", ["_id": 1, "name": "one"]).status == 201)
        let before = try server.send("GET").json["currentSnapshot"]?.string ?? ""
        #expect(try giveRanks(server)["state"] == "succeeded")
        try server.fill(id)
        #expect(try (0..<3).map { try server.object("PersonV2", $0)?["age"] } == ["25", "26", "27"])
        let feed = try server.send("GET", "/changes?since=\(before)", version: 2)
        let told = String(decoding: feed.body, as: UTF8.self)
        #expect(told.contains("\"age\":\"26\""), "\(told)")
        #expect(try server.partner(id)["violationCount"] == 0)
    }

    @Test func `defaults for which the partner's function fails are refused with the object's key`() throws {
        let server = try PartnerServer()
        try server.makePartner(
            forward:
                "o => { if (o.rank && o._id === 1) throw new Error('no rank'); return { name: o.name, age: String(o.age) } }"
        )
        let job = try giveRanks(server)
        #expect(job["state"] == "failed", "\(job)")
        #expect(job["error"]?["detail"]?.string?.contains("no rank") == true, "\(job)")
        #expect(job["error"]?["errors"]?.elements?.first?["primaryKey"] == 1, "\(job)")
        #expect(try server.object("Person", 1)?["rank"] == nil)
    }

    @Test func `an empty batch makes no snapshot`() throws {
        let server = try PartnerServer()
        let before = try server.send("GET").json["currentSnapshot"]
        for batch in [[:], ["upserts": []], ["upserts": [], "deletes": []]] as [JSONValue] {
            let answer = try server.send("POST", "/changes", batch)
            #expect(answer.status == 200 && answer.json["id"] == before, "\(answer.json)")
        }
        #expect(try server.send("GET").json["currentSnapshot"] == before)
    }
}
