import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Unsent changes that are done after their partner was made again, before or behind its job.
@Suite struct RecoveryBesidePartnerTests {
    private static func side(_ name: String, _ properties: JSONValue) -> JSONValue {
        ["name": .string(name), "primaryKey": "_id", "properties": properties]
    }

    private static let link: JSONValue = ["type": "object", "objectType": "T", "optional": true]
    private static let target = side("T", ["_id": "int"])
    private static let old = side("A", ["_id": "int", "n": "int", "z": "string", "t": link])
    private static let new = side("B", ["_id": "int", "n": "string", "z": "string", "t": "int?"])

    /// Keeps batches of clients that know both classes, makes the partner again, and does them.
    ///
    /// - Returns: what was left out, as class, key and property, and the server.
    private func replay(
        _ batches: [JSONValue], forward: String, backward: String, fills: Bool
    ) throws -> (leftOut: [[JSONValue?]], server: PartnerServer) {
        let objects: JSONValue = [
            "T": [["_id": 101], ["_id": 102]],
            "A": [["_id": 1, "n": 14, "z": "x", "t": 101], ["_id": 2, "n": 14, "z": "x", "t": 102]],
        ]
        let server = try PartnerServer(
            [Self.target, Self.old], objects,
            versions: [[Self.target, Self.old], [Self.target, Self.old, Self.new]])
        func make(_ fills: Bool) throws -> String {
            try server.makePartner(of: "A", as: Self.new, forward: forward, backward: backward, fills: fills)
        }
        let id = try make(true)
        #expect(try server.send("POST", "/partners/\(id)/abort", [:]).json["state"] == "aborted")
        let path = try server.recovery(of: 2)
        for batch in batches {
            let kept = try server.send("POST", "\(path)/changes", batch, version: 2)
            #expect(kept.status == 201, "\(kept.json)")
        }
        _ = try make(fills)
        let done = try server.send("POST", "\(path)/replay")
        #expect(done.status == 200, "\(done.json)")
        let left = done.json["leftOut"]?.elements ?? []
        return (left.map { [$0["class"], $0["key"], $0["property"]] }, server)
    }

    private static func upserts(_ objects: (String, JSONValue)...) -> JSONValue {
        ["upserts": .array(objects.map { ["class": .string($0.0), "object": $0.1] })]
    }

    private static let forward = "o => ({ n: String(Math.round(o.n / 10)), z: o.z, t: o.t })"
    private static let backward =
        "o => { if (o.n === 'forty') throw Error('no number'); return { n: Number(o.n) * 10, z: o.z, t: o.t } }"

    @Test(arguments: [true, false]) func `write nothing that they do not concern`(fills: Bool) throws {
        let (leftOut, server) = try replay(
            [Self.upserts(("B", ["_id": 1, "z": "mine"]), ("B", ["_id": 2]))], forward: Self.forward,
            backward: Self.backward, fills: fills)
        #expect(leftOut.isEmpty)
        #expect(try server.object("A", 1)?["n"] == 14)
        #expect(try server.object("A", 1)?["z"] == "mine")
        #expect(try server.object("A", 2)?["n"] == 14)
    }

    @Test(arguments: [true, false])
    func `are left out where a function refuses a value of an object on both sides`(fills: Bool) throws {
        let (leftOut, server) = try replay(
            [
                Self.upserts(("A", ["_id": 1, "z": "mine"]), ("B", ["_id": 1, "n": "forty"])),
                Self.upserts(("A", ["_id": 2, "z": "another"])),
            ], forward: Self.forward, backward: Self.backward, fills: fills)
        #expect(leftOut == [["B", 1, .null]])
        #expect(try server.object("A", 1)?["z"] == "mine")
        #expect(try server.object("A", 2)?["z"] == "another")
    }

    @Test func `are left out where a function fails for what loses a link`() throws {
        let (leftOut, server) = try replay(
            [["deletes": [["class": "T", "key": 101]]], Self.upserts(("B", ["_id": 2, "z": "another"]))],
            forward: "o => { if (o.t === null) throw Error('no team'); return { n: '1', z: o.z, t: o.t } }",
            backward: "o => ({ z: o.z })", fills: true)
        #expect(leftOut == [["T", 101, .null]])
        #expect(try server.object("T", 101) != nil)
        #expect(try server.object("A", 2)?["z"] == "another")
    }

    @Test(arguments: [true, false])
    func `are left out where a function makes a link to nothing of a value`(fills: Bool) throws {
        let (leftOut, server) = try replay(
            [Self.upserts(("B", ["_id": 1, "t": 999, "z": "mine"]))], forward: Self.forward, backward: Self.backward,
            fills: fills)
        #expect(leftOut == [["B", 1, "t"]])
        #expect(try server.object("A", 1)?["t"] == 101)
        #expect(try server.object("A", 1)?["z"] == "mine")
    }
}
