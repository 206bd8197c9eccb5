import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Clients of a side that has left the schema get a recovery, which leads what they had not sent to the side that stayed.
@Suite struct PartnerRecoveryTests {
    private let server: PartnerServer

    init() throws {
        server = try PartnerServer()
    }

    /// Keeps and does the changes that a client of a version had not sent, and no more of them the second time.
    private func replay(_ changes: JSONValue, version: Int = 1) throws -> JSONValue {
        let done = try server.replay(changes, of: version)
        let again = try server.send("POST", "\(try server.recovery(of: version))/replay").json
        #expect(again["applied"] == 0 && again["leftOut"] == done["leftOut"])
        return done
    }

    private func cutOver(_ id: String, accepting keys: JSONValue = []) throws {
        let answer = try server.send("POST", "/partners/\(id)/cut-over", ["accept": keys])
        #expect(answer.json["state"] == "done", "\(answer.json)")
    }

    private func upsert(_ object: JSONValue, of name: String = "Person") -> JSONValue {
        ["upserts": [["class": .string(name), "object": object]]]
    }

    @Test func `after a cut-over an old client's changes go through forward`() throws {
        try cutOver(try server.makePartner())
        let done = try replay([
            "upserts": [
                ["class": "Person", "object": ["_id": 1, "age": 99]],
                ["class": "Person", "object": ["_id": 7, "name": "new", "age": 5]],
            ], "deletes": [["class": "Person", "key": 2], ["class": "Person", "key": 77]],
        ])
        #expect(done["applied"] == 3 && done["leftOut"] == [], "\(done)")
        #expect(
            try server.object("PersonV2", 1) == ["_id": 1, "name": "person 1", "age": "99", "email": .null])
        #expect(try server.object("PersonV2", 7) == ["_id": 7, "name": "new", "age": "5", "email": .null])
        #expect(try server.object("PersonV2", 2) == nil)
        #expect(try server.send("GET", "/objects/Person").problem == "class_not_found")
    }

    @Test func `what a change does not mean stays as it was written meanwhile`() throws {
        let id = try server.makePartner(
            forward: "o => ({ name: o.name, age: o.age < 0 ? 'unknown' : String(o.age) })",
            backward: "o => ({ name: o.name, age: o.age === 'unknown' ? 0 : Number(o.age) })")
        #expect(try server.upsert("Person", ["_id": 1, "age": -1]).status == 201)
        try cutOver(id, accepting: [1])
        #expect(try server.upsert("PersonV2", ["_id": 0, "name": "later", "age": "041"]).status == 201)
        _ = try replay([
            "upserts": [
                ["class": "Person", "object": ["_id": 0, "age": 41]],
                ["class": "Person", "object": ["_id": 1, "name": "renamed"]],
            ]
        ])
        #expect(try server.object("PersonV2", 0)?["age"] == "041")
        #expect(try server.object("PersonV2", 0)?["name"] == "later")
        #expect(try server.object("PersonV2", 1)?["age"] == "unknown")
        #expect(try server.object("PersonV2", 1)?["name"] == "renamed")
    }

    @Test func `an object that was deleted meanwhile is made anew of what was sent`() throws {
        try cutOver(try server.makePartner())
        #expect(try server.delete("PersonV2", 1).status == 201)
        #expect(try server.delete("PersonV2", 2).status == 201)
        let done = try replay([
            "upserts": [
                ["class": "Person", "object": ["_id": 1, "age": 9]],
                ["class": "Person", "object": ["_id": 2, "name": "again", "age": 8]],
            ]
        ])
        #expect(done["applied"] == 1)
        #expect(done["leftOut"]?.elements?.map { $0["key"] } == [1])
        #expect(try server.object("PersonV2", 1) == nil)
        #expect(try server.object("PersonV2", 2)?["name"] == "again")
    }

    @Test func `changes for which a function fails are left out with the reason, and the others are done`() throws {
        let id = try server.makePartner(
            forward: "o => { if (o.age > 90) throw new Error('too old'); return { name: o.name, age: String(o.age) } }",
            backward:
                "o => { if (o.age === '?') throw new Error('no age'); return { name: o.name, age: Number(o.age) } }")
        try cutOver(id)
        #expect(try server.upsert("PersonV2", ["_id": 2, "age": "?"]).status == 201)
        let done = try replay([
            "upserts": [
                ["class": "Person", "object": ["_id": 0, "age": 30]],
                ["class": "Person", "object": ["_id": 1, "age": 91]],
                ["class": "Person", "object": ["_id": 2, "age": 31]],
            ]
        ])
        #expect(done["applied"] == 1, "\(done)")
        let leftOut = done["leftOut"]?.elements ?? []
        #expect(leftOut.map { $0["key"] } == [2, 1])
        #expect(leftOut[0]["reason"]?.string?.contains("no age") == true)
        #expect(leftOut[1]["reason"]?.string?.contains("too old") == true)
        #expect(try ["30", "21", "?"] == (0..<3).map { try server.object("PersonV2", $0)?["age"] })
    }

    @Test func `after an abort a new client's changes go through backward`() throws {
        let id = try server.makePartner()
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        #expect(try server.upsert("Person", ["_id": 1, "name": "later"]).status == 201)
        let done = try replay(
            [
                "upserts": [
                    ["class": "PersonV2", "object": ["_id": 1, "age": "50"]],
                    ["class": "PersonV2", "object": ["_id": 8, "name": "eight", "age": "8", "email": "e@w.d"]],
                ], "deletes": [["class": "PersonV2", "key": 0]],
            ], version: 2)
        #expect(done["applied"] == 3, "\(done)")
        #expect(done["leftOut"]?.elements?.map { [$0["key"], $0["property"]] } == [[8, "email"]], "\(done)")
        #expect(try server.object("Person", 1) == ["_id": 1, "name": "later", "age": 50])
        #expect(try server.object("Person", 8) == ["_id": 8, "name": "eight", "age": 8])
        #expect(try server.object("Person", 0) == nil)
    }

    /// The same value means something else with other functions.
    @Test(arguments: [true, false]) func `changes under other functions of a partner that was made again are left out`(
        isSame: Bool
    ) throws {
        let id = try server.makePartner()
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        let path = try server.recovery(of: 2)
        let changes: JSONValue = [
            "upserts": [["class": "PersonV2", "object": ["_id": 1, "age": "50"]]],
            "deletes": [["class": "PersonV2", "key": 0]],
        ]
        #expect(try server.send("POST", "\(path)/changes", changes, version: 2).status == 201)
        if isSame {
            try server.makePartner()
        } else {
            try server.makePartner(
                forward: "o => ({ name: o.name, age: String(o.age * 12) })",
                backward: "o => ({ name: o.name, age: Number(o.age) / 12 })")
        }
        let done = try server.send("POST", "\(path)/replay").json
        let leftOut = done["leftOut"]?.elements ?? []
        #expect(done["applied"] == (isSame ? 2 : 0), "\(done)")
        #expect(leftOut.map { $0["key"] } == (isSame ? [] : [1, 0]), "\(done)")
        #expect(leftOut.allSatisfy { $0["reason"]?.string?.contains("other functions") == true }, "\(done)")
        #expect(try server.object("Person", 1)?["age"] == (isSame ? 50 : 21))
        #expect((try server.object("Person", 0) == nil) == isSame)
    }

    /// The new object has nothing to do with the one before it.
    @Test(arguments: [false, true]) func `nothing of an object that was deleted comes back with one under its key`(
        isText: Bool
    ) throws {
        let person = PartnerServer.person.adding([])
        let partner: JSONValue = [
            "name": "PersonV2", "primaryKey": "_id",
            "properties": ["_id": isText ? "string" : "int", "label": "string"],
        ]
        let server = try PartnerServer(
            [person], ["Person": [["_id": 1, "name": "Ada", "age": 36], ["_id": 2, "name": "Alan", "age": 41]]],
            versions: [[person], [partner]])
        let keys = isText ? ("_id: String(o._id), ", "_id: Number(o._id), ") : ("", "")
        let body: JSONValue = [
            "class": "Person", "partner": partner,
            "forward": .string("o => ({ \(keys.0)label: o.name + ' ' + o.age })"),
            "backward": .string("o => ({ \(keys.1)name: o.label.split(' ')[0] })"),
        ]
        let id = try #require(try server.send("POST", "/partners", body).json["id"]?.string)
        try server.fill(id)
        #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).json["state"] == "done")
        let key: JSONValue = isText ? "1" : 1
        let deleted: JSONValue = ["deletes": [["class": "PersonV2", "key": key]]]
        #expect(try server.send("POST", "/changes", deleted, version: 2).status == 201)
        let made: JSONValue = ["upserts": [["class": "PersonV2", "object": ["_id": key, "label": "Eve 7"]]]]
        #expect(try server.send("POST", "/changes", made, version: 2).status == 201)
        let change: JSONValue = ["upserts": [["class": "Person", "object": ["_id": 1, "name": "Eva"]]]]
        let done = try server.replay(change, of: 1)
        #expect(done["applied"] == 1, "\(done)")
        let labels = try server.send("GET", "/objects/PersonV2").json["items"]?.elements?.map { $0["label"] }
        #expect(labels == ["Alan 41", "Eva 0"], "\(done)")
    }

    @Test func `values of which the function makes nothing are told, and links to later objects can be taken back`()
        throws
    {
        let old: JSONValue = [
            "name": "Person", "primaryKey": "_id",
            "properties": [
                "_id": "int", "note": "string?",
                "friend": ["type": "object", "objectType": "Person", "optional": true],
            ],
        ]
        let new: JSONValue = [
            "name": "PersonV2", "primaryKey": "_id",
            "properties": ["_id": "int", "friend": ["type": "object", "objectType": "PersonV2", "optional": true]],
        ]
        let server = try PartnerServer([old], ["Person": [["_id": 1], ["_id": 2]]], versions: [[old], [new]])
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Person", "partner": new, "forward": "o => ({ friend: o.friend })",
                "backward": "o => ({ friend: o.friend })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(id)
        #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).json["state"] == "done")
        #expect(try server.upsert("PersonV2", ["_id": 3]).status == 201)
        #expect(try server.upsert("PersonV2", ["_id": 1, "friend": 3]).status == 201)
        let changes: JSONValue = [
            "upserts": [
                ["class": "Person", "object": ["_id": 1, "friend": .null]],
                ["class": "Person", "object": ["_id": 2, "note": "mine"]],
            ]
        ]
        let done = try server.replay(changes, of: 1)
        #expect(done["leftOut"]?.elements?.map { [$0["key"], $0["property"]] } == [[2, "note"]], "\(done)")
        #expect(try server.object("PersonV2", 1)?["friend"] == .null)
    }

    @Test func `upserts of a new object complete one another, and nothing is made up for one that lacks a value`()
        throws
    {
        try cutOver(try server.makePartner())
        let done = try replay([
            "upserts": [
                ["class": "Person", "object": ["_id": 7, "age": 7]],
                ["class": "Person", "object": ["_id": 7, "name": "n"]],
                ["class": "Person", "object": ["_id": 8, "name": "half"]],
            ]
        ])
        #expect(done["leftOut"]?.elements?.map { $0["key"] } == [8], "\(done)")
        #expect(try server.object("PersonV2", 7)?["age"] == "7")
        #expect(try server.object("PersonV2", 8) == nil)
    }

    @Test func `a class whose links led to one that left later is led over as well`() throws {
        let leaf: JSONValue = ["name": "Leaf", "primaryKey": "_id", "properties": ["_id": "int", "n": "int"]]
        let tree: JSONValue = [
            "name": "Tree", "primaryKey": "_id",
            "properties": [
                "_id": "int", "n": "int", "leaf": ["type": "object", "objectType": "Leaf", "optional": true],
            ],
        ]
        let leaf2: JSONValue = ["name": "Leaf2", "primaryKey": "_id", "properties": ["_id": "int", "n": "string"]]
        let tree2: JSONValue = [
            "name": "Tree2", "primaryKey": "_id",
            "properties": [
                "_id": "int", "n": "string", "leaf": ["type": "object", "objectType": "Leaf2", "optional": true],
            ],
        ]
        let server = try PartnerServer(
            [leaf, tree], ["Leaf": [["_id": 1, "n": 1]], "Tree": [["_id": 1, "n": 1, "leaf": 1]]],
            versions: [[leaf, tree], [leaf2, tree2]])
        var ids: [String] = []
        for (name, partner, link) in [("Leaf", leaf2, ""), ("Tree", tree2, ", leaf: o.leaf")] {
            let made = try server.send(
                "POST", "/partners",
                [
                    "class": .string(name), "partner": partner, "forward": .string("o => ({ n: String(o.n)\(link) })"),
                    "backward": .string("o => ({ n: Number(o.n)\(link) })"),
                ])
            ids.append(try #require(made.json["id"]?.string, "\(made.json)"))
            try server.fill(ids[ids.count - 1])
        }
        for id in ids.reversed() {
            #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).json["state"] == "done")
        }
        let changes: JSONValue = [
            "upserts": [
                ["class": "Tree", "object": ["_id": 1, "n": 5]], ["class": "Leaf", "object": ["_id": 2, "n": 2]],
                ["class": "Tree", "object": ["_id": 2, "n": 2, "leaf": 2]],
            ]
        ]
        let done = try server.replay(changes, of: 1)
        #expect(done["applied"] == 3 && done["leftOut"] == [], "\(done)")
        #expect(try server.object("Tree2", 1) == ["_id": 1, "n": "5", "leaf": 1])
        #expect(try server.object("Tree2", 2) == ["_id": 2, "n": "2", "leaf": 2])
    }

    /// Makes the name of the class a property in capitals, and cuts over to that.
    private func cutOverToLoudNames(_ name: String) throws {
        let made = try server.send(
            "POST", "/partners",
            [
                "class": .string(name), "property": "name",
                "partner": ["name": .string(name), "properties": ["loudName": "string"]],
                "forward": "o => ({ loudName: o.name.toUpperCase() })",
                "backward": "o => ({ name: o.loudName.toLowerCase() })",
            ])
        let id = try #require(made.json["id"]?.string)
        try server.fill(id)
        try cutOver(id)
    }

    @Test func `after the cut-over of a property its old values go through forward`() throws {
        try cutOverToLoudNames("Person")
        #expect(try server.upsert("Person", ["_id": 2, "loudName": "LATER"]).status == 201)
        let done = try replay([
            "upserts": [
                ["class": "Person", "object": ["_id": 1, "name": "ada"]],
                ["class": "Person", "object": ["_id": 2, "age": 3]],
                ["class": "Person", "object": ["_id": 5, "name": "new", "age": 5]],
            ]
        ])
        #expect(done["leftOut"] == [], "\(done)")
        #expect(try server.object("Person", 1) == ["_id": 1, "age": 21, "loudName": "ADA"])
        #expect(try server.object("Person", 2) == ["_id": 2, "age": 3, "loudName": "LATER"])
        #expect(try server.object("Person", 5) == ["_id": 5, "age": 5, "loudName": "NEW"])
    }

    @Test func `changes go through all partners that stood in one after the other`() throws {
        try cutOver(try server.makePartner())
        try cutOverToLoudNames("PersonV2")
        let texts: JSONValue = [
            "name": "PersonV3", "primaryKey": "_id",
            "properties": ["_id": "string", "loudName": "string", "age": "string"],
        ]
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "PersonV2", "partner": texts,
                "forward": "o => ({ _id: 'p' + o._id, loudName: o.loudName, age: o.age })",
                "backward": "o => ({ _id: Number(o._id.slice(1)), loudName: o.loudName, age: o.age })",
            ])
        let partner = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(partner)
        let changes: (Int64) -> JSONValue = { age in
            [
                "upserts": [
                    ["class": "Person", "object": ["_id": 1, "name": "ada", "age": .int(age)]],
                    ["class": "Person", "object": ["_id": .int(age), "name": "new", "age": .int(age)]],
                ], "deletes": [["class": "Person", "key": .int(age == 30 ? 2 : 0)]],
            ]
        }
        func third(_ key: String) throws -> JSONValue? {
            let found = try server.send("GET", "/objects/PersonV3/\(key)")
            guard found.status == 200 else { return .none }
            return found.json
        }
        // The last one is on its way, then it stands alone.
        #expect(try replay(changes(30))["applied"] == 3)
        #expect(try server.object("PersonV2", 1)?["loudName"] == "ADA")
        #expect(try third("p1") == ["_id": "p1", "loudName": "ADA", "age": "30"])
        #expect(try third("p30") == ["_id": "p30", "loudName": "NEW", "age": "30"])
        #expect(try server.object("PersonV2", 2) == nil)
        #expect(try third("p2") == nil)
        try cutOver(partner)
        #expect(try replay(changes(40))["applied"] == 3)
        #expect(try third("p1") == ["_id": "p1", "loudName": "ADA", "age": "40"])
        #expect(try third("p40") == ["_id": "p40", "loudName": "NEW", "age": "40"])
        #expect(try third("p0") == nil)
    }
}
