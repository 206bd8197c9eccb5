import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `Objects of a synced realm that lack a required value` {
    private static let size = JSONMember("size", "int")

    @Test func `are listed with the reason, and counted`() throws {
        let synced = try SyncedServer(followsJobs: true)
        let nothing: JSONValue = ["count": 0, "items": [], "next": .null]
        #expect(try synced.send("GET", "/unsynced").json == nothing)
        try synced.grow([Self.size])
        let first = try synced.send("GET", "/unsynced?limit=2").json
        #expect(first["count"] == 3)
        let reason: JSONValue = "The required property 'Note.size' is missing."
        #expect(
            first["items"]?.elements == [
                ["class": "Note", "key": 0, "reason": reason], ["class": "Note", "key": 1, "reason": reason],
            ])
        let next = try #require(first["next"]?.string)
        let rest = try synced.send("GET", "/unsynced?limit=2&cursor=\(next)").json
        #expect(rest["items"]?.elements?.map { $0["key"] } == [2])
        #expect(rest["next"] == .null)
        for cursor in ["x", "0.zz", "0.f", "zz"] {
            #expect(try synced.send("GET", "/unsynced?cursor=\(cursor)").problem == "invalid_cursor")
        }
    }

    @Test func `are given a value by a job, and reach clients again`() throws {
        let synced = try SyncedServer(followsJobs: true)
        try synced.grow([Self.size])
        #expect(try synced.send("GET", "/objects/Note").json["items"] == [])
        let job = try synced.ended("/backfills", ["class": "Note", "property": "size", "value": 7])
        #expect(job["state"] == "succeeded", "\(job)")
        #expect(job["kind"] == "backfill")
        #expect(job["class"] == "Note")
        #expect(job["property"] == "size")
        #expect(job["value"] == 7)
        #expect(job["progress"]?["objectsDone"] == 3)
        #expect(try synced.sync["unsyncedCount"] == 0)
        let note = try synced.send("GET", "/objects/Note/1").json
        #expect(note == ["_id": 1, "title": "note 1", "rating": 1, "size": 7])
        // Nothing is left to do.
        let again = try synced.ended("/backfills", ["class": "Note", "property": "size", "value": 9])
        #expect(again["state"] == "succeeded")
        #expect(try synced.send("GET", "/objects/Note/1").json == note)
    }

    @Test func `are given what a function answers for each`() throws {
        let synced = try SyncedServer(followsJobs: true)
        try synced.grow([Self.size])
        let job = try synced.ended(
            "/backfills",
            ["class": "Note", "property": "size", "script": "o => o.title.length * 10 + o.rating"], runsScripts: true)
        #expect(job["state"] == "succeeded", "\(job)")
        let notes = try synced.send("GET", "/objects/Note").json["items"]?.elements
        #expect(notes?.map { $0["size"] } == [60, 61, 62])
    }

    @Test func `stay as they are where the function answers nothing`() throws {
        let synced = try SyncedServer(followsJobs: true)
        try synced.grow([Self.size])
        let job = try synced.ended(
            "/backfills", ["class": "Note", "property": "size", "script": "o => o._id == 1 ? undefined : 1"],
            runsScripts: true)
        #expect(job["state"] == "failed")
        #expect(job["error"]?["code"] == "missing_property_value")
        #expect(job["error"]?["errors"]?.elements?.first?["key"] == 1)
        #expect(try synced.sync["unsyncedCount"] == 3)
    }

    @Test(
        arguments: [
            (["class": "Cat", "property": "size", "value": 1], "unknown_class"),
            (["class": "Note", "property": "height", "value": 1], "unknown_property"),
            (["class": "Note", "property": "rating", "value": 1], "never_lacking"),
            (["class": "Tag", "property": "notes", "value": []], "never_lacking"),
            (["class": "Note", "property": "title", "value": 1], "type_mismatch"),
            (["class": "Note", "property": "title"], "malformed_document"),
            (["class": "Note", "property": "title", "value": "x", "script": "o => 1"], "malformed_document"),
            (["class": "Note", "value": "x"], "malformed_document"),
            (["class": "Note", "property": "title", "value": "x", "what": 1], "unknown_member"),
        ] as [(JSONValue, String)])
    func `are given nothing by a backfill that can't be`(body: JSONValue, code: String) throws {
        let synced = try SyncedServer()
        #expect(try synced.send("POST", "/backfills", body).problem == code)
        #expect(try synced.server.send("GET", "/v1/jobs").json["items"] == [])
    }

    @Test func `are in synced realms alone`() throws {
        let synced = try SyncedServer()
        #expect(try synced.server.upload(Samples.realm().encoded()).status == 201)
        let local = "/v1/apps/shop/realms/ada"
        let nothing: JSONValue = ["count": 0, "items": [], "next": .null]
        #expect(try synced.server.send("GET", "\(local)/unsynced").json == nothing)
        let body: JSONValue = ["class": "Person", "property": "id", "value": 1]
        let refused = try synced.server.send("POST", "\(local)/backfills", body)
        #expect(refused.status == 409)
        #expect(refused.problem == "realm_not_synced")
    }
}

