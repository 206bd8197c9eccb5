import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Unsent changes of a class whose partner got a partner itself: `First` was cut over to `Second`, which has or had `Third`.
@Suite struct RecoveryChainTests {
    /// The second partner.
    enum Second: String, CaseIterable {
        case aborted = "abort"
        case cutOver = "cut-over"
        case inProgress = ""

        /// The classes that clients see by now.
        var standing: [String] {
            switch self {
            case .aborted: ["Second"]
            case .cutOver: ["Third"]
            case .inProgress: ["Second", "Third"]
            }
        }
    }

    private static let lead = "o => ({ b: o.a, x: o.x })"
    private static let contradicted = "The batch gives the object's other side a value that contradicts it."

    private static func side(_ name: String, _ properties: JSONValue) -> JSONValue {
        ["name": .string(name), "primaryKey": "_id", "properties": properties]
    }

    /// The realm with one object, and what clients of the first and the third class had not sent.
    private func replay(
        _ upserts: [(String, JSONValue)], deleting deletes: [(String, Int64)] = [], after second: Second,
        from lead: String = Self.lead, backBy back: String = "o => ({ a: o.b, x: o.x })",
        by forward: String = "o => ({ c: o.b, x: o.x })", version: Int = 2
    ) throws -> (applied: JSONValue?, leftOut: [[JSONValue?]], objects: [[JSONValue]]) {
        let first = Self.side("First", ["_id": "int", "a": "int", "x": "int?"])
        let (next, third) = (
            Self.side("Second", ["_id": "int", "b": "int", "x": "int?"]),
            Self.side("Third", ["_id": "int", "c": "int", "x": "int?", "y": "int"])
        )
        let server = try PartnerServer(
            [first], ["First": [["_id": 1, "a": 1]]], versions: [[first], [first, third], [first, next, third]])
        for (name, partner, forward, backward) in [
            ("First", next, lead, back),
            ("Second", third, forward, "o => ({ b: o.c, x: o.x })"),
        ] {
            let id = try server.makePartner(of: name, as: partner, forward: forward, backward: backward)
            let end = name == "First" ? "cut-over" : second.rawValue
            // The object of a function that does not lead back.
            let body: JSONValue = name == "First" && lead != Self.lead ? ["accept": [1]] : [:]
            if !end.isEmpty { #expect(try server.send("POST", "/partners/\(id)/\(end)", body).status == 200) }
        }
        let batch: JSONValue = [
            "upserts": .array(upserts.map { ["class": .string($0), "object": $1] }),
            "deletes": .array(deletes.map { ["class": .string($0), "key": .int($1)] }),
        ]
        let done = try server.replay(batch, of: version)
        return (
            done["applied"],
            (done["leftOut"]?.elements ?? []).map { [$0["class"], $0["key"], $0["property"], $0["reason"]] },
            try second.standing.map { try server.send("GET", "/objects/\($0)").json["items"]?.elements ?? [] }
        )
    }

    @Test(arguments: Second.allCases, [1, 7] as [Int64])
    func `deletes an object on all sides, whatever the batch gives one of them`(after second: Second, _ key: Int64)
        throws
    {
        let (first, third): (JSONValue, JSONValue) = (["_id": .int(key), "a": 5], ["_id": .int(key), "c": 5, "y": 5])
        for (upserts, deleted) in [
            ([("First", first)], "Third"), ([("Third", third)], "First"),
            ([("Third", third), ("First", first)], "First"),
        ] {
            let done = try replay(upserts, deleting: [(deleted, key)], after: second)
            #expect(done.applied == .int(Int64(upserts.count + 1)), "\(upserts) \(done)")
            #expect(done.leftOut.isEmpty)
            #expect(done.objects.allSatisfy { $0.allSatisfy { $0["_id"] != .int(key) } }, "\(upserts) \(done)")
        }
    }

    /// Also where values of the batch are looked at again that the object had before.
    @Test(arguments: [1, 7] as [Int64])
    func `deletes an object whose sides are given what it has already`(key: Int64) throws {
        let done = try replay(
            [
                ("First", ["_id": .int(key), "a": key == 1 ? 1 : 0]), ("Second", ["_id": .int(key), "b": 5]),
                ("First", ["_id": 3, "a": 0]), ("Third", ["_id": 3, "c": 9, "y": 0]),
            ], deleting: [("Second", key)], after: .inProgress, version: 3)
        #expect(done.objects.allSatisfy { $0.allSatisfy { $0["_id"] != .int(key) } }, "\(done)")
    }

    @Test(arguments: Second.allCases)
    func `leaves out the value of the side that left first where two contradict each other`(after second: Second)
        throws
    {
        let done = try replay([("First", ["_id": 1, "a": 50]), ("Third", ["_id": 1, "c": 60])], after: second)
        #expect(done.leftOut == [["First", 1, "a", .string(Self.contradicted)]])
        #expect(done.objects.map { $0.map { $0["b"] ?? $0["c"] } }.allSatisfy { $0 == [60] }, "\(done)")
    }

    @Test(arguments: Second.allCases)
    func `tells what contradicts the value of a new object that is one's initial value`(after second: Second) throws {
        let done = try replay(
            [("First", ["_id": 7, "a": 50]), ("Third", ["_id": 7, "c": 0, "y": 0])], after: second)
        #expect(done.leftOut == [["First", 7, "a", .string(Self.contradicted)]], "\(done)")
        #expect(done.objects.map { $0.last.map { $0["b"] ?? $0["c"] } }.allSatisfy { $0 == 0 }, "\(done)")
    }

    /// The object has the first side's value before, or as its initial one.
    @Test(arguments: Second.allCases, [1, 7] as [Int64])
    func `tells a value that is as it was where a farther side is given another one`(after second: Second, _ key: Int64)
        throws
    {
        let own: JSONValue = key == 1 ? 1 : 0
        let done = try replay(
            [("First", ["_id": .int(key), "a": own]), ("Third", ["_id": .int(key), "c": 50, "y": 0])], after: second)
        #expect(done.leftOut == [["First", .int(key), "a", .string(Self.contradicted)]], "\(done)")
        #expect(done.objects.map { $0.last.map { $0["b"] ?? $0["c"] } }.allSatisfy { $0 == 50 }, "\(done)")
        let same = try replay(
            [("First", ["_id": .int(key), "a": own]), ("Third", ["_id": .int(key), "c": own, "y": 0])], after: second)
        #expect(same.leftOut.isEmpty, "\(same)")
    }

    @Test(arguments: Second.allCases)
    func `keeps what nobody contradicts beside a value that is as it was and is contradicted`(after second: Second)
        throws
    {
        let done = try replay(
            [("First", ["_id": 1, "a": 5, "x": 8]), ("Third", ["_id": 1, "c": 1, "y": 0])], after: second)
        #expect(done.leftOut == [["First", 1, "a", .string(Self.contradicted)]], "\(done)")
        #expect(done.objects.map { $0.last?["x"] }.allSatisfy { $0 == 8 }, "\(done)")
        #expect(done.objects.map { $0.last.map { $0["b"] ?? $0["c"] } }.allSatisfy { $0 == 1 }, "\(done)")
    }

    @Test(arguments: Second.allCases)
    func `tells a value that is as it was where the function fails for what a farther side is given`(
        after second: Second
    ) throws {
        let done = try replay(
            [("First", ["_id": 1, "a": 1]), ("Third", ["_id": 1, "c": 50, "y": 0])], after: second,
            backBy: "o => { if (o.b === 50) throw new Error('no'); return { a: o.b } }")
        #expect(done.leftOut == [["First", 1, "a", "The partner's function fails: no"]], "\(done)")
        #expect(done.objects.map { $0.last.map { $0["b"] ?? $0["c"] } }.allSatisfy { $0 == 50 }, "\(done)")
    }

    @Test func `tells all contradictions with a partner in progress at once`() throws {
        let sent = [1, 7, 8].flatMap { key -> [(String, JSONValue)] in
            [("Second", ["_id": .int(key), "b": 60]), ("Third", ["_id": .int(key), "c": 50, "y": 0])]
        }
        let done = try replay(sent, after: .inProgress, version: 3)
        #expect(
            done.leftOut == [1, 7, 8].map { ["Second", .int($0), "b", .string(Self.contradicted)] }, "\(done)")
        #expect(done.objects.map { $0.map { $0["b"] ?? $0["c"] } } == [[50, 50, 50], [50, 50, 50]], "\(done)")
    }

