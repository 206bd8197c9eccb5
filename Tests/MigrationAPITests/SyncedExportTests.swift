import Columns
import RealmFile
import RealmJSON
import RealmModel
import TestHTTP
import Testing

@testable import MigrationAPI

/// A Realm file of a synced realm has what Realm JSON of the same snapshot has, and nothing that clients do not see any more.
@Suite struct SyncedExportTests {
    /// The objects of the current snapshot, as Realm JSON and as the JSON of its Realm file.
    private func exports(of server: PartnerServer, _ parameters: String = "") throws -> (
        json: JSONValue, file: JSONValue
    ) {
        let id = try #require(try server.send("GET").json["currentSnapshot"]?.string)
        func content(_ type: String) throws -> SocketResponse {
            try server.server.send("GET", "/v1/snapshots/\(id)/content\(parameters)", fields: [("Accept", type)])
        }
        let file = try content("application/x-realm")
        #expect(file.status == 200, "\(file.text)")
        let store = MemorySegmentStore()
        let snapshot = try file.body.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store) }
        var writer = RealmJSONWriter(snapshot, from: store, layout: .document)
        var bytes: [UInt8] = []
        while let chunk = try writer.next() { bytes += chunk }
        return (try content("application/json").json, try JSONValue.parse(bytes))
    }

    private func expectSame(_ server: PartnerServer, of className: String, properties: [String]) throws {
        let (json, file) = try exports(of: server)
        for export in [json, file] {
            let classes = export["schema"]?.elements ?? []
            #expect(classes.map { $0["name"]?.string } == [className])
            #expect(classes.first?["properties"]?.members?.map(\.name).sorted() == properties)
        }
        let objects = [json, file].map { $0["objects"]?[className]?.elements ?? [] }
        #expect(objects[0].count == 3 && objects[1].count == 3)
        for (one, other) in zip(objects[0], objects[1]) {
            for property in properties { #expect(one[property] == other[property]) }
        }
        let anonymized = try exports(of: server, "?anonymize=true").file
        #expect(anonymized["schema"]?.elements?.first?["properties"]?.members?.count == properties.count)
    }

    @Test(arguments: ["abort", "cut-over"])
    func `no side that left the schema`(end: String) throws {
        let server = try PartnerServer()
        let id = try server.makePartner()
        #expect(try server.send("POST", "/partners/\(id)/\(end)", [:]).status == 200)
        try expectSame(
            server, of: end == "abort" ? "Person" : "PersonV2",
            properties: end == "abort" ? ["_id", "age", "name"] : ["_id", "age", "email", "name"])
    }

    @Test func `no property that left the schema, and no earlier values of another`() throws {
        let server = try PartnerServer()
        #expect(try server.send("POST", "/sync/terminate").status == 200)
        let schema: JSONValue = [
            ["name": "Person", "primaryKey": "_id", "properties": ["_id": "int", "age": "string"]]
        ]
        #expect(try server.send("POST", "/sync/enable", ["schema": schema]).status == 200)
        #expect(
            try server.send(
                "POST", "/backfills", ["class": "Person", "property": "age", "script": "o => String(o.age)"]
            )
            .status == 202)
        #expect(try server.endedJob()["state"] == "succeeded")
        try expectSame(server, of: "Person", properties: ["_id", "age"])
    }

    @Test func `no embedded objects of a side that left the schema, and all of the other`() throws {
        func schema(_ name: String) -> JSONValue {
            [
                "name": .string(name), "primaryKey": "_id",
                "properties": ["_id": "int", "home": ["type": "object", "objectType": "Home", "optional": true]],
            ]
        }
        let homes: JSONValue = [
            ["name": "Room", "embedded": true, "properties": ["name": "string"]],
            [
                "name": "Home", "embedded": true,
                "properties": ["street": "string", "rooms": ["type": "list", "objectType": "Room"]],
            ],
        ]
        let server = try PartnerServer(
            .array([schema("Person")] + (homes.elements ?? [])),
            ["Person": [["_id": 1, "home": ["street": "a", "rooms": [["name": "b"]]]], ["_id": 2, "home": .null]]])
        let made = try server.send(
            "POST", "/partners",
            [
                "class": "Person", "partner": schema("PersonV2"), "forward": "o => ({ home: o.home })",
                "backward": "o => ({ home: o.home })",
            ])
        let id = try #require(made.json["id"]?.string, "\(made.json)")
        try server.fill(id)
        #expect(try server.send("POST", "/partners/\(id)/abort", [:]).status == 200)
        let (json, file) = try exports(of: server)
        #expect(file["objects"]?["Person"] == json["objects"]?["Person"])
        let current = try #require(try server.send("GET").json["currentSnapshot"]?.string)
        let bytes = try server.server.send(
            "GET", "/v1/snapshots/\(current)/content", fields: [("Accept", "application/x-realm")]
        ).body
        let snapshot = try bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: MemorySegmentStore()) }
        let counts = snapshot.classes.map { "\($0.schema.name) \($0.objectCount)" }
        #expect(counts.sorted() == ["Home 1", "Person 2", "Room 1"])
    }
}
