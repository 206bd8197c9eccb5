import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Partner classes and properties, through a socket, with functions in real hosts.
@Suite struct PartnerResourceTests {
    private static func text(_ object: JSONValue?) -> String {
        object.map { String(decoding: $0.encoded(), as: UTF8.self) } ?? "none"
    }

    @Test(arguments: ["list", "set", "dictionary", "object"])
    func `has links of its own that are none at first`(kind: String) throws {
        let link: JSONValue = [
            "type": .string(kind), "objectType": "Person", "optional": .bool(kind != "list" && kind != "set"),
        ]
        let partner: JSONValue = [
            "name": "PersonV2", "primaryKey": "_id", "properties": ["_id": "int", "age": "string", "friends": link],
        ]
        let server = try PartnerServer()
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Person", "partner": partner, "forward": "o => ({ age: String(o.age) })",
                "backward": "o => ({ age: Number(o.age) })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(id)
        #expect(try server.partner(id)["state"] == "dual")
        let friends: JSONValue = kind == "object" ? .null : kind == "dictionary" ? [:] : []
        #expect(try server.object("PersonV2", 1) == ["_id": 1, "age": "21", "friends": friends])
    }

    @Test func `gives every object that is there its partner`() throws {
        let server = try PartnerServer(persons: 5)
        let id = try server.makePartner()
        for number in 0..<5 {
            let found = try server.object("PersonV2", number)
            #expect(found?["age"] == .string("\(20 + number)"), "\(Self.text(found))")
            #expect(found?["name"] == .string("person \(number)"))
        }
        let partner = try server.partner(id)
        #expect(partner["backfill"] == ["pass": "objects", "done": 5, "total": 5])
        #expect(partner["divergent"] == ["count": 0, "keys": []])
        #expect(partner["violations"] == [])
    }