    /// Beside the last side's value the first one's is in effect, though another that is left out contradicts it.
    @Test(arguments: [Second.cutOver, .inProgress], [1, 7] as [Int64])
    func `tells of three values the one alone that contradicts the others`(after second: Second, _ key: Int64) throws {
        let done = try replay(
            [
                ("First", ["_id": .int(key), "a": 50]), ("Second", ["_id": .int(key), "b": 60]),
                ("Third", ["_id": .int(key), "c": 50, "y": 0]),
            ], after: second, version: 3)
        #expect(done.leftOut == [["Second", .int(key), "b", .string(Self.contradicted)]], "\(done)")
        #expect(done.objects.map { $0.last.map { $0["b"] ?? $0["c"] } }.allSatisfy { $0 == 50 }, "\(done)")
    }

    @Test(arguments: Second.allCases)
    func `leaves out nothing where both sides are given the same`(after second: Second) throws {
        let done = try replay([("First", ["_id": 1, "a": 50]), ("Third", ["_id": 1, "c": 50])], after: second)
        #expect(done.leftOut.isEmpty)
        #expect(done.objects.map { $0.map { $0["b"] ?? $0["c"] } }.allSatisfy { $0 == [50] }, "\(done)")
    }

    /// Also where the second partner is in progress, which would refuse a change of it as a whole.
    @Test(arguments: [Second.cutOver, .inProgress])
    func `leaves out the objects for which the second function fails, and no others`(after second: Second) throws {
        let done = try replay(
            [(13, 1), (20, 7), (13, 8)].map { ("First", ["_id": .int($1), "a": .int($0)]) }, after: second,
            by: "o => { if (o.b === 13) throw new Error('no'); return { c: o.b } }")
        #expect(
            done.leftOut == [1, 8].map { ["First", .int($0), .null, "The partner's function fails: no"] }, "\(done)")
        #expect(done.objects.map { $0.map { $0["b"] ?? $0["c"] } }.allSatisfy { $0 == [1, 20] }, "\(done)")
    }

    @Test(arguments: [Second.cutOver, .inProgress])
    func `leaves out the objects for which the second function takes too long, and no others`(after second: Second)
        throws
    {
        let done = try replay(
            [(13, 1), (20, 7), (13, 8)].map { ("First", ["_id": .int($1), "a": .int($0)]) }, after: second,
            by: "o => { while (o.b === 13); return { c: o.b } }")
        let reason: JSONValue =
            "The partner's function fails: The function took longer than 1.0 seconds for one object."
        #expect(done.leftOut == [1, 8].map { ["First", .int($0), .null, reason] }, "\(done)")
        #expect(done.objects.map { $0.map { $0["b"] ?? $0["c"] } }.allSatisfy { $0 == [1, 20] }, "\(done)")
    }

    /// As the side that stands names its value, the two would differ.
    @Test func `leaves out what contradicts the value that a side of a partner in progress has already`() throws {
        let done = try replay([("First", ["_id": 1, "a": 50]), ("Third", ["_id": 1, "c": 1])], after: .inProgress)
        #expect(done.leftOut == [["First", 1, "a", .string(Self.contradicted)]])
        #expect(done.objects.map { $0.map { $0["b"] ?? $0["c"] } } == [[1], [1]], "\(done)")
    }

    /// The function for the first side gives what the third needs.
    @Test(arguments: [Second.cutOver, .inProgress])
    func `makes a new object of which each side alone lacks something`(after second: Second) throws {
        let done = try replay([("First", ["_id": 7, "a": 50]), ("Third", ["_id": 7, "y": 2])], after: second)
        #expect(done.leftOut.isEmpty, "\(done)")
        #expect(done.objects.last?.last == ["_id": 7, "c": 50, "x": nil, "y": 2], "\(done)")
    }

    @Test func `keeps the value of the class that stands where a side that left is given the same and another one not`()
        throws
    {
        let done = try replay(
            [("First", ["_id": 1, "a": 2]), ("Second", ["_id": 1, "b": 2]), ("Third", ["_id": 1, "c": 1])],
            after: .aborted, version: 3)
        #expect(done.leftOut == [["Third", 1, "c", .string(Self.contradicted)]], "\(done)")
        #expect(done.objects.map { $0.map { $0["b"] } } == [[2]], "\(done)")
    }

    @Test func `tells no contradiction where the functions make the one of the other, and do not lead back`() throws {
        let done = try replay(
            [("First", ["_id": 1, "a": 2]), ("Third", ["_id": 1, "c": 3])], after: .cutOver,
            from: "o => ({ b: o.a + 1 })")
        #expect(done.leftOut.isEmpty, "\(done)")
        #expect(done.objects.map { $0.map { $0["c"] } } == [[3]], "\(done)")
    }

    /// Two of them say what the object has already.
    @Test func `of three sides that left keeps the value of the last`() throws {
        let sides = [("First", "a"), ("Second", "b"), ("Third", "c"), ("Fourth", "d")].map {
            Self.side($0, ["_id": "int", $1: "int"])
        }
        let server = try PartnerServer(
            [sides[0]], ["First": [["_id": 1, "a": 7]]], versions: [[sides[0]], [sides[0], sides[2], sides[3]]])
        for (name, place, own, other, end) in [
            ("First", 1, "a", "b", "cut-over"), ("Second", 2, "b", "c", "abort"), ("Second", 3, "b", "d", "abort"),
        ] {
            let id = try server.makePartner(
                of: name, as: sides[place], forward: "o => ({ \(other): o.\(own) })",
                backward: "o => ({ \(own): o.\(other) })")
            #expect(try server.send("POST", "/partners/\(id)/\(end)", [:]).status == 200)
        }
        let batch: JSONValue = [
            "upserts": [
                ["class": "First", "object": ["_id": 1, "a": 7]], ["class": "Third", "object": ["_id": 1, "c": 7]],
                ["class": "Fourth", "object": ["_id": 1, "d": 60]],
            ]
        ]
        let done = try server.replay(batch, of: 2)
        #expect(Set(done["leftOut"]?.elements?.map { $0["property"] } ?? []) == ["a", "c"], "\(done)")
        #expect(try server.object("Second", 1) == ["_id": 1, "b": 60])
    }

    /// `Link` was cut over to `Link2`, and so stands for links to the other side of a class whose partner is in progress.
    @Test func `links to the other side of an object that the batch makes while its partner is in progress`() throws {
        let (first, second) = (
            Self.side("First", ["_id": "int", "a": "int"]), Self.side("Second", ["_id": "int", "b": "int"])
        )
        let (link, next) = (
            Self.side("Link", ["_id": "int", "u": "First"]), Self.side("Link2", ["_id": "int", "v": "Second"])
        )
        let server = try PartnerServer(
            [first, link], ["First": [["_id": 1, "a": 1]], "Link": [["_id": 1, "u": 1]]],
            versions: [[first, link], [first, second, link, next]])
        _ = try server.makePartner(
            of: "First", as: second, forward: "o => ({ b: o.a })", backward: "o => ({ a: o.b })")
        let id = try server.makePartner(
            of: "Link", as: next, forward: "o => ({ v: o.u })", backward: "o => ({ u: o.v })")
        #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).status == 200)
        let batch: JSONValue = [
            "upserts": [
                ["class": "First", "object": ["_id": 8, "a": 9]], ["class": "Link", "object": ["_id": 1, "u": 8]],
            ]
        ]
        let done = try server.replay(batch, of: 2)
        #expect(done["leftOut"] == [], "\(done)")
        #expect(try server.object("Link2", 1) == ["_id": 1, "v": 8])
        #expect(try server.object("Second", 8) == ["_id": 8, "b": 9])
    }
}
