import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// An object has one path: that of the text that Realm JSON writes for its key.
@Suite struct `Paths of objects` {
    private let server: APIServer

    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
    }

    @Test(
        arguments: [
            ("int", 7, ["7"], ["07", "007", "+7", "7.0", "%207", "7e0"]),
            ("int", -7, ["-7"], ["-07", "7"]),
            ("int", 0, ["0"], ["-0", "+0", "00"]),
            ("string", "007", ["007"], ["7", "07"]),
            (
                "uuid", ["$uuid": "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"], ["0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"],
                ["0190AAAA-BBBB-7CCC-8DDD-EEEEFFFF0000", "0190aaaabbbb7ccc8dddeeeeffff0000"]
            ),
            (
                "objectId", ["$oid": "507f1f77bcf86cd799439abc"], ["507f1f77bcf86cd799439abc"],
                ["507F1F77BCF86CD799439ABC"]
            ),
        ] as [(String, JSONValue, [String], [String])])
    func `are the canonical texts of their primary keys alone`(
        type: String, key: JSONValue, found: [String], missing: [String]
    ) throws {
        let realm: JSONValue = [
            "schema": [["name": "Thing", "primaryKey": "id", "properties": ["id": .string(type)]]],
            "objects": ["Thing": [["id": key]]],
        ]
        let made = try server.upload(realm.encoded())
        let objects = "/v1/snapshots/\(try #require(made.json["id"]?.string, "\(made.text)"))/objects/Thing"
        for text in found {
            #expect(try server.send("GET", "\(objects)/\(text)").json["id"] == key)
            #expect(try server.send("GET", "\(objects)/\(text)?links=true").status == 200)
        }
        for text in missing {
            #expect(try server.send("GET", "\(objects)/\(text)").problem == "object_not_found", "\(text)")
            #expect(try server.send("GET", "\(objects)/\(text)?links=true").problem == "object_not_found", "\(text)")
        }
    }

    @Test func `are the canonical texts of their object keys where a class has no primary key`() throws {
        let realm: JSONValue = [
            "schema": [["name": "Thing", "properties": ["n": "int"]]], "objects": ["Thing": [["_key": 7, "n": 1]]],
        ]
        let made = try server.upload(realm.encoded())
        let objects = "/v1/snapshots/\(try #require(made.json["id"]?.string, "\(made.text)"))/objects/Thing"
        #expect(try server.send("GET", "\(objects)/7").json["n"] == 1)
        for text in ["007", "+7", "-7"] {
            #expect(try server.send("GET", "\(objects)/\(text)").problem == "object_not_found", "\(text)")
        }
    }

    @Test func `are none for an empty text and for null, which a query finds`() throws {
        let realm: JSONValue = [
            "schema": [["name": "Thing", "primaryKey": "id", "properties": ["id": "string?", "n": "int"]]],
            "objects": ["Thing": [["id": "", "n": 1], ["id": .null, "n": 2]]],
        ]
        let made = try server.upload(realm.encoded())
        let objects = "/v1/snapshots/\(try #require(made.json["id"]?.string, "\(made.text)"))/objects/Thing"
        #expect(try server.send("GET", "\(objects)/null").problem == "object_not_found")
        for (value, number) in [("%22%22", 1), ("NULL", 2)] as [(String, JSONValue)] {
            let items = try server.send("GET", "\(objects)?where=id%20%3D%3D%20\(value)").json["items"]?.elements
            #expect(items?.map { $0["n"] } == [number])
        }
    }
}
