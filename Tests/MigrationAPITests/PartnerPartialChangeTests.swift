import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// A new app changes some of a partner that its object has not got yet: the rest is the object's, and no value of it is lost.
@Suite struct PartnerPartialChangeTests {
    private static func make(_ request: JSONValue, on server: PartnerServer) throws -> String {
        let made = try server.send("POST", "/partners", request)
        #expect(made.status == 201, "\(made.json)")
        return try #require(made.json["id"]?.string)
    }

    @Test func `of a partner class`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(fills: false)
        let changed = try server.upsert("PersonV2", ["_id": 1, "email": "a@b.c"], version: 2)
        #expect(changed.status == 201, "\(changed.json)")
        #expect(try server.object("Person", 1)?["age"] == 21)
        #expect(try server.object("Person", 1)?["name"] == "person 1")
        try server.fill(id)
        let partner = try server.object("PersonV2", 1)
        #expect((partner?["name"], partner?["age"], partner?["email"]) == ("person 1", "21", "a@b.c"))
    }

    @Test func `of one whose primary key has another type`() throws {
        let server = try PartnerServer()
        let texts: JSONValue = [
            "name": "PersonV2", "primaryKey": "_id",
            "properties": ["_id": "string", "name": "string", "age": "int", "email": "string?"],
        ]
        let id = try Self.make(
            [
                "class": "Person", "partner": texts,
                "forward": "o => ({ _id: `p${o._id}`, name: o.name, age: o.age })",
                "backward": "o => ({ _id: Number(o._id.slice(1)), name: o.name, age: o.age })",
            ], on: server)
        let batch: JSONValue = [
            "upserts": [
                ["class": "PersonV2", "object": ["_id": "p1", "email": "a@b.c"]],
                ["class": "PersonV2", "object": ["_id": "p7", "name": "seven", "age": 7]],
            ]
        ]
        let changed = try server.send("POST", "/changes", batch)
        #expect(changed.status == 201, "\(changed.json)")
        #expect(try server.object("Person", 1)?["age"] == 21)
        #expect(try server.object("Person", 1)?["name"] == "person 1")
        #expect(try server.object("Person", 7)?["name"] == "seven")
        try server.fill(id)
        let partner = try server.send("GET", "/objects/PersonV2/p1").json
        #expect((partner["name"], partner["age"], partner["email"]) == ("person 1", 21, "a@b.c"))
    }

    @Test func `of properties of the same class`() throws {
        let server = try PartnerServer()
        let added: JSONValue = ["name": "Person", "properties": ["first": "string", "last": "string"]]
        let id = try Self.make(
            [
                "class": "Person", "property": "name", "partner": added,
                "forward": "o => ({ first: o.name.split(' ')[0], last: o.name.split(' ')[1] })",
                "backward": "o => ({ name: `${o.first} ${o.last}` })",
            ], on: server)
        #expect(try server.upsert("Person", ["_id": 1, "last": "one"]).status == 201)
        #expect(try server.object("Person", 1)?["name"] == "person one")
        #expect(try server.object("Person", 1)?["first"] == "person")
        // A property that was written once is not given the object's former value again.
        #expect(try server.upsert("Person", ["_id": 1, "first": ""]).status == 201)
        #expect(try server.object("Person", 1)?["name"] == " one")
        #expect(try server.upsert("Person", ["_id": 1, "last": "two"]).status == 201)
        #expect(try server.object("Person", 1)?["name"] == " two")
        try server.fill(id)
        #expect(try server.object("Person", 1)?["name"] == " two")
        #expect(try server.object("Person", 2)?["last"] == "2")
    }
}
