import RealmJSON
import RealmModel
import TestHTTP
import Testing

@testable import MigrationAPI

/// Every client reads the realm as its own schema version declared it.
@Suite struct `Reading a synced realm` {
    private let synced: SyncedServer

    /// Version 1 is the first, version 2 has more, version 3 has less.
    init() throws {
        synced = try SyncedServer(followsJobs: true)
        try synced.declare(2, Self.grown)
        try synced.declare(
            3, [["name": "Note", "primaryKey": "_id", "properties": ["_id": "int", "color": "string?"]]])
    }

    private static let color = JSONMember("color", ["type": "string", "optional": true, "default": "red"])
    private static let grown = Samples.shared(adding: [color])

    private func note(_ key: Int = 1, version: Int? = nil) throws -> JSONValue {
        try synced.send("GET", "/objects/Note/\(key)", version: version).json
    }

    @Test func `hides later additions, shows what another version removed, and all to those who name none`() throws {
        try synced.grow([Self.color])
        #expect(try note() == ["_id": 1, "title": "note 1", "rating": 1, "color": .null])
        #expect(try note(version: 1) == ["_id": 1, "title": "note 1", "rating": 1])
        #expect(try note(version: 2) == ["_id": 1, "title": "note 1", "rating": 1, "color": .null])
        #expect(try note(version: 3) == ["_id": 1, "color": .null])
        let page = try synced.send("GET", "/objects/Note?limit=2", version: 1).json
        #expect(page["items"]?.elements?.map { $0["_id"] } == [0, 1])
        let next = try #require(page["next"]?.string)
        let rest = try synced.send("GET", "/objects/Note?cursor=\(next)", version: 1).json
        #expect(rest["items"]?.elements == [["_id": 2, "title": "note 2", "rating": 2]])
        #expect(rest["next"] == .null)
        #expect(try synced.send("GET", "/objects/Tag/new", version: 2).json == ["_id": "new", "notes": [0, 2]])
        #expect(try synced.send("GET", "/objects/Tag", version: 3).problem == "class_not_found")
    }