@Suite struct `A client's model` {
    private static let grown = Samples.shared(adding: [
        JSONMember("color", "string?"), JSONMember("size", "int"),
    ])

    private func developing() throws -> SyncedServer {
        let synced = try SyncedServer(followsJobs: true)
        _ = try synced.send("PUT", "", ["kind": "synced", "developmentMode": true])
        return synced
    }

    @Test func `adds classes and properties in development mode`() throws {
        let synced = try developing()
        var model = try #require(Self.grown.elements)
        model.append(["name": "Folder", "primaryKey": "_id", "properties": ["_id": "int", "notes": "Note[]"]])
        let answer = try synced.send("POST", "/model", ["schema": .array(model)])
        #expect(answer.status == 201)
        #expect(
            answer.json["added"]?.elements?.map { $0["kind"] } == [
                "addObjectType", "addOptionalProperty", "addRequiredProperty",
            ])
        #expect(try synced.send("GET").json["currentSnapshot"] == answer.json["id"])
        #expect(try synced.sync["unsyncedCount"] == 3)
        #expect(try synced.send("GET", "/objects/Folder").json["items"] == [])
        let again = try synced.send("POST", "/model", ["schema": .array(model)])
        #expect(again.status == 200)
        #expect(again.json["added"] == [])
        #expect(again.json["id"] == answer.json["id"])
    }

    @Test func `that is smaller takes nothing away`() throws {
        let synced = try developing()
        let small: JSONValue = [["name": "Note", "primaryKey": "_id", "properties": ["_id": "int"]]]
        let answer = try synced.send("POST", "/model", ["schema": small])
        #expect(answer.status == 200)
        #expect(try synced.send("GET", "/objects/Note/1").json == ["_id": 1, "title": "note 1", "rating": 1])
    }

    @Test(
        arguments: [
            ["_id": "int", "title": "int"], ["_id": "int", "rating": "int"], ["_id": "int", "title": "string?"],
            ["_id": "string"],
        ] as [JSONValue])
    func `that contradicts the schema is refused`(properties: JSONValue) throws {
        let synced = try developing()
        let before = try synced.send("GET").json
        let model: JSONValue = [["name": "Note", "primaryKey": "_id", "properties": properties]]
        let answer = try synced.send("POST", "/model", ["schema": model])
        #expect(answer.status == 422)
        #expect(answer.problem == "synced_breaking_change")
        #expect(try synced.send("GET").json == before)
    }

    @Test func `adds nothing outside of development mode`() throws {
        let synced = try SyncedServer()
        let answer = try synced.send("POST", "/model", ["schema": Self.grown])
        #expect(answer.status == 409)
        #expect(answer.problem == "development_mode_off")
        #expect(answer.json["errors"]?.elements?.count == 2)
        #expect(try synced.send("POST", "/model", ["schema": Samples.shared]).status == 200)
        #expect(try synced.send("POST", "/model", [:]).problem == "malformed_document")
        #expect(try synced.server.upload(Samples.realm().encoded()).status == 201)
        let local = try synced.server.send(
            "POST", "/v1/apps/shop/realms/ada/model", ["schema": Samples.schema])
        #expect(local.problem == "realm_not_synced")
    }
}
