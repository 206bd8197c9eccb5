import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// A batch that names an object on both sides: each side keeps what it was given, and gets the rest from the other.
@Suite struct PartnerBothSidesTests {
    private static func send(_ upserts: [(String, JSONValue)], to server: PartnerServer) throws -> SocketResponse {
        let upserts = upserts.map { ["class": .string($0), "object": $1] as JSONValue }
        return try server.send("POST", "/changes", ["upserts": .array(upserts)])
    }

    @Test(arguments: [1, 9], [(true, true), (true, false), (false, true)])
    func `loses nothing that either side was given`(
        id: Int64, by way: (isFilled: Bool, oldFirst: Bool)
    ) throws {
        let server = try PartnerServer()
        try server.makePartner(fills: way.isFilled)
        let pair: [(String, JSONValue)] = [
            ("Person", ["_id": .int(id), "age": 50]), ("PersonV2", ["_id": .int(id), "name": "new", "email": "e"]),
        ]
        let changed = try Self.send(way.oldFirst ? pair : pair.reversed(), to: server)
        #expect(changed.status == 201 && changed.json["applied"] == 2, "\(changed.json)")
        #expect(try server.object("Person", Int(id)) == ["_id": .int(id), "name": "new", "age": 50])
        let partner: JSONValue = ["_id": .int(id), "name": "new", "age": "50", "email": "e"]
        #expect(try server.object("PersonV2", Int(id)) == partner)
    }