    @Test
    func `gives what a client makes null, the type's empty value or the default in what its version does not show`()
        throws
    {
        try synced.grow([Self.color, JSONMember("size", ["type": "int", "default": 4]), JSONMember("draft", "bool")])
        _ = try synced.ended("/backfills", ["class": "Note", "property": "size", "value": 1])
        _ = try synced.ended("/backfills", ["class": "Note", "property": "draft", "value": true])
        // Version 3 has neither title nor rating, version 1 none of what was added.
        let made: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 7, "color": "blue"]]]]
        #expect(try synced.send("POST", "/changes", made, version: 3).status == 201)
        #expect(
            try note(7) == [
                "_id": 7, "title": "", "rating": .null, "color": "blue", "size": 4, "draft": false,
            ])
        #expect(try note(7, version: 1) == ["_id": 7, "title": "", "rating": .null])
        let old: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 8, "title": "old", "rating": 2]]]]
        #expect(try synced.send("POST", "/changes", old, version: 1).status == 201)
        #expect(
            try note(8) == [
                "_id": 8, "title": "old", "rating": 2, "color": "red", "size": 4, "draft": false,
            ])
        // A version leaves properties that it does not show as they are.
        let changed: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "color": "green"]]]]
        #expect(try synced.send("POST", "/changes", changed, version: 3).status == 201)
        #expect(try note(1, version: 1) == ["_id": 1, "title": "note 1", "rating": 1])
    }

    @Test func `takes and shows the names that a version's programs use`() throws {
        try synced.declare(
            5,
            [
                [
                    "name": "Note", "primaryKey": "_id",
                    "properties": ["_id": "int", "heading": ["type": "string", "mapTo": "title"]],
                ]
            ])
        #expect(try note(version: 5) == ["_id": 1, "heading": "note 1"])
        let changed: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "heading": "other"]]]]
        #expect(try synced.send("POST", "/changes", changed, version: 5).status == 201)
        #expect(try note(version: 1) == ["_id": 1, "title": "other", "rating": 1])
    }

    @Test func `keeps no value of what only the client's model has`() throws {
        var more = try #require(Samples.shared.elements)
        more[0] = try #require(Samples.shared(adding: [JSONMember("size", "int?")]).elements?[0])
        try synced.declare(6, .array(more))
        let sized: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "size": 3]]]]
        #expect(try synced.send("POST", "/changes", sized, version: 6).status == 422)
        let plain: JSONValue = ["upserts": [["class": "Note", "object": ["_id": 1, "rating": 3]]]]
        #expect(try synced.send("POST", "/changes", plain, version: 6).status == 201)
        #expect(try note(version: 6) == ["_id": 1, "title": "note 1", "rating": 3, "size": .null])
    }

    @Test func `shows nothing yet of what only the client's model has`() throws {
        #expect(try note(version: 2) == ["_id": 1, "title": "note 1", "rating": 1, "color": .null])
        var more = try #require(Samples.shared.elements)
        more.append(["name": "Folder", "primaryKey": "_id", "properties": ["_id": "int"]])
        more[0] = try #require(Samples.shared(adding: [JSONMember("size", "int")]).elements?[0])
        try synced.declare(4, .array(more))
        // A required property is the type's empty value, as in a realm that gets the object.
        #expect(try note(version: 4) == ["_id": 1, "title": "note 1", "rating": 1, "size": 0])
        #expect(try synced.send("GET", "/objects/Folder", version: 4).json == ["items": [], "next": .null])
        #expect(try synced.send("GET", "/objects/Folder/1", version: 4).problem == "object_not_found")
    }

    @Test func `leaves out objects that lack a required value, whatever the version`() throws {
        try synced.grow([JSONMember("size", "int")])
        for version in [nil, 1, 2] as [Int?] {
            #expect(try synced.send("GET", "/objects/Note", version: version).json["items"] == [])
            #expect(try synced.send("GET", "/objects/Note/1", version: version).problem == "object_not_found")
        }
        #expect(try synced.send("GET", "/objects/Tag").json["items"]?.elements?.count == 1)
    }

    @Test func `is refused to versions that nobody declared, and to those that the schema does not serve`() throws {
        let unknown = try synced.send("GET", "/objects/Note", version: 9)
        #expect(unknown.status == 422)
        #expect(unknown.problem == "schema_version_unknown")
        let other: JSONValue = [["name": "Note", "primaryKey": "_id", "properties": ["_id": "int", "title": "int"]]]
        try synced.declare(7, other)
        let reset = try synced.send("GET", "/objects/Note/1", version: 7)
        #expect(reset.status == 409)
        #expect(reset.problem == "client_reset_required")
        #expect(reset.json["errors"]?.elements?.first?["property"] == "title")
        for text in ["", "x", "-1", "1.5", "99999999999999999999"] {
            let answer = try synced.server.send(
                "GET", "\(SyncedServer.realm)/objects/Note", fields: [("Realm-Schema-Version", text)])
            #expect(answer.status == 400)
            #expect(answer.problem == "invalid_header")
        }
    }

    @Test func `finds no class and no object that is not there`() throws {
        #expect(try synced.send("GET", "/objects/Cat").problem == "class_not_found")
        #expect(try synced.send("GET", "/objects/Note/17").problem == "object_not_found")
        #expect(try synced.send("GET", "/objects/Note/x").problem == "object_not_found")
        #expect(try synced.send("GET", "/objects/Note?cursor=x").problem == "invalid_cursor")
        _ = try synced.server.send("PUT", "/v1/apps/shop/realms/empty", ["kind": "synced"])
        let empty = try synced.server.send("GET", "/v1/apps/shop/realms/empty/objects/Note")
        #expect(empty.problem == "snapshot_not_found")
    }

    @Test func `is possible of a local realm, too`() throws {
        #expect(try synced.server.upload(Samples.realm().encoded()).status == 201)
        let dog = try synced.server.send("GET", "/v1/apps/shop/realms/ada/objects/Dog/4")
        #expect(dog.json == ["_key": 4, "name": "Rex"])
    }

    @Test func `waits for sync where it is not enabled`() throws {
        let limited = try SyncedServer(followsJobs: true, unsyncedLimit: 2)
        try limited.grow([JSONMember("size", "int")])
        let answer = try limited.send("GET", "/objects/Tag")
        #expect(answer.status == 409)
        #expect(answer.problem == "sync_terminate_required")
    }
}
