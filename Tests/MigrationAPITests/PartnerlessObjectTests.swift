import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Changes of a new app for objects that have no partner, since a function fails for them: what they do not name is lost nowhere.
@Suite struct PartnerlessObjectTests {
    private static let forward =
        "o => { if (o.age === 99) throw Error('no'); return { name: o.name, age: String(o.age) } }"

    /// Persons of which the second is one that the function fails for.
    private static func server() throws -> PartnerServer {
        try PartnerServer { $0 == 1 ? 99 : .int(Int64(20 + $0)) }
    }

    @Test func `are refused where they name a part, and done where they name all`() throws {
        let server = try Self.server()
        try server.makePartner(forward: Self.forward)
        #expect(try server.object("PersonV2", 1) == nil)
        let refused = try server.upsert("PersonV2", ["_id": 1, "name": "one"], version: 2)
        #expect(refused.problem == "script_failed", "\(refused.json)")
        #expect(try server.object("Person", 1)?["age"] == 99)
        #expect(try server.object("Person", 1)?["name"] == "person 1")
        let whole: JSONValue = ["_id": 1, "name": "one", "age": "21", "email": .null]
        #expect(try server.upsert("PersonV2", whole, version: 2).status == 201)
        #expect(try server.object("Person", 1)?["age"] == 21)
        #expect(try server.upsert("PersonV2", ["_id": 9, "name": "new"], version: 2).status == 201)
    }

    @Test(arguments: [true, false]) func `of properties are likewise`(fills: Bool) throws {
        let server = try Self.server()
        let added: JSONValue = ["name": "Person", "properties": ["years": "string", "unit": "string"]]
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Person", "property": "age", "partner": added,
                "forward": "o => { if (o.age === 99) throw Error('no'); return { years: String(o.age), unit: 'y' } }",
                "backward": "o => ({ age: Number(o.years) })",
            ])
        #expect(made.status == 201, "\(made.json)")
        if fills { try server.fill(try #require(made.json["id"]?.string)) }
        #expect(try server.upsert("Person", ["_id": 1, "unit": "a"]).problem == "script_failed")
        #expect(try server.object("Person", 1)?["age"] == 99)
        #expect(try server.upsert("Person", ["_id": 2, "unit": "a"]).status == 201)
        #expect(try server.object("Person", 2)?["age"] == 22)
        guard fills else { return }
        #expect(try server.upsert("Person", ["_id": 1, "unit": "a", "years": "21"]).status == 201)
        #expect(try server.object("Person", 1)?["age"] == 21)
        #expect(try server.upsert("Person", ["_id": 1, "unit": "b"]).status == 201)
        #expect(try server.object("Person", 1)?["age"] == 21)
    }

    @Test(arguments: [true, false]) func `are left out of a recovery, and hinder no other`(fills: Bool) throws {
        let server = try Self.server()
        let id = try server.makePartner(forward: Self.forward)
        #expect(try server.send("POST", "/partners/\(id)/abort", [:]).json["state"] == "aborted")
        let path = try server.recovery(of: 2)
        for object in [["_id": 1, "name": "one"], ["_id": 2, "name": "two"]] as [JSONValue] {
            let batch: JSONValue = ["upserts": [["class": "PersonV2", "object": object]]]
            #expect(try server.send("POST", "\(path)/changes", batch, version: 2).status == 201)
        }
        try server.makePartner(forward: Self.forward, fills: fills)
        let done = try server.send("POST", "\(path)/replay")
        #expect(done.json["applied"] == 1, "\(done.json)")
        #expect(done.json["leftOut"]?.elements?.map { $0["key"] } == [1])
        #expect(done.json["leftOut"]?.elements?.first?["reason"] == "The partner's function fails: no")
        #expect(try server.object("Person", 1)?["age"] == 99)
        #expect(try server.object("Person", 2)?["name"] == "two")
        #expect(try server.object("Person", 2)?["age"] == 22)
    }
}