    @Test func `gives the other side what the partner alone was not given`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner()
        let changed = try Self.send(
            [("Person", ["_id": 1, "age": 50]), ("PersonV2", ["_id": 1, "email": "e"])], to: server)
        #expect(changed.status == 201, "\(changed.json)")
        #expect(try server.object("Person", 1) == ["_id": 1, "name": "person 1", "age": 50])
        #expect(try server.object("PersonV2", 1) == ["_id": 1, "name": "person 1", "age": "50", "email": "e"])
        let partner = try server.partner(id)
        #expect(partner["divergent"]?["count"] == 0 && partner["violations"] == [])
    }

    @Test(arguments: [true, false], [true, false])
    func `takes what one side changes where the other's upsert changes nothing`(
        isOldChanged: Bool, isFilled: Bool
    ) throws {
        let server = try PartnerServer()
        try server.makePartner(fills: isFilled)
        let age = try #require(try server.object("Person", 1)?["age"]?.int)
        let upserts: [(String, JSONValue)] =
            isOldChanged
            ? [("PersonV2", ["_id": 1, "name": "person 1"]), ("Person", ["_id": 1, "age": 77])]
            : [("Person", ["_id": 1, "age": .int(age)]), ("PersonV2", ["_id": 1, "name": "new"])]
        let changed = try Self.send(upserts, to: server)
        #expect(changed.status == 201, "\(changed.json)")
        let (name, years): (JSONValue, Int64) = isOldChanged ? ("person 1", 77) : ("new", age)
        #expect(try server.object("Person", 1) == ["_id": 1, "name": name, "age": .int(years)])
        let partner = try server.object("PersonV2", 1)
        #expect(partner?["name"] == name && partner?["age"] == .string("\(years)"))
    }

    @Test(arguments: [1, 9], [true, false])
    func `is refused where its sides contradict each other`(id: Int64, isFilled: Bool) throws {
        let server = try PartnerServer()
        try server.makePartner(fills: isFilled)
        let before = try server.object("Person", Int(id))
        let refused = try Self.send(
            [("PersonV2", ["_id": .int(id), "age": "51"]), ("Person", ["_id": .int(id), "age": 50])], to: server)
        #expect(refused.status == 422 && refused.problem == "partner_contradiction", "\(refused.json)")
        let errors = refused.json["errors"]?.elements ?? []
        #expect(errors.map { $0["class"] } == ["Person", "PersonV2"])
        #expect(errors.map { $0["property"] } == ["age", "age"])
        #expect(errors.map { $0["primaryKey"] } == [.int(id), .int(id)])
        #expect(errors.map { $0["pointer"] } == ["/upserts/1/object", "/upserts/0/object"])
        #expect(try server.object("Person", Int(id)) == before)
        let agreed = try Self.send(
            [("PersonV2", ["_id": .int(id), "age": "50"]), ("Person", ["_id": .int(id), "age": 50])], to: server)
        #expect(agreed.status == 201, "\(agreed.json)")
        #expect(try server.object("Person", Int(id))?["age"] == 50)
    }

    @Test func `keeps a value that functions lose, and lists it`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(
            forward: "o => ({ name: o.name, age: o.age < 0 ? 'unknown' : String(o.age) })",
            backward: "o => ({ name: o.name, age: o.age === 'unknown' ? 0 : Number(o.age) })")
        let changed = try Self.send(
            [("Person", ["_id": 1, "age": -1]), ("PersonV2", ["_id": 1, "email": "e"])], to: server)
        #expect(changed.status == 201, "\(changed.json)")
        #expect(try server.object("Person", 1)?["age"] == -1)
        #expect(try server.object("PersonV2", 1)?["age"] == "unknown")
        let violations = try server.send("GET", "/partners/\(id)/violations").json["items"]?.elements ?? []
        #expect(violations.map { $0["before"] } == [["age": -1]])
    }

    @Test func `has a link to what the same batch makes`() throws {
        func schema(_ name: String) -> JSONValue {
            [
                "name": .string(name), "primaryKey": "_id",
                "properties": [
                    "_id": "int", "age": "int",
                    "friend": ["type": "object", "objectType": .string(name), "optional": true],
                ],
            ]
        }
        let server = try PartnerServer([schema("Person")], ["Person": [["_id": 1, "age": 1, "friend": .null]]])
        let same: JSONValue = "o => ({ age: o.age, friend: o.friend })"
        let made = try server.send(
            "POST", "/partners",
            ["class": "Person", "partner": schema("PersonV2"), "forward": same, "backward": same])
        try server.fill(try #require(made.json["id"]?.string, "\(made.json)"))
        let changed = try Self.send(
            [
                ("Person", ["_id": 1, "friend": 2]), ("PersonV2", ["_id": 1, "age": 7]), ("Person", ["_id": 2]),
                ("PersonV2", ["_id": 3, "friend": 1]), ("Person", ["_id": 3, "age": 3]),
            ], to: server)
        #expect(changed.status == 201, "\(changed.json)")
        for name in ["Person", "PersonV2"] {
            #expect(try server.object(name, 1) == ["_id": 1, "age": 7, "friend": 2], "\(name)")
            #expect(try server.object(name, 3) == ["_id": 3, "age": 3, "friend": 1], "\(name)")
        }
    }

    @Test func `contradicts nothing within one object of a class that has both, where the partner counts`() throws {
        let server = try PartnerServer()
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Person", "property": "age",
                "partner": ["name": "Person", "properties": ["years": "string", "note": "string?"]],
                "forward": "o => ({ years: String(o.age) })", "backward": "o => ({ age: Number(o.years) })",
            ])
        try server.fill(try #require(made.json["id"]?.string, "\(made.json)"))
        // Nothing contradicts the age.
        #expect(try Self.send([("Person", ["_id": 1, "age": 7, "note": "n"])], to: server).status == 201)
        #expect(
            try server.object("Person", 1) == ["_id": 1, "name": "person 1", "age": 7, "years": "7", "note": "n"])
        #expect(try Self.send([("Person", ["_id": 1, "age": 7, "years": "8"])], to: server).status == 201)
        #expect(try server.object("Person", 1)?["age"] == 8)
        let refused = try Self.send(
            [("Person", ["_id": 1, "age": 9]), ("Person", ["_id": 1, "years": "10"])], to: server)
        #expect(refused.problem == "partner_contradiction", "\(refused.json)")
        #expect(try server.object("Person", 1)?["age"] == 8)
    }

    @Test func `finds the other side by a key of another type`() throws {
        let server = try PartnerServer()
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Person",
                "partner": [
                    "name": "PersonV2", "primaryKey": "_id",
                    "properties": ["_id": "string", "age": "int", "email": "string?"],
                ],
                "forward": "o => ({ _id: `p${o._id}`, age: o.age })",
                "backward": "o => ({ _id: Number(o._id.slice(1)), age: o.age })",
            ])
        try server.fill(try #require(made.json["id"]?.string, "\(made.json)"))
        let changed = try Self.send(
            [("PersonV2", ["_id": "p1", "email": "e"]), ("Person", ["_id": 1, "age": 50])], to: server)
        #expect(changed.status == 201, "\(changed.json)")
        #expect(try server.object("Person", 1)?["age"] == 50)
        #expect(try server.send("GET", "/objects/PersonV2/p1").json["age"] == 50)
    }
}
