import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// A replay says of every value whether it came to anything, and writes nothing that the changes do not mean.
@Suite struct PartnerReplayTests {
    /// A class with an integer for its primary key.
    private static func declared(_ name: String, _ properties: [JSONMember]) -> JSONValue {
        [
            "name": .string(name), "primaryKey": "_id",
            "properties": .object([JSONMember("_id", "int")] + properties),
        ]
    }

    /// The API with a class `A` of three objects.
    private static func server(versions: [JSONValue] = []) throws -> PartnerServer {
        let first = declared(
            "A", [JSONMember("name", "string"), JSONMember("n", "int"), JSONMember("tag", "string?")])
        let objects = (1...3).map { number -> JSONValue in
            [
                "_id": .int(Int64(number)), "name": .string("name \(number)"), "n": .int(Int64(number)),
                "tag": .null,
            ]
        }
        return try PartnerServer([first], ["A": .array(objects)], versions: [[first]] + versions)
    }

    /// Makes a partner, and cuts over to it where that is asked for.
    @discardableResult
    private func partner(
        _ server: PartnerServer, _ partner: JSONValue, of name: String, property: String? = nil, _ forward: String,
        _ backward: String, cutsOver: Bool = true
    ) throws -> String {
        let body =
            ([
                "class": .string(name), "partner": partner, "forward": .string(forward),
                "backward": .string(backward),
            ] as JSONValue).adding(property.map { [JSONMember("property", .string($0))] } ?? [])
        let made = try server.send("POST", "/partners", body)
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(id)
        if cutsOver {
            let ended = try server.send("POST", "/partners/\(id)/cut-over", [:])
            #expect(ended.json["state"] == "done", "\(ended.json)")
        }
        return id
    }

    /// Keeps and does the changes that a client had not sent.
    ///
    /// - Returns: how many objects were changed, and the keys and properties of what was left out of this batch.
    private func replay(
        _ server: PartnerServer, _ upserts: [JSONValue], of name: String = "A", version: Int = 1
    ) throws -> (applied: JSONValue?, leftOut: [[JSONValue]]) {
        let changes: JSONValue = ["upserts": .array(upserts.map { ["class": .string(name), "object": $0] })]
        let done = try server.replay(changes, of: version)
        let last = try server.send("GET", try server.recovery(of: version)).json["batches"]?.elements?.last
        let leftOut = (done["leftOut"]?.elements ?? []).filter { $0["ordinal"] == last?["ordinal"] }
        return (
            done["applied"],
            leftOut.map { [$0["key"] ?? .null, $0["property"] ?? .null] }
        )
    }

    @Test func `values that a function drops are told at every link of a chain, beside others that arrive`() throws {
        let server = try Self.server()
        let (name, n, tag) = (
            JSONMember("name", "string"), JSONMember("n", "int"), JSONMember("tag", "string?")
        )
        try partner(
            server, Self.declared("B", [name, n, tag]), of: "A", "o => ({ name: o.name, n: o.n, tag: o.tag })",
            "o => ({ name: o.name, n: o.n, tag: o.tag })")
        try partner(
            server, Self.declared("C", [name, n]), of: "B", "o => ({ name: o.name.toUpperCase(), n: o.n })",
            "o => ({ name: o.name.toLowerCase(), n: o.n })")
        let done = try replay(
            server,
            [
                ["_id": 1, "tag": "lost"], ["_id": 2, "tag": "lost", "name": "x"],
                ["_id": 8, "tag": "lost", "name": "x", "n": 8], ["_id": 9, "tag": .null, "name": "y", "n": 9],
                ["_id": 3, "tag": .null, "name": "z", "n": 3],
            ])
        #expect(done.applied == 5)
        #expect(done.leftOut == [[1, "tag"], [2, "tag"], [8, "tag"]])
        #expect(try ["NAME 1", "X", "Z", "X", "Y"] == [1, 2, 3, 8, 9].map { try server.object("C", $0)?["name"] })
    }

    @Test func `a value that matters together with another one is not told`() throws {
        let server = try Self.server()
        try partner(
            server, Self.declared("B", [JSONMember("text", "string"), JSONMember("isBig", "bool")]), of: "A",
            "o => ({ text: o.name + '/' + o.n, isBig: o.n > 100 || o.tag === 'big' })",
            "o => ({ name: o.text.split('/')[0], n: Number(o.text.split('/')[1]) })")
        let done = try replay(
            server, [["_id": 1, "n": 200, "tag": "big"], ["_id": 2, "name": "a", "tag": "small"]])
        #expect(done.leftOut == [[2, "tag"]])
        #expect(try server.object("B", 1) == ["_id": 1, "text": "name 1/200", "isBig": true])
    }

