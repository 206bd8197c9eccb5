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

    @Test func `shows nothing yet of what only the client's model has`() throws {
        #expect(try note(version: 2) == ["_id": 1, "title": "note 1", "rating": 1, "color": .null])
        var more = try #require(Samples.shared.elements)
        more.append(["name": "Folder", "primaryKey": "_id", "properties": ["_id": "int"]])
        more[0] = try #require(Samples.shared(adding: [JSONMember("size", "int")]).elements?[0])
        try synced.declare(4, .array(more))
        #expect(try note(version: 4) == ["_id": 1, "title": "note 1", "rating": 1])
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
