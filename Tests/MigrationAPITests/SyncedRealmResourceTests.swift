import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `A synced realm over HTTP` {
    @Test func `takes additions, and neither scripts nor what breaks its clients`() throws {
        let synced = try SyncedServer(followsJobs: true)
        let script: JSONValue = ["language": "javascript", "source": "function migrate() {}"]
        let scripted = try synced.send("POST", "/migrations", ["targetVersion": 1, "migration": script])
        #expect(scripted.status == 422)
        #expect(scripted.problem == "synced_script_not_allowed")
        let shrunk: JSONValue = [
            ["name": "Note", "primaryKey": "_id", "properties": ["_id": "int", "rating": "int?"]],
            Samples.shared.elements?[1] ?? .null,
        ]
        let breaking = try synced.send("POST", "/migrations", ["targetVersion": 2, "schema": shrunk])
        #expect(breaking.status == 422)
        #expect(breaking.problem == "synced_breaking_change")
        #expect(breaking.json["realmCode"] == "InvalidSchemaChange")
        let item = try #require(breaking.json["errors"]?.elements?.first)
        #expect(item["class"] == "Note")
        #expect(item["property"] == "title")
        #expect(item["message"]?.string?.contains("“Remove a required property”") == true)
        try synced.grow([JSONMember("color", "string?")])
        #expect(try synced.send("PUT", "", ["kind": "local"]).problem == "realm_kind_in_use")
    }

    @Test func `needs no version where a schema is given, and one of both at least`() throws {
        let synced = try SyncedServer()
        let grown = Samples.shared(adding: [JSONMember("color", "string?")])
        #expect(try synced.send("POST", "/migrations", ["schema": grown]).status == 202)
        let nothing = try synced.send("POST", "/migrations", [:])
        #expect(nothing.problem == "malformed_document")
        #expect(nothing.json["errors"]?.elements?.first?["pointer"] == "/targetVersion")
        // A local realm's version is raised, not kept.
        #expect(try synced.server.upload(Samples.realm().encoded()).status == 201)
        let local = try synced.server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["schema": Samples.grownSchema])
        #expect(local.problem == "malformed_document")
    }

    @Test func `takes no upload and no restored snapshot beside the first`() throws {
        let synced = try SyncedServer()
        let snapshot = try #require(try synced.send("GET").json["currentSnapshot"])
        let upload = try synced.server.upload(Samples.sharedRealm().encoded(), to: SyncedServer.realm)
        #expect(upload.status == 409)
        #expect(upload.problem == "realm_is_synced")
        let restore = try synced.send("POST", "/restore", ["snapshot": snapshot])
        #expect(restore.status == 409)
        #expect(restore.problem == "realm_is_synced")
        #expect(try synced.send("GET").json["currentSnapshot"] == snapshot)
    }

    @Test func `begins with classes that have a primary key _id`() throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", SyncedServer.realm, ["kind": "synced"])
        let upload = try server.upload(Samples.realm().encoded(), to: SyncedServer.realm)
        #expect(upload.status == 422)
        #expect(upload.problem == "schema_invalid")
        #expect(upload.json["realmCode"] == "SchemaValidationFailed")
        #expect(upload.json["errors"]?.elements?.count == 2)
    }

    @Test func `says how its clients share it`() throws {
        let synced = try SyncedServer(followsJobs: true)
        let fresh: JSONValue = [
            "state": "enabled", "unsyncedCount": 0, "unsyncedLimit": 100_000, "developmentMode": false,
        ]
        #expect(try synced.sync == fresh)
        #expect(try synced.server.send("GET", "/v1/apps/shop/realms").json["items"]?.elements?.first?["sync"] == fresh)
        try synced.grow([JSONMember("size", "int")])
        #expect(try synced.sync["unsyncedCount"] == 3)
        _ = try synced.server.send("PUT", "/v1/apps/shop/realms/mine")
        #expect(try synced.server.send("GET", "/v1/apps/shop/realms/mine").json["sync"] == nil)
    }

    @Test func `is in development mode while that is said`() throws {
        let synced = try SyncedServer()
        let on = try synced.send("PUT", "", ["kind": "synced", "developmentMode": true])
        #expect(on.status == 200)
        #expect(on.json["sync"]?["developmentMode"] == true)
        // Left out, it stays.
        #expect(try synced.send("PUT", "", ["kind": "synced"]).json["sync"]?["developmentMode"] == true)
        #expect(
            try synced.send("PUT", "", ["kind": "synced", "developmentMode": false]).json["sync"]?["developmentMode"]
                == false)
        let local = try synced.server.send(
            "PUT", "/v1/apps/shop/realms/mine", ["kind": "local", "developmentMode": true])
        #expect(local.problem == "malformed_document")
        #expect(local.json["errors"]?.elements?.first?["pointer"] == "/developmentMode")
        let new = try synced.server.send(
            "PUT", "/v1/apps/shop/realms/ours", ["kind": "synced", "developmentMode": true])
        #expect(new.status == 201)
        #expect(new.json["sync"]?["developmentMode"] == true)
    }

    @Test func `needs terminating where more objects are unsynced than the limit permits`() throws {
        let synced = try SyncedServer(followsJobs: true, unsyncedLimit: 2)
        try synced.grow([JSONMember("size", "int")])
        #expect(try synced.sync["state"] == "terminateRequired")
        #expect(try synced.sync["unsyncedLimit"] == 2)
        #expect(try synced.sync["unsyncedCount"] == 3)
    }

    @Test func `is downloaded in formats that can leave out what objects lack`() throws {
        let synced = try SyncedServer(followsJobs: true)
        try synced.grow([JSONMember("size", "int")])
        let snapshot = try #require(try synced.send("GET").json["currentSnapshot"]?.string)
        let path = "/v1/snapshots/\(snapshot)/content"
        let file = try synced.server.send("GET", path, fields: [("Accept", "application/x-realm")])
        #expect(file.status == 409)
        #expect(file.problem == "objects_unsynced")
        #expect(file.json["detail"]?.string?.hasPrefix("3 objects lack") == true)
        let json = try synced.server.send("GET", path, fields: [("Accept", "application/json")])
        #expect(
            json.json["objects"]?["Note"]?.elements?.first == ["_id": 0, "title": "note 0", "rating": 0])
        #expect(try synced.server.send("GET", path, fields: [("Accept", "application/x-ndjson")]).status == 200)
    }
}
