import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Unsent changes of an object on both sides of a partner that has ended: each side keeps what it was given, as in a change.
@Suite struct RecoveryBothSidesTests {
    private static let old: JSONValue = [
        "name": "Person", "primaryKey": "_id", "properties": ["_id": "int", "a": "int", "c": "int"],
    ]
    private static let new: JSONValue = [
        "name": "PersonV2", "primaryKey": "_id",
        "properties": ["_id": "int", "b": "string", "d": "string", "note": "string?"],
    ]
    private static let both: JSONValue = [
        "name": "Person", "primaryKey": "_id",
        "properties": ["_id": "int", "a": "int", "c": "int", "b": "string"],
    ]
    private static let leftOut = "The batch gives the object's other side a value that contradicts it."

    /// Ends a partner of a class, or of a property of it, and does what a client of before had not sent.
    ///
    /// - Parameters:
    ///   - end: `cut-over` or `abort`.
    ///   - deletes: whether others have deleted the object meanwhile.
    /// - Returns: the first object of the class that stayed, and the class, the property and the reason of what was left out.
    private func replay(
        _ upserts: [(String, JSONValue)], after end: String, ofProperty: Bool = false,
        deletingFirst deletes: Bool = false, backward: String = "o => ({ a: Number(o.b), c: Number(o.d) })"
    ) throws -> (object: JSONValue?, leftOut: [[JSONValue?]]) {
        let server = try PartnerServer(
            [Self.old], ["Person": [["_id": 1, "a": 1, "c": 3]]],
            versions: [[Self.old], ofProperty ? [Self.both] : [Self.old, Self.new]])
        let functions: JSONValue =
            ofProperty
            ? [
                "class": "Person", "property": "a",
                "partner": ["name": "Person", "properties": ["b": "string"]],
                "forward": "o => ({ b: String(o.a) })", "backward": "o => ({ a: Number(o.b) })",
            ]
            : [
                "class": "Person", "partner": Self.new, "forward": "o => ({ b: String(o.a), d: String(o.c) })",
                "backward": .string(backward),
            ]
        let made = try server.send("POST", "/partners", functions)
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(id)
        #expect(try server.send("POST", "/partners/\(id)/\(end)", [:]).status == 200)
        let standing = ofProperty || end == "abort" ? "Person" : "PersonV2"
        if deletes { #expect(try server.delete(standing, 1).status == 201) }
        let batch = JSONValue.array(upserts.map { ["class": .string($0), "object": $1] })
        let done = try server.replay(["upserts": batch], of: 2)
        return (
            try server.object(standing, 1),
            (done["leftOut"]?.elements ?? []).map { [$0["class"], $0["property"], $0["reason"]] }
        )
    }

    @Test(arguments: [true, false])
    func `each keep what they were given`(isOldFirst: Bool) throws {
        let upserts: [(String, JSONValue)] = [
            ("Person", ["_id": 1, "a": 50]), ("PersonV2", ["_id": 1, "d": "90", "note": "n"]),
        ]
        let sent = isOldFirst ? upserts : upserts.reversed()
        let cutOver = try replay(sent, after: "cut-over")
        #expect(cutOver.object == ["_id": 1, "b": "50", "d": "90", "note": "n"])
        #expect(cutOver.leftOut.isEmpty)
        let aborted = try replay(sent, after: "abort")
        #expect(aborted.object == ["_id": 1, "a": 50, "c": 90])
        #expect(aborted.leftOut.map { $0[1] } == ["note"])
    }

    @Test func `lose nothing where they are given the same`() throws {
        let upserts: [(String, JSONValue)] = [("Person", ["_id": 1, "a": 50]), ("PersonV2", ["_id": 1, "b": "50"])]
        let cutOver = try replay(upserts, after: "cut-over")
        #expect(cutOver.object?["b"] == "50" && cutOver.leftOut.isEmpty)
        let aborted = try replay(upserts, after: "abort")
        #expect(aborted.object?["a"] == 50 && aborted.leftOut.isEmpty)
    }

    @Test func `keep the value of the side that stayed where they contradict each other, and tell of the other one`()
        throws
    {
        let upserts: [(String, JSONValue)] = [
            ("Person", ["_id": 1, "a": 50, "c": 4]), ("PersonV2", ["_id": 1, "b": "60"]),
        ]
        let cutOver = try replay(upserts, after: "cut-over")
        #expect(cutOver.object?["b"] == "60" && cutOver.object?["d"] == "4")
        #expect(cutOver.leftOut == [["Person", "a", .string(Self.leftOut)]])
        let aborted = try replay(upserts, after: "abort")
        #expect(aborted.object?["a"] == 50 && aborted.object?["c"] == 4)
        #expect(aborted.leftOut == [["PersonV2", "b", .string(Self.leftOut)]])
    }

    @Test func `tell of a value that the object has already where the other side is given another one`() throws {
        let upserts: [(String, JSONValue)] = [
            ("Person", ["_id": 1, "a": 1, "c": 3]), ("PersonV2", ["_id": 1, "b": "60"]),
        ]
        let done = try replay(upserts, after: "cut-over")
        #expect(done.object?["b"] == "60" && done.object?["d"] == "3")
        #expect(done.leftOut == [["Person", "a", .string(Self.leftOut)]])
    }

    /// The function for the old side rounds, so that both are of one object.
    @Test func `lose nothing where functions lose what distinguishes them`() throws {
        let upserts: [(String, JSONValue)] = [("Person", ["_id": 1, "a": 6]), ("PersonV2", ["_id": 1, "b": "6.7"])]
        let done = try replay(upserts, after: "cut-over", backward: "o => ({ a: Math.floor(o.b), c: Number(o.d) })")
        #expect(done.object?["b"] == "6.7" && done.leftOut.isEmpty, "\(done)")
    }

    @Test func `lose nothing of a new object that one of them makes whole`() throws {
        let upserts: [(String, JSONValue)] = [
            ("Person", ["_id": 1, "a": 0, "c": 0]), ("PersonV2", ["_id": 1, "note": "n"]),
        ]
        let done = try replay(upserts, after: "cut-over", deletingFirst: true)
        #expect(done.object == ["_id": 1, "b": "0", "d": "0", "note": "n"])
        #expect(done.leftOut.isEmpty)
    }

    @Test(arguments: [true, false])
    func `of one class keep the value of the property that stayed, within one upsert, too`(isOne: Bool) throws {
        let upserts: [(String, JSONValue)] =
            isOne
            ? [("Person", ["_id": 1, "a": 50, "b": "60", "c": 9])]
            : [("Person", ["_id": 1, "a": 50, "c": 9]), ("Person", ["_id": 1, "b": "60"])]
        let cutOver = try replay(upserts, after: "cut-over", ofProperty: true)
        #expect(cutOver.object == ["_id": 1, "c": 9, "b": "60"])
        #expect(cutOver.leftOut == [["Person", "a", .string(Self.leftOut)]])
        let aborted = try replay(upserts, after: "abort", ofProperty: true)
        #expect(aborted.object == ["_id": 1, "a": 50, "c": 9])
        #expect(aborted.leftOut == [["Person", "b", .string(Self.leftOut)]])
    }

    /// A class that left makes clients recover; the partner of the property is in progress.
    @Test func `of a property whose partner is in progress keep the partner's, and tell of the other one`() throws {
        let first: JSONValue = ["name": "First", "primaryKey": "_id", "properties": ["_id": "int", "a": "int"]]
        let second: JSONValue = ["name": "Second", "primaryKey": "_id", "properties": ["_id": "int", "b": "int"]]
        let whole: JSONValue = [
            "name": "Second", "primaryKey": "_id", "properties": ["_id": "int", "b": "int", "d": "string"],
        ]
        let server = try PartnerServer([first], ["First": [["_id": 1, "a": 1]]], versions: [[first], [first, whole]])
        let left = try server.makePartner(
            of: "First", as: second, forward: "o => ({ b: o.a })", backward: "o => ({ a: o.b })")
        #expect(try server.send("POST", "/partners/\(left)/cut-over", [:]).status == 200)
        _ = try server.makePartner(
            of: "Second", as: ["name": "Second", "properties": ["d": "string"]], forward: "o => ({ d: String(o.b) })",
            backward: "o => ({ b: Number(o.d) })", more: [JSONMember("property", "b")])
        let batch: JSONValue = ["upserts": [["class": "Second", "object": ["_id": 1, "b": 8, "d": "6"]]]]
        let done = try server.replay(batch, of: 2)
        #expect(done["leftOut"]?.elements?.map { $0["property"] } == ["b"], "\(done)")
        #expect(try server.object("Second", 1) == ["_id": 1, "b": 6, "d": "6"])
    }

    /// A value that one side alone has follows from all that either side is given.
    ///
    /// Of the last object neither side has all that it needs.
    @Test(arguments: ["cut-over", "abort"])
    func `makes a new object of what both sides are given`(end: String) throws {
        let old: JSONValue = [
            "name": "Old", "primaryKey": "_id", "properties": ["_id": "int", "a": "int", "n": "string"],
        ]
        let new: JSONValue = [
            "name": "New", "primaryKey": "_id", "properties": ["_id": "int", "b": "int", "n": "string", "c": "int?"],
        ]
        let server = try PartnerServer([old], ["Old": [["_id": 1, "a": 1, "n": "x"]]], versions: [[old], [old, new]])
        let id = try server.makePartner(
            of: "Old", as: new, forward: "o => ({ b: o.a, n: o.n, c: o.a * 2 })", backward: "o => ({ a: o.b, n: o.n })")
        #expect(try server.send("POST", "/partners/\(id)/\(end)", [:]).status == 200)
        let (cut, sent): (Bool, [(String, JSONValue)]) = (
            end == "cut-over",
            [
                ("Old", ["_id": 20, "a": 5, "n": "new"]), ("New", ["_id": 20, "b": 6]),
                ("Old", ["_id": 21, "a": 5, "n": "new"]), ("New", ["_id": 21, "b": 5]),
                ("Old", ["_id": 22, "a": 5]), ("New", ["_id": 22, "b": 6, "n": "new"]),
                ("Old", ["_id": 23, "n": "new"]), ("New", ["_id": 23, "b": 6]),
            ]
        )
        let upserts = JSONValue.array(sent.map { ["class": .string($0), "object": $1] })
        let done = try server.replay(["upserts": upserts], of: 2)
        let leftOut = (done["leftOut"]?.elements ?? []).map { [$0["key"], $0["property"]] }
        let standing = cut ? "New" : "Old"
        let objects = try (20...23).map { try server.object(standing, $0) }
        if cut {
            #expect(leftOut == [[23, "n"], [23, "a"], [20, "a"], [22, "a"]], "\(done)")
            #expect(
                objects.map { [$0?["b"], $0?["n"], $0?["c"]] } == [
                    [6, "new", 12], [5, "new", 10], [6, "new", 12], [nil, nil, nil],
                ], "\(objects)")
        } else {
            #expect(leftOut == [[23, "a"], [23, "n"], [20, "b"], [22, "b"]], "\(done)")
            #expect(
                objects.map { [$0?["a"], $0?["n"]] } == [[5, "new"], [5, "new"], [5, "new"], [nil, nil]], "\(objects)")
        }
    }

    @Test(arguments: [1, 9] as [Int64])
    func `tells a value that contradicts one part of those that follow from it`(key: Int64) throws {
        let old: JSONValue = ["name": "Old", "primaryKey": "_id", "properties": ["_id": "int", "b": "int"]]
        let new: JSONValue = [
            "name": "New", "primaryKey": "_id", "properties": ["_id": "int", "h": "int", "l": "int"],
        ]
        let server = try PartnerServer([old], ["Old": [["_id": 1, "b": 1]]], versions: [[old], [old, new]])
        let id = try server.makePartner(
            of: "Old", as: new, forward: "o => ({ h: Math.floor(o.b / 10), l: o.b % 10 })",
            backward: "o => ({ b: o.h * 10 + o.l })")
        #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).status == 200)
        let done = try server.replay(
            [
                "upserts": [
                    ["class": "Old", "object": ["_id": .int(key), "b": 60]],
                    ["class": "New", "object": ["_id": .int(key), "l": 1]],
                ]
            ], of: 2)
        #expect(done["leftOut"]?.elements?.map { [$0["class"], $0["property"]] } == [["Old", "b"]], "\(done)")
        #expect(try server.object("New", Int(key)) == ["_id": .int(key), "h": 0, "l": 1])
    }

    /// Also beside links to what the batch makes, whose targets are made before.
    @Test func `leaves nothing of an object that a batch makes and deletes`() throws {
        func declared(_ name: String, _ property: String, _ type: JSONValue) -> JSONValue {
            .object([
                JSONMember("name", .string(name)), JSONMember("primaryKey", "_id"),
                JSONMember("properties", .object([JSONMember("_id", "int"), JSONMember(property, type)])),
            ])
        }
        let (old, new) = (declared("Old", "a", "int"), declared("New", "b", "int"))
        let (item, linked) = (declared("Item", "k", "int?"), declared("Linked", "k", "Old"))
        let server = try PartnerServer(
            [old, item], ["Old": [["_id": 3, "a": 3]]], versions: [[old, item], [old, item, new, linked]])
        _ = try server.makePartner(
            of: "Old", as: new, forward: "o => ({ b: o.a })", backward: "o => ({ a: o.b })")
        let id = try server.makePartner(
            of: "Item", as: linked, forward: "o => ({ k: o.k })", backward: "o => ({ k: o.k })")
        #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).status == 200)
        let done = try server.replay(
            [
                "upserts": [
                    ["class": "New", "object": ["_id": 36, "b": 5]], ["class": "New", "object": ["_id": 3, "b": 5]],
                ],
                "deletes": [["class": "New", "key": 36], ["class": "Old", "key": 3]],
            ], of: 2)
        #expect(done["leftOut"] == [], "\(done)")
        for name in ["Old", "New"] { #expect(try server.send("GET", "/objects/\(name)").json["items"] == []) }
    }

    /// Nobody says what such a value is instead: an initial one in its place would lead to another object.
    @Test func `makes no new object of which a required value is left out because it links to nothing`() throws {
        let item: JSONValue = ["name": "Item", "primaryKey": "_id", "properties": ["_id": "int", "k": "int"]]
        let linked: JSONValue = ["name": "Linked", "primaryKey": "_id", "properties": ["_id": "int", "k": "Old"]]
        let old: JSONValue = ["name": "Old", "primaryKey": "_id", "properties": ["_id": "int"]]
        let server = try PartnerServer(
            [old, item], ["Old": [["_id": 0]], "Item": [["_id": 1, "k": 0]]], versions: [[old, item]])
        let id = try server.makePartner(
            of: "Item", as: linked, forward: "o => ({ k: o.k })", backward: "o => ({ k: o.k ?? 0 })")
        #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).status == 200)
        let done = try server.replay(["upserts": [["class": "Item", "object": ["_id": 5, "k": 77]]]], of: 1)
        #expect(done["applied"] == 0, "\(done)")
        #expect(done["leftOut"]?.elements?.first?["property"] == "k", "\(done)")
        #expect(try server.object("Linked", 5) == nil)
    }

    /// Of the sides that contradict each other both have left, and none that is there says what the first one's values are.
    @Test func `makes up no value of a new object whose side that left first is contradicted`() throws {
        func side(_ name: String, _ properties: JSONValue) -> JSONValue {
            ["name": .string(name), "primaryKey": "_id", "properties": properties]
        }
        let (first, second, third) = (
            side("First", ["_id": "int", "a": "int?"]), side("Second", ["_id": "int", "b": "int?", "n": "int?"]),
            side("Third", ["_id": "int", "c": "int?", "n": "int?"])
        )
        let server = try PartnerServer(
            [first], ["First": [["_id": 1, "a": 1]]], versions: [[first], [first, second, third]])
        for (name, partner, forward, backward) in [
            ("First", second, "o => ({ b: o.a, n: o.a === null ? -1 : o.a * 2 })", "o => ({ a: o.b })"),
            ("Second", third, "o => ({ c: o.b, n: o.n })", "o => ({ b: o.c, n: o.n })"),
        ] {
            let id = try server.makePartner(of: name, as: partner, forward: forward, backward: backward)
            #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).status == 200)
        }
        let done = try server.replay(
            [
                "upserts": [
                    ["class": "First", "object": ["_id": 9, "a": 50]],
                    ["class": "Second", "object": ["_id": 9, "b": 60]],
                ]
            ], of: 2)
        #expect(done["leftOut"]?.elements?.map { [$0["class"], $0["property"]] } == [["First", "a"]], "\(done)")
        #expect(try server.object("Third", 9) == ["_id": 9, "c": 60, "n": .null])
    }
}
