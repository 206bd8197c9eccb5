import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Sync that is terminated and enabled with a schema that breaks with the one before.
@Suite struct `Terminating sync and enabling it again` {
    private let synced: SyncedServer

    init() throws {
        synced = try SyncedServer(followsJobs: true)
        try synced.declare(2, Self.changed)
    }

    /// The notes' rating becomes text, and their title goes.
    private static let changed: JSONValue = [
        ["name": "Note", "primaryKey": "_id", "properties": ["_id": "int", "rating": "string", "size": "int?"]],
        Samples.shared.elements?[1] ?? .null,
    ]

    private func terminated() throws {
        let answer = try synced.send("POST", "/sync/terminate")
        #expect(answer.status == 200)
        #expect(answer.json["sync"]?["state"] == "terminated")
    }

    private func enabled(_ schema: JSONValue = changed) throws {
        try terminated()
        let answer = try synced.send("POST", "/sync/enable", ["schema": schema])
        #expect(answer.status == 200, "\(answer.json)")
        #expect(answer.json["sync"]?["state"] == "enabled")
    }

    /// The recovery that a client of version 1 is told of.
    private func recovery() throws -> String {
        let answer = try synced.send("GET", "/objects/Note", version: 1)
        #expect(answer.status == 409)
        #expect(answer.problem == "client_reset_required")
        return try #require(answer.json["recovery"]?.string)
    }