    @Test func `writes both sides from the moment it is made, before anything is filled`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(fills: false)
        #expect(try server.partner(id)["state"] == "preparing")
        #expect(try server.upsert("Person", ["_id": 1, "age": 99], version: 1).status == 201)
        #expect(try server.object("PersonV2", 1)?["age"] == "99")
        #expect(try server.object("PersonV2", 0) == nil)
        try server.fill(id)
        #expect(try server.object("PersonV2", 1)?["age"] == "99")
        #expect(try server.object("PersonV2", 0)?["age"] == "20")
    }

    @Test func `a change to either side reaches the other in the same snapshot`() throws {
        let server = try PartnerServer()
        try server.makePartner()
        let old = try server.upsert("Person", ["_id": 1, "name": "Ada", "age": 36], version: 1)
        let first = try #require(old.json["id"]?.string)
        let seen = try server.server.send("GET", "/v1/snapshots/\(first)/objects/PersonV2/1").json
        #expect((seen["name"], seen["age"]) == ("Ada", "36"))
        let new = try server.upsert("PersonV2", ["_id": 1, "age": "37", "email": "a@b.c"], version: 2)
        let second = try #require(new.json["id"]?.string, "\(new.json)")
        let back = try server.server.send("GET", "/v1/snapshots/\(second)/objects/Person/1").json
        #expect((back["name"], back["age"]) == ("Ada", 37))
    }

    @Test func `creations and deletions go over, both ways`() throws {
        let server = try PartnerServer()
        try server.makePartner()
        try server.upsert("Person", ["_id": 10, "name": "old", "age": 1], version: 1)
        try server.upsert("PersonV2", ["_id": 11, "name": "new", "age": "2"], version: 2)
        #expect(try server.object("PersonV2", 10)?["age"] == "1")
        #expect(try server.object("Person", 11)?["age"] == 2)
        try server.delete("Person", 11, version: 1)
        try server.delete("PersonV2", 10, version: 2)
        for name in ["Person", "PersonV2"] {
            for number in [10, 11] { #expect(try server.object(name, number) == nil, "\(name) \(number)") }
        }
    }

    @Test func `what backward leaves out stays, and what forward leaves out too`() throws {
        let server = try PartnerServer()
        try server.makePartner(backward: "o => ({ age: Number(o.age) })")
        try server.upsert("PersonV2", ["_id": 1, "name": "other", "age": "5", "email": "x@y.z"], version: 2)
        #expect(try server.object("Person", 1)?["name"] == "person 1")
        try server.upsert("Person", ["_id": 1, "age": 6], version: 1)
        let partner = try server.object("PersonV2", 1)
        #expect((partner?["age"], partner?["email"]) == ("6", "x@y.z"))
    }

    @Test func `primary keys of another type go over, and so do deletions`() throws {
        let server = try PartnerServer()
        let texts: JSONValue = [
            "name": "PersonV2", "primaryKey": "_id", "properties": ["_id": "string", "name": "string"],
        ]
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Person", "partner": texts, "forward": "o => ({ _id: `p${o._id}`, name: o.name })",
                "backward": "o => ({ _id: Number(o._id.slice(1)), name: o.name })",
            ])
        #expect(made.status == 201, "\(made.json)")
        try server.fill(try #require(made.json["id"]?.string))
        #expect(try server.send("GET", "/objects/PersonV2/p2").json["name"] == "person 2")
        let batch: JSONValue = ["upserts": [["class": "PersonV2", "object": ["_id": "p7", "name": "seven"]]]]
        #expect(try server.send("POST", "/changes", batch).status == 201)
        #expect(try server.object("Person", 7)?["name"] == "seven")
        try server.delete("Person", 2)
        #expect(try server.send("GET", "/objects/PersonV2/p2").status == 404)
    }

    @Test func `a function that fails for a change refuses the batch, with the key`() throws {
        let server = try PartnerServer()
        try server.makePartner(
            forward: "o => { if (o.age < 0) throw new Error('no such age'); return { name: o.name, age: `${o.age}` } }")
        let before = try server.object("Person", 1)
        let refused = try server.send(
            "POST", "/changes",
            [
                "upserts": [
                    ["class": "Person", "object": ["_id": 0, "age": 1]],
                    ["class": "Person", "object": ["_id": 1, "age": -1]],
                ]
            ], version: 1)
        #expect(refused.status == 422, "\(refused.json)")
        #expect(refused.json["code"] == "script_failed")
        #expect(refused.json["errors"]?.elements?.first?["primaryKey"] == 1)
        #expect(try server.object("Person", 1) == before)
        #expect(try server.object("Person", 0)?["age"] == 20)
    }

    @Test func `a function that takes too long refuses the batch, with the key`() throws {
        let server = try PartnerServer()
        try server.makePartner(
            forward: "o => { while (o.age < 0); return { name: o.name, age: `${o.age}` } }")
        let refused = try server.upsert("Person", ["_id": 1, "age": -1], version: 1)
        #expect(refused.status == 422, "\(refused.json)")
        #expect(refused.json["code"] == "script_timeout")
        #expect(refused.json["errors"]?.elements?.first?["primaryKey"] == 1)
    }

    @Test func `functions that fail for every object fail the job, and say why`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(forward: "o => { throw new Error('no such thing') }", fills: false)
        #expect(try server.endedJob()["state"] == "failed")
        let partner = try server.partner(id)
        #expect(partner["state"] == "preparing", "\(partner)")
        #expect(partner["error"]?["detail"]?.string?.contains("no such thing") == true, "\(partner)")
        #expect(partner["violationCount"] == 3)
        #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).problem == "partner_state")
        #expect(try server.send("POST", "/partners/\(id)/abort").json["state"] == "aborted")
    }

    @Test func `an embedded object is whole though a function leaves out what is empty`() throws {
        func home(_ collection: String?) -> JSONValue {
            let link: JSONValue = ["type": "object", "objectType": "Home", "optional": true]
            return collection.map {
                ["type": .string($0), "objectType": "Home", "optional": .bool($0 == "dictionary")]
            } ?? link
        }
        let embedded: JSONValue = [
            "name": "Home", "embedded": true, "properties": ["street": "string", "zip": "string?", "tags": "string[]"],
        ]
        let first: JSONValue = [
            "name": "First", "primaryKey": "_id",
            "properties": ["_id": "int", "home": home(nil), "homes": home("list"), "named": home("dictionary")],
        ]
        let second: JSONValue = [
            "name": "Second", "primaryKey": "_id",
            "properties": ["_id": "int", "home": "string", "homes": "string[]", "named": "string{}"],
        ]
        func whole(_ street: String, _ zip: JSONValue = nil) -> JSONValue {
            ["street": .string(street), "zip": zip, "tags": []]
        }
        let server = try PartnerServer(
            [embedded, first],
            [
                "First": [
                    ["_id": 1, "home": whole("a"), "homes": [whole("b")], "named": ["k": whole("c")]],
                    ["_id": 2, "home": whole("a", "1"), "homes": [], "named": [:]],
                ]
            ], versions: [[embedded, first], [embedded, first, second]])
        let id = try server.makePartner(
            of: "First", as: second,
            forward: """
                o => ({ home: o.home.street, homes: o.homes.map(h => h.street),
                  named: Object.fromEntries(Object.entries(o.named).map(([k, h]) => [k, h.street])) })
                """,
            backward: """
                o => ({ home: { street: o.home }, homes: o.homes.map(street => ({ street })),
                  named: Object.fromEntries(Object.entries(o.named).map(([k, street]) => [k, { street }])) })
                """)
        let violations = try server.send("GET", "/partners/\(id)/violations").json["items"]?.elements ?? []
        #expect(violations.map { $0["key"] } == [2], "\(violations)")
        #expect(violations.first?["before"]?["home"]?["zip"] == "1")
        let after = violations.first?["after"]?["home"]
        #expect((after?["street"], after?["zip"], after?["tags"]) == ("a", .null, []), "\(violations)")
    }

    @Test func `an object that no function can be given has no partner, and the others have`() throws {
        func side(_ name: String) -> JSONValue {
            ["name": .string(name), "primaryKey": "_id", "properties": ["_id": "int", "n": "int", "m": "mixed"]]
        }
        let server = try PartnerServer(
            [side("First")],
            [
                "First": [
                    ["_id": 1, "n": 1, "m": ["$ref": "First", "$id": 3]], ["_id": 3, "n": 3], ["_id": 4, "n": 4],
                ]
            ],
            versions: [[side("First")], [side("First"), side("Second")]])
        let function = "o => ({ n: o.n })"
        let id = try server.makePartner(of: "First", as: side("Second"), forward: function, backward: function)
        let violations = try server.send("GET", "/partners/\(id)/violations").json["items"]?.elements ?? []
        #expect(violations.map { $0["key"] } == [1])
        #expect(violations.first?["reason"] == "A mixed value that links to an object can't be given to a function.")
        let made = try server.send("GET", "/objects/Second").json["items"]?.elements ?? []
        #expect(made.map { $0["_id"] } == [3, 4])
        #expect(try server.upsert("First", ["_id": 1, "n": 5], version: 1).status == 422)
        #expect(try server.upsert("First", ["_id": 1, "n": 5, "m": nil], version: 1).status == 201)
        #expect(try server.object("Second", 1)?["n"] == 5)
        #expect(try server.partner(id)["violationCount"] == 0)
    }

    @Test func `objects that do not come back as they were are listed, and keep it from the cut-over`() throws {
        let server = try PartnerServer(persons: 4) { .int($0 == 2 ? 1000 : Int64($0)) }
        let id = try server.makePartner(
            forward: "o => { if (o.age === 3) throw new Error('odd'); return { name: o.name, age: `${o.age % 100}` } }")
        let violations = try server.send("GET", "/partners/\(id)/violations").json["items"]?.elements ?? []
        #expect(violations.map { $0["key"] } == [2, 3])
        #expect((violations[0]["before"], violations[0]["after"]) == (["age": 1000], ["age": 0]))
        #expect(violations[1]["reason"] == "odd")
        let refused = try server.send("POST", "/partners/\(id)/cut-over", [:])
        #expect((refused.status, refused.json["code"]) == (409, "partner_state"))

        // One is mended, the other accepted.
        try server.upsert("Person", ["_id": 3, "age": 4], version: 1)
        #expect(try server.object("PersonV2", 3)?["age"] == "4")
        #expect(try server.partner(id)["violationCount"] == 1)
        #expect(try server.send("POST", "/partners/\(id)/cut-over", ["accept": [3]]).status == 409)
        let done = try server.send("POST", "/partners/\(id)/cut-over", ["accept": [2]])
        #expect((done.status, done.json["state"]) == (200, "done"), "\(done.json)")
    }

    @Test func `names the objects whose sides hold something else`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner()
        try server.upsert("PersonV2", ["_id": 1, "age": "007"], version: 2)
        #expect(try server.partner(id)["divergent"] == ["count": 1, "keys": [1]])
        let found = try server.send("GET", "/partners/\(id)/divergent").json["items"]?.elements?.first
        #expect((found?["before"], found?["after"]) == (["age": "007"], ["age": "7"]))
        try server.upsert("PersonV2", ["_id": 1, "age": "7"], version: 2)
        #expect(try server.partner(id)["divergent"] == ["count": 0, "keys": []])
    }

    @Test func `after the cut-over the class is gone, and its versions have to begin anew`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner()
        #expect(try server.upsert("Person", ["_id": 1, "age": 5], version: 1).status == 201)
        let seen = try server.partner(id)["oldVersionsSeen"]?.elements?.map { $0["version"] }
        #expect(seen == [1])
        #expect(try server.send("POST", "/partners/\(id)/cut-over").json["state"] == "done")
        let refused = try server.upsert("Person", ["_id": 1, "age": 6], version: 1)
        #expect((refused.status, refused.json["code"]) == (409, "client_reset_required"), "\(refused.json)")
        #expect(try server.object("PersonV2", 1)?["age"] == "5")
        #expect(try server.upsert("PersonV2", ["_id": 1, "age": "8"], version: 2).status == 201)
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 409)
    }

    @Test func `cuts over by itself when no old version was seen for a time`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(more: [JSONMember("cutOverAfterSeconds", 0.5)])
        try server.wait { try server.partner(id)["state"] == "done" }
    }

    @Test func `nothing is lost when it is taken back`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner()
        try server.upsert("PersonV2", ["_id": 1, "age": "77"], version: 2)
        try server.upsert("PersonV2", ["_id": 9, "name": "nine", "age": "9"], version: 2)
        let aborted = try server.send("POST", "/partners/\(id)/abort")
        #expect((aborted.status, aborted.json["state"]) == (200, "aborted"), "\(aborted.json)")
        #expect(try server.object("Person", 1)?["age"] == 77)
        #expect(try server.object("Person", 9)?["name"] == "nine")
        #expect(try server.send("GET", "/objects/PersonV2").status == 404)
        #expect(try server.upsert("Person", ["_id": 1, "age": 78], version: 1).status == 201)
    }

    @Test func `can be made again under its name when it was taken back`() throws {
        let server = try PartnerServer()
        let first = try server.makePartner(forward: "o => ({ name: o.name, age: `wrong ${o.age}` })")
        try server.upsert("PersonV2", ["_id": 9, "name": "nine", "age": "9", "email": "n@i.ne"], version: 2)
        let before = try #require(try server.send("GET").json["currentSnapshot"]?.string)
        #expect(try server.send("POST", "/partners/\(first)/abort").status == 200)
        try server.makePartner()
        #expect(try server.object("PersonV2", 1)?["age"] == "21")
        #expect(try server.object("PersonV2", 9)?["email"] == .null)
        let then = try server.server.send("GET", "/v1/snapshots/\(before)/objects/PersonV2/9").json
        #expect(then["email"] == "n@i.ne")
        try server.upsert("PersonV2", ["_id": 10, "name": "ten", "age": "10"], version: 2)
        #expect(try server.object("Person", 10)?["age"] == 10)
    }

    @Test func `can be made again when its objects lacked a value as it was taken back, and have gone since`() throws {
        let server = try PartnerServer(persons: 2)
        let id = try server.makePartner()
        let properties: JSONValue = [
            "_id": "int", "name": "string", "age": "string", "email": "string?", "level": "int",
        ]
        try server.migrate(to: [
            PartnerServer.person, ["name": "PersonV2", "primaryKey": "_id", "properties": properties],
        ])
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        for key in 0..<2 { #expect(try server.delete("Person", key).status == 201) }
        try server.makePartner()
        try server.upsert("Person", ["_id": 7, "name": "seven", "age": 7])
        #expect(try server.object("PersonV2", 7)?["age"] == "7")
    }

    @Test func `does not take the name of a class whose objects are stored and left the schema`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner()
        #expect(try server.send("POST", "/partners/\(id)/cut-over").json["state"] == "done")
        let back = try server.send(
            "POST", "/partners",
            [
                "class": "PersonV2", "partner": PartnerServer.person, "forward": .string(PartnerServer.backward),
                "backward": .string(PartnerServer.forward),
            ])
        #expect((back.status, back.json["code"]) == (409, "partner_state"), "\(back.json)")
        #expect(back.json["detail"]?.string?.contains("take another name") == true)
    }

    @Test func `a partner property stands in for another of the same class`() throws {
        let server = try PartnerServer()
        let body: JSONValue = [
            "class": "Person", "property": "age",
            "partner": ["name": "Person", "primaryKey": "_id", "properties": ["_id": "int", "ageText": "string"]],
            "forward": "o => ({ ageText: `${o.age}` })", "backward": "o => ({ age: Number(o.ageText) })",
        ]
        let made = try server.send("POST", "/partners", body)
        #expect(made.status == 201, "\(made.json)")
        let id = try #require(made.json["id"]?.string)
        try server.fill(id)
        #expect(try server.object("Person", 2)?["ageText"] == "22")
        try server.upsert("Person", ["_id": 2, "age": 50], version: 1)
        #expect(try server.object("Person", 2)?["ageText"] == "50")
        try server.upsert("Person", ["_id": 2, "ageText": "51"])
        #expect(try server.object("Person", 2)?["age"] == 51)
        try server.upsert("Person", ["_id": 8, "name": "eight", "ageText": "8"])
        #expect(try server.object("Person", 8)?["age"] == 8)
        #expect(try server.send("POST", "/partners/\(id)/cut-over").json["state"] == "done")
        #expect(try server.object("Person", 2)?["age"] == nil)
        #expect(try server.object("Person", 2)?["ageText"] == "51")
    }

    @Test func `a partner property can be made again whatever objects lack, and has nothing of the first one`() throws {
        let server = try PartnerServer()
        func body(_ forward: String) -> JSONValue {
            [
                "class": "Person", "property": "age",
                "partner": ["name": "Person", "primaryKey": "_id", "properties": ["_id": "int", "ageText": "string"]],
                "forward": .string(forward), "backward": "o => ({ age: parseInt(o.ageText) })",
            ]
        }
        let first = try server.send("POST", "/partners", body("o => ({ ageText: `${o.age}` })"))
        try server.fill(try #require(first.json["id"]?.string, "\(first.json)"))
        #expect(try server.object("Person", 1)?["ageText"] == "21")
        let properties: JSONValue = ["_id": "int", "name": "string", "age": "int", "ageText": "string", "grade": "int"]
        try server.migrate(to: [["name": "Person", "primaryKey": "_id", "properties": properties]])
        let id = try #require(first.json["id"]?.string)
        #expect(try server.send("POST", "/partners/\(id)/abort").json["state"] == "aborted")
        #expect(try server.object("Person", 1)?["ageText"] == nil)
        let again = try server.send("POST", "/partners", body("o => o.age > 21 ? { ageText: `${o.age}!` } : {}"))
        #expect(again.status == 201, "\(again.json)")
        try server.fill(try #require(again.json["id"]?.string))
        for key in [1, 2] as [Int64] {
            #expect(try server.upsert("Person", ["_id": .int(key), "grade": 1]).status == 201)
        }
        #expect(try server.object("Person", 2)?["ageText"] == "22!")
        #expect(try server.object("Person", 1)?["ageText"] == "")
    }

    @Test func `links between partners go over, to objects that get theirs later as well`() throws {
        let server = try PartnerServer()
        let linked: JSONValue = [
            "name": "Node", "primaryKey": "_id", "properties": ["_id": "int", "next": "Node", "others": "Node[]"],
        ]
        let schema: JSONValue = [PartnerServer.person, linked]
        try server.migrate(to: schema)
        let nodes = (0..<4).map { number -> JSONValue in
            [
                "class": "Node",
                "object": ["_id": .int(Int64(number)), "next": .int(Int64((number + 1) % 4)), "others": [3, 0]],
            ]
        }
        let put = try server.send("POST", "/changes", ["upserts": .array(nodes)])
        #expect(put.status == 201, "\(put.json)")
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Node",
                "partner": [
                    "name": "Vertex", "primaryKey": "_id",
                    "properties": ["_id": "int", "next": "Vertex", "others": "Vertex[]"],
                ], "forward": "o => ({ next: o.next, others: o.others })",
                "backward": "o => ({ next: o.next, others: o.others })",
            ])
        #expect(made.status == 201, "\(made.json)")
        let id = try #require(made.json["id"]?.string)
        let early: JSONValue = ["_id": 20, "next": 1, "others": [2]]
        #expect(try server.upsert("Node", early).status == 201)
        try server.fill(id)
        #expect(try server.object("Vertex", 20) == early)
        for number in 0..<4 {
            let vertex = try server.object("Vertex", number)
            #expect(vertex?["next"] == .int(Int64((number + 1) % 4)))
            #expect(vertex?["others"] == [3, 0])
        }
        // Two that are new and link to one another.
        let ring = [(10, 11), (11, 10)].map { own, other -> JSONValue in
            ["class": "Node", "object": ["_id": .int(own), "next": .int(other), "others": [.int(other), 0]]]
        }
        #expect(try server.send("POST", "/changes", ["upserts": .array(ring)]).status == 201)
        #expect(try server.object("Vertex", 10)?["next"] == 11)
        #expect(try server.object("Vertex", 11)?["others"] == [10, 0])
        #expect(try server.partner(id)["violationCount"] == 0)
    }

    @Test(arguments: [
        (JSONMember("forward", "o => {"), 422, "script_syntax_error"),
        (JSONMember("backward", "5"), 422, "script_syntax_error"),
        (JSONMember("class", "Cat"), 422, "partner_invalid"),
        (JSONMember("partner", PartnerServer.person), 422, "partner_invalid"),
        (JSONMember("cutOverAfterSeconds", -1), 422, "malformed_document"),
        (JSONMember("more", 1), 400, "unknown_member"),
    ])
    func `is refused where it can't be`(member: JSONMember, status: Int, code: String) throws {
        let server = try PartnerServer()
        var members: [JSONMember] = [
            JSONMember("class", "Person"), JSONMember("partner", PartnerServer.newPerson),
            JSONMember("forward", "o => ({})"), JSONMember("backward", "o => ({})"),
        ]
        members.removeAll { $0.name == member.name }
        let refused = try server.send("POST", "/partners", .object(members + [member]))
        #expect((refused.status, refused.json["code"]?.string) == (status, code), "\(refused.json)")
    }

    @Test func `is one at a time for a class`() throws {
        let server = try PartnerServer()
        try server.makePartner()
        let body: JSONValue = [
            "class": "Person",
            "partner": ["name": "Other", "primaryKey": "_id", "properties": ["_id": "int"]],
            "forward": "o => ({})", "backward": "o => ({})",
        ]
        let refused = try server.send("POST", "/partners", body)
        #expect((refused.status, refused.json["code"]) == (409, "partner_state"), "\(refused.json)")
    }

    @Test func `keeps what would pass it by from its class`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner()
        let chain: JSONValue = [
            "class": "PersonV2",
            "partner": ["name": "PersonV3", "primaryKey": "_id", "properties": ["_id": "int"]],
            "forward": "o => ({})", "backward": "o => ({})",
        ]
        let refused = [
            try server.send("POST", "/partners", chain), try server.send("POST", "/sync/terminate", [:]),
        ]
        #expect(refused.map(\.status) == [409, 409], "\(refused.map(\.json))")
        #expect(refused.map { $0.json["code"] } == ["partner_state", "partner_state"])
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        #expect(try server.send("POST", "/sync/terminate", [:]).status == 200)
    }

    @Test func `says why where the schema has not both sides, and does not try for ever`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(fills: false)
        // No request leaves it so.
        try server.server.pool.withConnection { _ = try $0.execute("UPDATE partner SET class_name = 'Gone'") }
        let refused = try server.upsert("Person", ["_id": 1, "age": 5], version: 1)
        #expect((refused.status, refused.json["code"]) == (409, "partner_state"), "\(refused.json)")
        #expect(refused.json["detail"]?.string?.contains("There is no class 'Gone'") == true, "\(refused.json)")
        let job = try server.endedJob()
        #expect(job["state"] == "failed")
        #expect(job["error"]?["code"] == "partner_state", "\(job)")
        #expect(try server.partner(id)["state"] == "preparing")
    }

    @Test func `what the functions log is in the log of the job`() throws {
        let server = try PartnerServer(persons: 2)
        let id = try server.makePartner(
            forward: "o => { console.warn('there', o._id); return { name: o.name, age: `${o.age}` } }",
            backward: "o => { console.log('back', o._id); return { age: Number(o.age) } }")
        #expect(try server.partner(id)["state"] == "dual")
        let job = try #require(try server.endedJob()["id"]?.string)
        let log = try server.server.send("GET", "/v1/jobs/\(job)/log").json["items"]?.elements ?? []
        #expect(log.map { $0["text"] } == ["there 0", "there 1", "back 0", "back 1"], "\(log)")
    }
}
