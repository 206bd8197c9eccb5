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

    @Test func `a link that both sides lose takes no value with it that one side alone has`() throws {
        let team: JSONValue = ["name": "Team", "primaryKey": "_id", "properties": ["_id": "int"]]
        func member(_ name: String, age: String) -> JSONValue {
            let link: JSONValue = ["type": "object", "objectType": "Team", "optional": true]
            return [
                "name": .string(name), "primaryKey": "_id",
                "properties": ["_id": "int", "age": .string(age), "team": link],
            ]
        }
        let server = try PartnerServer(
            [team, member("Member", age: "int")], ["Team": [["_id": 7]], "Member": [["_id": 1, "age": -1, "team": 7]]])
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Member", "partner": member("Member2", age: "string"),
                "forward": "o => ({ age: o.age < 0 ? 'unknown' : String(o.age), team: o.team })",
                "backward": "o => ({ age: o.age === 'unknown' ? 0 : Number(o.age), team: o.team })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(id)
        #expect(try server.delete("Team", 7).status == 201)
        #expect(try server.object("Member", 1) == ["_id": 1, "age": -1, "team": .null])
        #expect(try server.object("Member2", 1) == ["_id": 1, "age": "unknown", "team": .null])
        #expect(try server.send("GET", "/partners/\(id)/violations").json["items"]?.elements?.count == 1)
        #expect(try server.send("POST", "/partners/\(id)/cut-over").status == 409)
    }

    @Test func `what follows from a link that both sides lose is written to both`() throws {
        func member(_ name: String, _ more: [JSONMember]) -> JSONValue {
            [
                "name": .string(name), "primaryKey": "_id",
                "properties": .object([JSONMember("_id", "int"), JSONMember("teams", "Team[]")] + more),
            ]
        }
        let server = try PartnerServer(
            [
                ["name": "Team", "primaryKey": "_id", "properties": ["_id": "int"]],
                member("Member", [JSONMember("isAlone", "bool")]),
            ],
            ["Team": [["_id": 7], ["_id": 8]], "Member": [["_id": 1, "teams": [7, 8], "isAlone": false]]])
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Member", "partner": member("Member2", [JSONMember("count", "int")]),
                "forward": "o => ({ teams: o.teams, count: o.teams.length })",
                "backward": "o => ({ teams: o.teams, isAlone: o.teams.length < 2 })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(id)
        #expect(try server.delete("Team", 7).status == 201)
        #expect(try server.object("Member", 1) == ["_id": 1, "teams": [8], "isAlone": true])
        #expect(try server.object("Member2", 1) == ["_id": 1, "teams": [8], "count": 1])
        let partner = try server.partner(id)
        #expect(partner["divergent"]?["count"] == 0 && partner["violationCount"] == 0, "\(partner)")
    }

    /// An API with members of teams and their partners, whose count of teams follows from the list and whose text goes both ways.
    private static func members(fills: Bool = true) throws -> (server: PartnerServer, partner: String) {
        func member(_ name: String, _ more: [JSONMember]) -> JSONValue {
            [
                "name": .string(name), "primaryKey": "_id",
                "properties": .object([JSONMember("_id", "int"), JSONMember("text", "string")] + more),
            ]
        }
        let team: JSONValue = ["name": "Team", "primaryKey": "_id", "properties": ["_id": "int"]]
        let link: JSONValue = ["type": "object", "objectType": "Team", "optional": true]
        let server = try PartnerServer(
            [team, member("Member", [JSONMember("teams", "Team[]"), JSONMember("lead", "int?")])],
            [
                "Team": [["_id": 7], ["_id": 8]],
                "Member": [["_id": 1, "text": "a", "teams": [7, 8], "lead": 7]],
            ])
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Member",
                "partner": member(
                    "Member2", [JSONMember("count", "int"), JSONMember("note", "string?"), JSONMember("lead", link)]),
                "forward": "o => ({ text: o.text, count: o.teams.length, lead: o.lead })",
                "backward": "o => ({ text: o.text, lead: o.lead })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        if fills { try server.fill(id) }
        return (server, id)
    }

    @Test(arguments: [true, false])
    func `a link that an object loses is followed where the batch names its partner`(isFilled: Bool) throws {
        let (server, id) = try Self.members(fills: isFilled)
        let batch: JSONValue = [
            "upserts": [["class": "Member2", "object": ["_id": 1, "text": "b", "note": "n"]]],
            "deletes": [["class": "Team", "key": 8]],
        ]
        let changed = try server.send("POST", "/changes", batch)
        #expect(changed.status == 201, "\(changed.json)")
        #expect(try server.object("Member", 1) == ["_id": 1, "text": "b", "teams": [7], "lead": 7])
        let partner = try server.object("Member2", 1)
        #expect(partner?["text"] == "b" && partner?["count"] == 1 && partner?["note"] == "n")
        if !isFilled { try server.fill(id) }
        #expect(try server.object("Member2", 1) == ["_id": 1, "text": "b", "count": 1, "note": "n", "lead": 7])
        let listed = try server.partner(id)
        #expect(listed["divergent"]?["count"] == 0 && listed["violationCount"] == 0, "\(listed)")
    }

    @Test func `a property that the batch gives the partner stays where a lost link would change it`() throws {
        let (server, id) = try Self.members()
        let batch: JSONValue = [
            "upserts": [["class": "Member2", "object": ["_id": 1, "count": 2]]],
            "deletes": [["class": "Team", "key": 8]],
        ]
        #expect(try server.send("POST", "/changes", batch).status == 201)
        #expect(try server.object("Member2", 1)?["count"] == 2)
        #expect(try server.partner(id)["divergent"]?["count"] == 1)
    }

    @Test func `a link that a partner loses is followed where the batch names its object`() throws {
        let (server, id) = try Self.members()
        let batch: JSONValue = [
            "upserts": [["class": "Member", "object": ["_id": 1, "text": "b"]]],
            "deletes": [["class": "Team", "key": 7]],
        ]
        #expect(try server.send("POST", "/changes", batch).status == 201)
        #expect(try server.object("Member", 1) == ["_id": 1, "text": "b", "teams": [8], "lead": .null])
        let partner = try server.object("Member2", 1)
        #expect(partner == ["_id": 1, "text": "b", "count": 1, "note": .null, "lead": .null])
        let listed = try server.partner(id)
        #expect(listed["divergent"]?["count"] == 0 && listed["violationCount"] == 0, "\(listed)")
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

    /// A change of its partner makes one before the batch is done, and what is found of that is of no object any more.
    @Test func `an object that a batch deletes with a change of its waiting partner is listed nowhere`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(backward: "o => ({ name: 'lost' })", fills: false)
        for (number, name) in [(1, "Person"), (2, "PersonV2")] as [(Int64, String)] {
            let batch: JSONValue = [
                "upserts": [["class": "PersonV2", "object": ["_id": .int(number), "email": "x"]]],
                "deletes": [["class": .string(name), "key": .int(number)]],
            ]
            let answer = try server.send("POST", "/changes", batch)
            #expect(answer.status == 201, "\(answer.json)")
        }
        #expect(try server.send("GET", "/partners/\(id)/violations").json["items"] == [])
        try server.fill(id)
        let listed = try server.send("GET", "/partners/\(id)/violations").json["items"]?.elements
        #expect(listed?.map { $0["key"] } == [0])
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

    @Test func `defaults that both sides are given stay, and what follows from them is written`() throws {
        let server = try PartnerServer()
        try server.makePartner(forward: Self.ranked, backward: Self.unranked)
        func ranked(_ schema: JSONValue, _ rank: JSONValue) -> JSONValue {
            let properties = schema["properties"]?.adding([JSONMember("rank", ["type": "int", "default": rank])])
            return [
                "name": schema["name"] ?? .null, "primaryKey": "_id", "properties": properties ?? .null,
            ]
        }
        let body: JSONValue = [
            "schema": [ranked(PartnerServer.person, 5), ranked(PartnerServer.newPerson, 7)],
            "migration": ["applyDefaults": "existing"],
        ]
        #expect(try server.send("POST", "/migrations", body).status == 202)
        #expect(try server.endedJob()["state"] == "succeeded")
        #expect(try (0..<3).map { try server.object("PersonV2", $0)?["age"] } == ["25", "26", "27"])
        #expect(try server.object("PersonV2", 1)?["rank"] == 7)
        #expect(try server.object("Person", 1) == ["_id": 1, "name": "person 1", "age": 21, "rank": 5])
    }

    /// The function gives the same, though the schema says more of it by now.
    @Test func `defaults take no value with them where the partner's class grows as well`() throws {
        let server = try PartnerServer()
        try server.makePartner()
        #expect(try server.upsert("PersonV2", ["_id": 1, "age": "021"], version: 2).status == 201)
        let schema: JSONValue = [
            [
                "name": "Person", "primaryKey": "_id",
                "properties": ["_id": "int", "name": "string", "age": "int", "rank": ["type": "int", "default": 5]],
            ],
            [
                "name": "PersonV2", "primaryKey": "_id",
                "properties": [
                    "_id": "int", "name": ["type": "string", "indexed": true], "age": "string", "email": "string?",
                    "level": "int?",
                ],
            ],
        ]
        let body: JSONValue = ["schema": schema, "migration": ["applyDefaults": "existing"]]
        #expect(try server.send("POST", "/migrations", body).status == 202)
        let job = try server.endedJob()
        #expect(job["state"] == "succeeded", "\(job)")
        #expect(try server.object("Person", 1)?["rank"] == 5)
        #expect(try server.object("PersonV2", 1)?["age"] == "021")
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

    /// The API with a class `Item`, and notes with mixed values.
    private static func mixedServer() throws -> PartnerServer {
        let item: JSONValue = ["name": "Item", "primaryKey": "_id", "properties": ["_id": "int", "a": "int"]]
        let mixed: JSONValue = ["type": "mixed", "optional": true]
        let note: JSONValue = ["name": "Note", "primaryKey": "_id", "properties": ["_id": "int", "value": mixed]]
        return try PartnerServer([item, note], ["Item": [["_id": 1, "a": 1]]], versions: [[item, note]])
    }

    private static func makeItems(_ server: PartnerServer) throws -> String {
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Item",
                "partner": ["name": "Item2", "primaryKey": "_id", "properties": ["_id": "int", "b": "string"]],
                "forward": "o => ({ b: String(o.a) })", "backward": "o => ({ a: Number(o.b) })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(id)
        return id
    }

    @Test func `mixed links to a partner that is taken back go, and followers hear of that`() throws {
        let server = try Self.mixedServer()
        let id = try Self.makeItems(server)
        let link: JSONValue = ["$ref": "Item2", "$id": 1]
        #expect(try server.upsert("Note", ["_id": 2, "value": link]).status == 201)
        let before = try #require(try server.send("GET").json["currentSnapshot"]?.string)
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        let told = String(decoding: try server.send("GET", "/changes?since=\(before)").body, as: UTF8.self)
        #expect(told.contains(#""object":{"_id":2,"value":null}"#), "\(told)")
        _ = try Self.makeItems(server)
        #expect(try server.object("Note", 2) == ["_id": 2, "value": .null])
        let current = try #require(try server.send("GET").json["currentSnapshot"]?.string)
        let file = try server.server.send("GET", "/v1/snapshots/\(current)/content?format=realm")
        #expect(file.status == 200)
    }

    @Test func `a recovery leaves out mixed links to what left the schema`() throws {
        let server = try Self.mixedServer()
        let id = try Self.makeItems(server)
        #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).json["state"] == "done")
        let change: JSONValue = [
            "upserts": [["class": "Note", "object": ["_id": 2, "value": ["$ref": "Item", "$id": 1]]]]
        ]
        let leftOut = try server.replay(change, of: 1)["leftOut"]?.elements
        #expect(leftOut?.map { [$0["key"], $0["property"]] } == [[2, "value"]])
    }

    /// The key alone would come back as a text.
    @Test func `a mixed link is given to no function, however deep it is`() throws {
        let tag: JSONValue = ["name": "Tag", "primaryKey": "_id", "properties": ["_id": "string"]]
        let mixed: JSONValue = ["type": "mixed", "optional": true]
        let inner: JSONValue = ["name": "E", "embedded": true, "properties": ["m": mixed]]
        let inside: JSONValue = ["type": "object", "objectType": "E", "optional": true]
        func item(_ name: JSONValue) -> JSONValue {
            ["name": name, "primaryKey": "_id", "properties": ["_id": "int", "a": "int", "e": inside]]
        }
        let server = try PartnerServer(
            [tag, inner, item("Item")], ["Tag": [["_id": "x"]], "Item": [["_id": 1, "a": 1, "e": ["m": 7]]]])
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Item", "partner": item("Item2"), "forward": "o => ({ a: o.a, e: o.e })",
                "backward": "o => ({ a: o.a, e: o.e })",
            ])
        try server.fill(try #require(made.json["id"]?.string, "\(made.json)"))
        let linked = try server.upsert("Item", ["_id": 1, "e": ["m": ["$ref": "Tag", "$id": "x"]]])
        #expect(linked.status == 422, "\(linked.json)")
        #expect(linked.json["errors"]?.elements?.first?["property"] == "e", "\(linked.json)")
        #expect(try server.object("Item2", 1)?["e"] == ["m": 7])
    }

    @Test func `embedded objects that are given again as they are differ in nothing`() throws {
        let part: JSONValue = ["name": "Part", "embedded": true, "properties": ["n": "int"]]
        let inner: JSONValue = ["name": "E", "embedded": true, "properties": ["n": "int", "more": "Part[]"]]
        let item: JSONValue = [
            "name": "Item", "primaryKey": "_id",
            "properties": [
                "_id": "int", "e": ["type": "object", "objectType": "E", "optional": true], "list": "E[]",
                "byName": ["type": "dictionary", "objectType": "E"],
            ],
        ]
        func object(_ number: JSONValue) -> JSONValue {
            let inside: JSONValue = ["n": number, "more": [["n": 2]]]
            return ["_id": 1, "e": inside, "list": [inside, inside], "byName": ["a": inside, "b": .null]]
        }
        let server = try PartnerServer([part, inner, item], ["Item": [object(1)]])
        func current() throws -> String { try #require(try server.send("GET").json["currentSnapshot"]?.string) }
        let before = try current()
        #expect(try server.upsert("Item", object(1)).status == 201)
        let same = try server.server.send("GET", "/v1/snapshots/\(before)/diff/\(try current())/objects?class=Item")
        #expect(same.json["items"] == [], "\(same.json)")
        #expect(try server.upsert("Item", object(3)).status == 201)
        let other = try server.server.send("GET", "/v1/snapshots/\(before)/diff/\(try current())/objects?class=Item")
        #expect(other.json["items"]?.elements?.count == 1, "\(other.json)")
        #expect(try server.object("Item", 1) == object(3))
    }
}