    @Test func `what an abort drops is told beside what it leads back`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner()
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        let done = try replay(
            server, [["_id": 1, "age": "55", "email": "x"], ["_id": 2, "email": "only"], ["_id": 0, "age": "bad"]],
            of: "PersonV2", version: 2)
        #expect(done.leftOut.map { $0[0] } == [0, 1, 2])
        #expect(done.leftOut.map { $0[1] } == [.null, "email", "email"])
        #expect(try server.object("Person", 1)?["age"] == 55)
        let batch = try server.send("GET", try server.recovery(of: 2)).json["batches"]
        let reason = batch?.elements?.first?["leftOut"]?.elements?.first?["reason"]?.string
        #expect(reason?.hasSuffix("got NaN") == true, "\(reason ?? "")")
    }

    @Test func `links to objects that a partner in preparation has not come to yet`() throws {
        let links = ["type": "set", "objectType": "A"] as JSONValue,
            others = ["type": "set", "objectType": "B"] as JSONValue
        let first = Self.declared("A", [JSONMember("n", "int"), JSONMember("s", links)])
        let second = Self.declared("B", [JSONMember("n", "int"), JSONMember("s", others)])
        let objects = (1...3).map { JSONValue.object([JSONMember("_id", .int($0)), JSONMember("n", .int($0))]) }
        let server = try PartnerServer([first], ["A": .array(objects)], versions: [[first], [second]])
        func makePartner() throws -> String {
            let function = "o => ({ n: o.n, s: o.s })"
            return try server.makePartner(of: "A", as: second, forward: function, backward: function, fills: false)
        }
        #expect(try server.send("POST", "/partners/\(try makePartner())/abort").status == 200)
        let recovery = try server.recovery(of: 2)
        let changes: JSONValue = ["upserts": [["class": "B", "object": ["_id": 1, "n": 11, "s": [2, 3]]]]]
        #expect(try server.send("POST", "\(recovery)/changes", changes, version: 2).status == 201)
        let again = try makePartner()
        let done = try server.send("POST", "\(recovery)/replay").json
        #expect((done["applied"], done["leftOut"]) == (1, []), "\(done)")
        #expect(try server.upsert("B", ["_id": 2, "s": [3, 9]], version: 2).problem == "broken_link")
        #expect(try server.upsert("B", ["_id": 2, "s": [3]], version: 2).status == 201)
        try server.fill(again)
        for name in ["A", "B"] {
            #expect(try server.object(name, 1) == ["_id": 1, "n": 11, "s": [2, 3]])
            #expect(try server.object(name, 2) == ["_id": 2, "n": 2, "s": [3]])
            #expect(try server.object(name, 3)?["n"] == 3)
        }
    }

    @Test func `a schema version stays as it is while a recovery keeps changes of its clients`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(fills: false)
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        let recovery = try server.recovery(of: 2)
        let changes: JSONValue = ["upserts": [["class": "PersonV2", "object": ["_id": 1, "age": "55"]]]]
        #expect(try server.send("POST", "\(recovery)/changes", changes, version: 2).status == 201)
        let path = "/v1/apps/shop/schemas/2"
        #expect(try server.server.send("DELETE", path).problem == "schema_version_in_use")
        #expect(
            try server.server.send("PUT", path, ["schema": [PartnerServer.person]]).problem == "schema_version_in_use")
        #expect(try server.send("POST", "\(recovery)/replay").json["applied"] == 1)
    }

    @Test func `an empty value reaches both sides of a property whose partner has not come to the object yet`() throws {
        func side(_ property: String) -> JSONValue {
            [
                "name": "First", "primaryKey": "_id",
                "properties": .object([JSONMember("_id", "int"), JSONMember(property, "string?")]),
            ]
        }
        let server = try PartnerServer(
            [side("a")], ["First": [["_id": 1, "a": "x"], ["_id": 2, "a": "y"]]], versions: [[side("a")], [side("b")]])
        func makePartner() throws -> String {
            try server.makePartner(
                of: "First", as: ["name": "First", "properties": ["b": "string?"]], forward: "o => ({ b: o.a })",
                backward: "o => ({ a: o.b })", more: [JSONMember("property", "a")], fills: false)
        }
        #expect(try server.send("POST", "/partners/\(try makePartner())/abort").status == 200)
        let recovery = try server.recovery(of: 2)
        let changes: JSONValue = ["upserts": [["class": "First", "object": ["_id": 1, "b": nil]]]]
        #expect(try server.send("POST", "\(recovery)/changes", changes, version: 2).status == 201)
        let again = try makePartner()
        let done = try server.send("POST", "\(recovery)/replay").json
        #expect((done["applied"], done["leftOut"]) == (1, []), "\(done)")
        try server.fill(again)
        for (key, value) in [(1, JSONValue.null), (2, "y")] as [(Int, JSONValue)] {
            let object = try server.object("First", key)
            #expect((object?["a"], object?["b"]) == (value, value), "\(String(describing: object))")
        }
        #expect(try server.partner(again)["violationCount"] == 0)
    }

    @Test func `an object is not new where a partner that is being prepared has not come to it yet`() throws {
        let server = try PartnerServer()
        let id = try server.makePartner(fills: false)
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        let recovery = try server.recovery(of: 2)
        let changes: JSONValue = [
            "upserts": [
                ["class": "PersonV2", "object": ["_id": 1, "age": "55"]],
                ["class": "PersonV2", "object": ["_id": 777, "age": "7"]],
            ]
        ]
        #expect(try server.send("POST", "\(recovery)/changes", changes, version: 2).status == 201)
        let again = try server.makePartner(fills: false)
        let done = try server.send("POST", "\(recovery)/replay").json
        #expect(try server.partner(again)["state"] == "preparing")
        #expect(done["leftOut"]?.elements?.map { [$0["key"], $0["property"]] } == [[777, "name"]], "\(done)")
        try server.fill(again)
        #expect(try server.object("Person", 1)?["age"] == 55)
        #expect(try server.object("PersonV2", 1)?["age"] == "55")
    }

    @Test func `values that are as they were, and those that have no function, are not told`() throws {
        let server = try Self.server()
        try partner(
            server, ["name": "A", "properties": ["nn": "string"]], of: "A", property: "n",
            "o => ({ nn: o.n < 0 ? '?' : String(o.n) })", "o => ({ n: o.nn === '?' ? 0 : Number(o.nn) })")
        let done = try replay(
            server,
            [
                ["_id": 1, "name": "new 1", "n": 1, "tag": "t"], ["_id": 2, "name": "new 2"],
                ["_id": 3, "name": "new 3", "n": 40],
            ])
        #expect(done.leftOut == [], "\(done)")
        #expect(try server.object("A", 1) == ["_id": 1, "name": "new 1", "tag": "t", "nn": "1"])
        #expect(try server.object("A", 3)?["nn"] == "40")
    }

    @Test func `an object that a left out upsert would have completed is left out, too`() throws {
        let old: JSONValue = [
            "name": "P", "primaryKey": "_id",
            "properties": ["_id": "int", "name": "string", "n": "int", "friend": "P"],
        ]
        let new: JSONValue = [
            "name": "Q", "primaryKey": "_id",
            "properties": ["_id": "int", "name": "string", "n": "int", "friend": "Q"],
        ]
        let pair = try PartnerServer([old], ["P": [["_id": 1, "name": "one", "n": 1]]], versions: [[old], [new]])
        let function = "o => ({ name: o.name, n: o.n, friend: o.friend })"
        try partner(pair, new, of: "P", function, function)
        let done = try replay(
            pair,
            [
                ["_id": 4, "n": 5], ["_id": 4, "name": "again", "n": 6, "friend": 9],
                ["_id": 5, "n": 5], ["_id": 5, "name": "five", "n": 6, "friend": 1],
            ], of: "P")
        #expect(done.leftOut == [[4, .null], [4, "name"]])
        #expect(try pair.object("Q", 4) == nil)
        #expect(try pair.object("Q", 5)?["name"] == "five")
        let shown = try pair.send("GET", try pair.recovery(of: 1)).json["batches"]?.elements?.first
        #expect(shown?["objects"]?.elements?.map { $0["currentClass"] } == [.null, .null, "Q", "Q"])
        #expect(shown?["objects"]?.elements?[2]["current"]?["name"] == "five")
    }

    @Test func `only what follows from a change is written to a partner that is on its way`() throws {
        let (name, n) = (JSONMember("name", "string"), JSONMember("n", "int"))
        let last = Self.declared("C", [name, n])
        let server = try Self.server(versions: [[last]])
        try partner(
            server, Self.declared("B", [name, n]), of: "A", "o => ({ name: o.name, n: o.n })",
            "o => ({ name: o.name, n: o.n })")
        let id = try partner(
            server, last, of: "B", "o => ({ name: o.name.toLowerCase(), n: o.n })",
            "o => ({ name: o.name.toUpperCase(), n: o.n })", cutsOver: false)
        for key in 1...3 {
            let object: JSONValue = ["_id": .int(Int64(key)), "name": "MiXed"]
            #expect(try server.upsert("C", object, version: 2).status == 201)
        }
        let done = try replay(
            server,
            [
                ["_id": 1, "n": 1], ["_id": 2, "n": 44], ["_id": 3, "name": "New"],
                ["_id": 7, "name": "N", "n": 7],
            ])
        #expect(done.applied == 4 && done.leftOut == [])
        #expect(try server.object("C", 1) == ["_id": 1, "name": "MiXed", "n": 1])
        #expect(try server.object("C", 2) == ["_id": 2, "name": "MiXed", "n": 44])
        #expect(try server.object("C", 3) == ["_id": 3, "name": "new", "n": 3])
        #expect(try server.object("C", 7) == ["_id": 7, "name": "n", "n": 7])
        // The partners that hold something else than `forward` gives are told still.
        let divergent = try server.send("GET", "/partners/\(id)/divergent").json["items"]?.elements
        #expect(divergent?.map { $0["key"] } == [1, 2], "\(divergent ?? [])")
    }

    @Test func `a whole object is made with the property that a partner on its way gives it`() throws {
        let server = try Self.server()
        try partner(
            server, ["name": "A", "properties": ["nn": "string"]], of: "A", property: "n",
            "o => ({ nn: String(o.n) })", "o => ({ n: Number(o.nn) })")
        try partner(
            server, ["name": "A", "properties": ["loud": "string"]], of: "A", property: "name",
            "o => ({ loud: o.name.toUpperCase() })", "o => ({ name: o.loud.toLowerCase() })", cutsOver: false)
        let done = try replay(
            server, [["_id": 9, "name": "nine", "n": 9, "tag": .null], ["_id": 8, "n": 8, "tag": .null]])
        #expect(done.leftOut == [[8, "name"]])
        #expect(
            try server.object("A", 9) == ["_id": 9, "name": "nine", "tag": .null, "nn": "9", "loud": "NINE"])
    }

    @Test(arguments: ["int", "int?"])
    func `a new object has what a function makes of what it leaves out, or is left out itself`(old: String) throws {
        let properties = [JSONMember("n", .string(old)), JSONMember("m", "string?")]
        let server = try PartnerServer(
            [Self.declared("A", properties)], ["A": [["_id": 1, "n": 1], ["_id": 2, "n": 2]]],
            versions: [[Self.declared("A", properties)]])
        try partner(
            server, ["name": "A", "properties": ["nn": "string?"]], of: "A", property: "n",
            "o => ({ nn: o.n === null ? 'none' : String(o.n) })", "o => ({ n: Number(o.nn) })")
        #expect(try server.delete("A", 2).status == 201)
        let done = try replay(server, [["_id": 2, "m": "two"], ["_id": 1, "m": "one"]])
        #expect(try server.object("A", 1) == ["_id": 1, "m": "one", "nn": "1"])
        if old == "int" {
            #expect(done.leftOut == [[2, "n"]])
            #expect(try server.object("A", 2) == nil)
        } else {
            #expect(done.leftOut == [])
            #expect(try server.object("A", 2) == ["_id": 2, "m": "two", "nn": "none"])
        }
    }

    /// Of two partners of properties one after the other each side says the others.
    @Test(arguments: ["cut-over", "abort", ""])
    func `a new object is made of any side of a chain of properties`(end: String) throws {
        func declared(_ names: [String]) -> JSONValue { Self.declared("A", names.map { JSONMember($0, "int") }) }
        let server = try PartnerServer(
            [declared(["a"])], ["A": [["_id": 1, "a": 1]]], versions: [[declared(["a"])], [declared(["a", "b", "c"])]])
        try partner(
            server, ["name": "A", "properties": ["b": "int"]], of: "A", property: "a", "o => ({ b: o.a })",
            "o => ({ a: o.b })")
        let second = try partner(
            server, ["name": "A", "properties": ["c": "int"]], of: "A", property: "b", "o => ({ c: o.b })",
            "o => ({ b: o.c })", cutsOver: false)
        if !end.isEmpty { #expect(try server.send("POST", "/partners/\(second)/\(end)", [:]).status == 200) }
        let done = try replay(
            server,
            [
                ["_id": 10, "a": 4], ["_id": 11, "b": 4], ["_id": 12, "c": 4], ["_id": 13, "a": 4, "c": 4],
                ["_id": 14, "a": 3, "c": 4], ["_id": 15, "b": 3, "c": 4],
            ], version: 2)
        #expect(done.leftOut == [[14, "a"], [15, end == "abort" ? "c" : "b"]], "\(done)")
        for key in 10...15 {
            let object = try server.object("A", key)
            let value: JSONValue = end == "abort" && key == 15 ? 3 : 4
            #expect((object?["b"] ?? value) == value && (object?["c"] ?? value) == value, "\(key) \(object ?? .null)")
            #expect(object != nil)
        }
    }

    @Test func `values that can't be read leave out themselves, and keep no other batch from being done`() throws {
        let server = try Self.server()
        try partner(
            server, Self.declared("B", [JSONMember("name", "string"), JSONMember("n", "int")]), of: "A",
            "o => ({ name: o.name, n: o.n })", "o => ({ name: o.name, n: o.n })")
        let path = try server.recovery(of: 1)
        let broken: JSONValue = [
            "upserts": [
                ["class": "A", "object": ["_id": 1, "name": 5, "n": 7]],
                ["class": "A", "object": ["_id": "x", "n": 7]],
                ["class": "A", "object": ["_id": 2, "name": "two"]],
            ], "deletes": [["class": "A", "key": "x"]],
        ]
        #expect(try server.send("POST", "\(path)/changes", broken, version: 1).status == 201)
        let done = try replay(server, [["_id": 3, "name": "three"]])
        #expect(done.applied == 3 && done.leftOut == [])
        let batches = try server.send("GET", path).json["batches"]?.elements ?? []
        #expect(
            batches.first?["leftOut"]?.elements?.map { [$0["key"], $0["property"]] }
                == [[1, "name"], ["x", .null], ["x", .null]])
        #expect(try server.object("B", 1) == ["_id": 1, "name": "name 1", "n": 7])
        #expect(try server.object("B", 3)?["name"] == "three")
    }

    @Test func `a partner that was aborted asks nothing of a new object`() throws {
        let server = try Self.server()
        let id = try partner(
            server, ["name": "A", "properties": ["mark": "string"]], of: "A", property: "tag",
            "o => ({ mark: o.tag ?? '-' })", "o => ({ tag: o.mark === '-' ? null : o.mark })", cutsOver: false)
        #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        try partner(
            server, ["name": "A", "properties": ["nn": "string"]], of: "A", property: "n",
            "o => ({ nn: String(o.n) })", "o => ({ n: Number(o.nn) })")
        let done = try replay(server, [["_id": 8, "name": "x", "n": 8]])
        #expect(done.leftOut == [])
        let object = try #require(try server.object("A", 8))
        #expect(object["nn"] == "8" && object["tag"] == .null, "\(object)")
    }

    @Test func `a delete is done though an upsert of the object can't be`() throws {
        let server = try Self.server()
        try partner(
            server, Self.declared("B", [JSONMember("name", "string?")]), of: "A", "o => ({ name: o.name })",
            "o => ({ name: o.name })")
        #expect(try server.upsert("B", ["_id": 1, "name": .null]).status == 201)
        let done = try server.replay(
            [
                "upserts": [["class": "A", "object": ["_id": 1, "name": "x"]]],
                "deletes": [["class": "A", "key": 1]],
            ], of: 1)
        #expect(done["leftOut"]?.elements?.count == 1 && done["applied"] == 1, "\(done)")
        #expect(try server.object("B", 1) == nil)
    }

    @Test func `an object that a function can't be given is left out with the reason`() throws {
        let old = Self.declared("A", [JSONMember("n", "int"), JSONMember("m", "mixed")])
        let tag = Self.declared("Tag", [])
        let server = try PartnerServer(
            [old, tag], ["A": [["_id": 1, "n": 1], ["_id": 2, "n": 2]], "Tag": [["_id": 5]]], versions: [[old, tag]])
        try partner(
            server, Self.declared("B", [JSONMember("n", "int")]), of: "A", "o => ({ n: o.n })", "o => ({ n: o.n })")
        let done = try replay(
            server, [["_id": 1, "n": 3, "m": ["$ref": "Tag", "$id": 5]], ["_id": 2, "n": 4]])
        #expect(done.leftOut == [[1, .null]])
        #expect(try server.object("B", 1)?["n"] == 1)
        #expect(try server.object("B", 2)?["n"] == 4)
    }
}