    @Test func `keeps clients out while it is terminated`() throws {
        try terminated()
        #expect(try synced.send("GET", "/objects/Note").problem == "sync_terminated")
        let change: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "rating": 9]]]]
        #expect(try synced.send("POST", "/changes", change, version: 1).problem == "sync_terminated")
        #expect(try synced.send("POST", "/model", ["schema": Samples.shared]).problem == "sync_terminated")
        let backfill: JSONValue = ["class": "Note", "property": "title", "value": "x"]
        #expect(try synced.send("POST", "/backfills", backfill).problem == "sync_terminated")
        #expect(try synced.send("GET").json["sync"]?["state"] == "terminated")
        try terminated()
    }

    @Test func `takes a schema that breaks, and keeps every value`() throws {
        try enabled()
        #expect(try synced.send("GET", "/objects/Note", version: 2).json["items"] == [])
        let unsynced = try synced.send("GET", "/unsynced").json
        #expect(unsynced["count"] == 3)
        #expect(
            unsynced["items"]?.elements?.first?["reason"]
                == "The property 'Note.rating' has no value; an old one of type 'int' is kept.")
    }

    @Test func `lets a function turn old values into new ones, and clients have the objects again`() throws {
        try enabled()
        let job = try synced.ended(
            "/backfills", ["class": "Note", "property": "rating", "script": "o => o.title + '*'.repeat(o.rating)"],
            runsScripts: true)
        #expect(job["state"] == "succeeded", "\(job)")
        let notes = try synced.send("GET", "/objects/Note", version: 2).json["items"]?.elements
        #expect(
            notes == [
                ["_id": 0, "rating": "note 0", "size": .null], ["_id": 1, "rating": "note 1*", "size": .null],
                ["_id": 2, "rating": "note 2**", "size": .null],
            ])
    }

    private static func schema(rating: JSONValue, notes: JSONValue) -> JSONValue {
        [
            [
                "name": "Note", "primaryKey": "_id",
                "properties": ["_id": "int", "title": "string", "rating": rating],
            ],
            ["name": "Tag", "primaryKey": "_id", "properties": ["_id": "string", "notes": notes]],
        ]
    }

    private func backfilled(_ className: JSONValue, _ property: JSONValue, _ script: JSONValue) throws {
        let order: JSONValue = ["class": className, "property": property, "script": script]
        let job = try synced.ended("/backfills", order, runsScripts: true)
        #expect(job["state"] == "succeeded", "\(job)")
    }

    /// Nobody would hear of values that are out of sight.
    @Test func `counts objects whose optional value or elements are of another type now, until all are filled`() throws
    {
        try enabled(Self.schema(rating: "string?", notes: "int[]"))
        #expect(try synced.sync["unsyncedCount"] == 4)
        #expect(try synced.send("GET", "/objects/Tag").json["items"] == [])
        let cleared: JSONValue = [
            "upserts": [
                ["class": "Note", "object": ["_id": 0, "rating": .null]],
                ["class": "Note", "object": ["_id": 1, "title": "still"]],
            ]
        ]
        let answer = try synced.send("POST", "/changes", cleared)
        #expect(answer.json["unsynced"]?.elements?.map { $0["key"] } == [1], "\(answer.json)")
        #expect(try synced.sync["unsyncedCount"] == 3)
        try backfilled("Note", "rating", "o => o.rating === 1 ? null : 'r' + o.rating")
        try backfilled("Tag", "notes", "o => o.notes.map(n => n + 10)")
        #expect(try synced.sync["unsyncedCount"] == 0)
        let notes = try synced.send("GET", "/objects/Note").json["items"]?.elements
        #expect(notes?.map { $0["rating"] } == [.null, .null, "r2"])
        #expect(try synced.send("GET", "/objects/Tag").json["items"]?.elements?.map { $0["notes"] } == [[10, 12]])
        // Nothing is left to do, and nothing is done twice.
        try backfilled("Note", "rating", "o => 'again'")
        #expect(try synced.send("GET", "/objects/Note/0").json["rating"] == .null)
    }

    @Test func `leaves links to be set to clients, and puts old values back with their type`() throws {
        let link: JSONValue = ["type": "object", "objectType": "Tag", "optional": true]
        try enabled(Self.schema(rating: link, notes: "Note[]"))
        #expect(try synced.sync["unsyncedCount"] == 3)
        let order: JSONValue = ["class": "Note", "property": "rating", "value": "new"]
        #expect(try synced.send("POST", "/backfills", order).problem == "links_not_filled")
        try enabled(Samples.shared)
        #expect(try synced.sync["unsyncedCount"] == 0)
        #expect(try synced.send("GET", "/objects/Note/2").json["rating"] == 2)
        try enabled(Self.schema(rating: link, notes: "Note[]"))
        let linked: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "rating": "new"]]]]
        #expect(try synced.send("POST", "/changes", linked).json["unsynced"] == [])
        #expect(try synced.sync["unsyncedCount"] == 2)
        #expect(try synced.send("GET", "/objects/Note/1").json["rating"] == "new")
    }

    @Test func `resets clients of the old version, whose unsent changes are kept, shown and done`() throws {
        try enabled()
        let path = "/recoveries/\(try recovery())"
        let unsent: JSONValue = [
            "upserts": [
                ["class": "Note", "object": ["_id": 1, "title": "mine", "rating": 8]],
                ["class": "Note", "object": ["_id": 9, "title": "new", "rating": 1]],
                ["class": "Tag", "object": ["_id": "old", "notes": [0]]],
            ], "deletes": [["class": "Note", "key": 2]],
        ]
        #expect(try synced.send("POST", "\(path)/changes", unsent).problem == "invalid_header")
        let kept = try synced.send("POST", "\(path)/changes", unsent, version: 1)
        #expect(kept.status == 201)
        #expect(kept.json["ordinal"] == 1)

        _ = try synced.ended(
            "/backfills", ["class": "Note", "property": "rating", "value": "-"], runsScripts: false)
        let shown = try synced.send("GET", path).json
        let objects = try #require(shown["batches"]?.elements?.first?["objects"]?.elements)
        #expect(
            objects[0] == [
                "class": "Note", "key": 1, "sent": ["_id": 1, "title": "mine", "rating": 8],
                "current": ["_id": 1, "rating": "-", "size": .null], "currentClass": "Note",
            ])
        #expect(objects[1]["current"] == .null)
        #expect(objects[3]["sent"] == .null)

        let replayed = try synced.send("POST", "\(path)/replay")
        #expect(replayed.status == 200, "\(replayed.json)")
        #expect(replayed.json["applied"] == 3)
        let leftOut = try #require(replayed.json["leftOut"]?.elements)
        #expect(leftOut.map { $0["property"] } == ["title", "rating", "title", "rating", "rating"])
        #expect(try synced.send("GET", "/objects/Note/2", version: 2).problem == "object_not_found")
        #expect(try synced.send("GET", "/objects/Tag/old").json == ["_id": "old", "notes": [0]])
        #expect(try synced.send("GET", "/objects/Note/9").problem == "object_not_found")
        // Changes that were left out are there still, and nothing is done twice.
        let after = try synced.send("GET", path).json["batches"]?.elements?.first
        #expect(after?["replayedAt"] != .null)
        #expect(after?["objects"]?.elements?[0]["sent"]?["title"] == "mine")
        let again = try synced.send("POST", "\(path)/replay").json
        #expect(again["applied"] == 0 && again["leftOut"] == replayed.json["leftOut"])
        #expect(after?["leftOut"]?.elements?.map { $0["property"] } == leftOut.map { $0["property"] })
    }

    @Test func `leaves out unsent objects that link to what is not there, and does the others`() throws {
        try enabled()
        let path = "/recoveries/\(try recovery())"
        let unsent: JSONValue = [
            "upserts": [
                ["class": "Tag", "object": ["_id": "whole", "notes": [0, 1]]],
                ["class": "Tag", "object": ["_id": "dead", "notes": [0, 77]]],
            ]
        ]
        #expect(try synced.send("POST", "\(path)/changes", unsent, version: 1).status == 201)
        let replayed = try synced.send("POST", "\(path)/replay")
        #expect(replayed.status == 200, "\(replayed.json)")
        #expect(replayed.json["applied"] == 1)
        #expect(
            replayed.json["leftOut"] == [
                [
                    "class": "Tag", "key": "dead", "property": .null,
                    "reason": "The object links to an object of the class 'Note' that is not there.", "ordinal": 1,
                ]
            ])
        // No client is shown links to notes that lack a value.
        #expect(try synced.send("GET", "/objects/Tag/whole").json["notes"] == [])
        let kept = try synced.send("GET", "/objects/Tag/whole").json
        #expect(kept["_id"] == "whole", "\(kept)")
        #expect(try synced.send("GET", "/objects/Tag/dead").problem == "object_not_found")
    }

    @Test func `serves versions that fit the new schema as before`() throws {
        try enabled(Samples.shared(adding: [JSONMember("size", "int?")]))
        let note = try synced.send("GET", "/objects/Note/1", version: 1).json
        #expect(note == ["_id": 1, "title": "note 1", "rating": 1])
    }

    @Test func `is needed where one wants what breaks, and asks for a schema that clients can share`() throws {
        let early = try synced.send("POST", "/sync/enable", ["schema": Self.changed])
        #expect(early.status == 409)
        #expect(early.problem == "sync_not_terminated")
        try terminated()
        let invalid: JSONValue = [["name": "Note", "primaryKey": "id", "properties": ["id": "int"]]]
        #expect(try synced.send("POST", "/sync/enable", ["schema": invalid]).problem == "schema_invalid")
        let otherKey: JSONValue = [["name": "Note", "primaryKey": "_id", "properties": ["_id": "string"]]]
        #expect(try synced.send("POST", "/sync/enable", ["schema": otherKey]).problem == "synced_breaking_change")
        #expect(try synced.sync["state"] == "terminated")
    }

    @Test func `ends the state of too many unsynced objects where the new schema asks for less`() throws {
        let limited = try SyncedServer(followsJobs: true, unsyncedLimit: 2)
        try limited.grow([JSONMember("size", "int")])
        #expect(try limited.sync["state"] == "terminateRequired")
        let change: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "rating": 9]]]]
        #expect(try limited.send("POST", "/changes", change).problem == "sync_terminate_required")
        #expect(try limited.send("POST", "/sync/terminate").status == 200)
        let optional = Samples.shared(adding: [JSONMember("size", "int?")])
        #expect(try limited.send("POST", "/sync/enable", ["schema": optional]).status == 200)
        #expect(try limited.sync["state"] == "enabled")
        #expect(try limited.sync["unsyncedCount"] == 0)
        #expect(try limited.send("POST", "/changes", change).status == 201)
    }

    @Test func `says of changed objects that they are unsynced still`() throws {
        try synced.grow([JSONMember("size", "int"), JSONMember("height", "int")])
        let change: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "size": 9]]]]
        let answer = try synced.send("POST", "/changes", change)
        #expect(answer.status == 201, "\(answer.json)")
        #expect(
            answer.json["unsynced"] == [
                ["class": "Note", "key": 1, "reason": "The required property 'Note.height' is missing."]
            ])
        let rest: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "height": 2]]]]
        #expect(try synced.send("POST", "/changes", rest).json["unsynced"] == [])
        #expect(try synced.sync["unsyncedCount"] == 2)
    }

    @Test func `finds no recovery that is not there, and none in local realms`() throws {
        let id = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
        for name in [id, "x"] {
            #expect(try synced.send("GET", "/recoveries/\(name)").problem == "recovery_not_found")
            #expect(try synced.send("POST", "/recoveries/\(name)/replay").problem == "recovery_not_found")
        }
        #expect(try synced.server.upload(Samples.realm().encoded()).status == 201)
        let local = try synced.server.send("POST", "/v1/apps/shop/realms/ada/sync/terminate")
        #expect(local.problem == "realm_not_synced")
    }

    @Test(
        arguments: [
            ["upserts": [["class": "Cat", "object": ["_id": 1]]]],
            ["upserts": [["class": "Note", "object": ["title": "x"]]]],
            ["upserts": [["class": "Note"]]], ["deletes": [["class": "Note"]]], ["upserts": 1],
        ] as [JSONValue])
    func `keeps no changes that could never be done`(body: JSONValue) throws {
        try enabled()
        let path = "/recoveries/\(try recovery())"
        #expect(try synced.send("POST", "\(path)/changes", body, version: 1).problem == "malformed_document")
        #expect(try synced.send("GET", path).json["batches"] == [])
    }
}
