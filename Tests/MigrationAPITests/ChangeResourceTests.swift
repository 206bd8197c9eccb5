import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Batches of changes to a synced realm, through a socket.
@Suite struct ChangeResourceTests {
    private static let schema: JSONValue = [
        [
            "name": "Person", "primaryKey": "_id",
            "properties": [
                "_id": "int", "name": "string", "nick": "string?", "friend": "Person", "tags": "string<>",
                "home": "Home", "past": "Home[]", "extra": "mixed", "scores": "int{}",
                "born": "date?", "weight": ["type": "double", "default": 70.5],
            ],
        ], ["name": "Home", "embedded": true, "properties": ["city": "string", "owner": "Person"]],
    ]

    private let server: APIServer
    private let realm = "/v1/apps/shop/realms/team"

    init() throws {
        server = try APIServer(documentLimit: 20_000_000)
        _ = try server.send("PUT", "/v1/apps/shop")
        #expect(try server.send("PUT", realm, ["kind": "synced"]).status == 201)
    }

    /// Gives the realm its first snapshot.
    @discardableResult
    private func start(_ persons: [JSONValue] = []) throws -> String {
        let made = try server.upload(
            JSONValue.object([
                JSONMember("schemaVersion", 1), JSONMember("schema", Self.schema),
                JSONMember("objects", ["Person": .array(persons)]),
            ]).encoded(), to: realm)
        #expect(made.status == 201, "\(made.json)")
        return try #require(made.json["id"]?.string)
    }

    private func change(_ batch: JSONValue) throws -> SocketResponse {
        try server.send("POST", "\(realm)/changes", batch)
    }

    private func upsert(_ object: JSONValue) -> JSONValue { ["class": "Person", "object": object] }

    private func person(_ id: Int64, in answer: SocketResponse) throws -> JSONValue? {
        let snapshot = try #require(answer.json["id"]?.string, "\(answer.json)")
        let found = try server.send("GET", "/v1/snapshots/\(snapshot)/objects/Person/\(id)")
        // A literal nil could mean `JSONValue.null` where it stands beside a value.
        guard found.status != 404 else { return .none }
        return found.json
    }

    // MARK: Effects of a batch

    @Test func `makes, changes and deletes objects by primary key, in one snapshot`() throws {
        let first = try start([
            ["_id": 1, "name": "Ada", "nick": "A", "weight": 1], ["_id": 2, "name": "Alan", "weight": 1],
        ])
        let answer = try change([
            "upserts": [
                upsert(["_id": 1, "nick": nil, "tags": ["b", "a"]]),
                upsert([
                    "_id": 7, "name": "Grace", "friend": 8, "home": ["city": "Arlington", "owner": 7],
                    "past": [["city": "New York"], ["city": "Boston", "owner": 1]],
                    "extra": ["$ref": "Person", "$id": 8], "scores": ["x": 1],
                    "born": ["$date": "1906-12-09T00:00:00Z"],
                ]),
                upsert(["_id": 8, "name": "Edsger"]),
            ], "deletes": [["class": "Person", "key": 2], ["class": "Person", "key": 99]],
        ])
        #expect(answer.status == 201)
        #expect(answer.json["applied"] == 4)
        #expect(answer.json["unsynced"] == [])
        #expect(answer.json["parent"]?.string == first)
        #expect(answer.json["createdBy"] == ["kind": "changes"])
        let ada = try #require(try person(1, in: answer))
        #expect(ada["name"] == "Ada" && ada["nick"] == .null && ada["tags"] == ["a", "b"])
        let grace = try #require(try person(7, in: answer))
        #expect(grace["friend"] == 8 && grace["extra"] == ["$ref": "Person", "$id": 8] && grace["scores"] == ["x": 1])
        #expect(grace["home"] == ["city": "Arlington", "owner": 7])
        #expect(grace["past"] == [["city": "New York", "owner": .null], ["city": "Boston", "owner": 1]])
        #expect(grace["born"] == ["$date": "1906-12-09T00:00:00Z"])
        // Properties that were not given: the default, null, or nothing in a collection.
        #expect(grace["weight"] == 70.5 && grace["nick"] == .null && grace["tags"] == [])
        #expect(try person(2, in: answer) == .none)
        let current = try server.send("GET", realm).json["currentSnapshot"]
        #expect(current == answer.json["id"])
    }

    @Test func `is the same done twice`() throws {
        try start([["_id": 1, "name": "Ada", "weight": 1]])
        let batch: JSONValue = [
            "upserts": [upsert(["_id": 5, "name": "Tony", "home": ["city": "Oxford"]])],
            "deletes": [["class": "Person", "key": 1]],
        ]
        let once = try change(batch)
        let twice = try change(batch)
        #expect(once.status == 201 && twice.status == 201)
        #expect(once.json["objectCounts"] == twice.json["objectCounts"])
        #expect(try person(5, in: once) == person(5, in: twice))
        #expect(once.json["applied"] == 2 && twice.json["applied"] == 1)
    }

    @Test func `lets embedded objects go with what replaces them`() throws {
        try start([["_id": 1, "name": "Ada", "weight": 1, "home": ["city": "London"]]])
        let moved = try change(["upserts": [upsert(["_id": 1, "home": ["city": "Paris"]])]])
        #expect(moved.json["objectCounts"]?["Home"] == 1)
        #expect(try person(1, in: moved)?["home"] == ["city": "Paris", "owner": .null])
        let gone = try change(["upserts": [upsert(["_id": 1, "home": nil])]])
        #expect(gone.json["objectCounts"]?["Home"] == 0)
    }

    @Test func `clears links to what it deletes`() throws {
        try start([["_id": 1, "name": "Ada", "weight": 1, "friend": 2], ["_id": 2, "name": "Alan", "weight": 1]])
        let answer = try change(["deletes": [["class": "Person", "key": 2]]])
        #expect(try person(1, in: answer)?["friend"] == .null)
    }

    @Test func `checks a batch against the snapshot that it was made on`() throws {
        let first = try start([["_id": 1, "name": "Ada", "weight": 1], ["_id": 2, "name": "Alan", "weight": 1]])
        let second = try change(["upserts": [upsert(["_id": 2, "nick": "T"])]])
        let third = try change([
            "upserts": [upsert(["_id": 1, "nick": "A"])], "base": .string(first),
        ])
        #expect(third.status == 201)
        let conflict = try change([
            "upserts": [upsert(["_id": 1, "nick": "B"]), upsert(["_id": 2, "nick": "C"]), upsert(["_id": 3])],
            "base": .string(first),
        ])
        #expect(conflict.problem == "change_conflict")
        #expect(conflict.json["errors"]?.elements?.compactMap { $0["primaryKey"] } == [1, 2])
        #expect(try person(3, in: third) == .none)
        // Objects that were made or deleted since count, too; untouched ones do not.
        _ = try change(["upserts": [upsert(["_id": 9])], "deletes": [["class": "Person", "key": 2]]])
        for id: JSONValue in [9, 2] {
            let refused = try change(["upserts": [upsert(["_id": id])], "base": third.json["id"] ?? .null])
            #expect(refused.status == 409, "\(id)")
        }
        #expect(try change(["upserts": [upsert(["_id": 1])], "base": third.json["id"] ?? .null]).status == 201)
        #expect(second.status == 201)
        let unknown = try change(["upserts": [], "base": "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"])
        #expect(unknown.problem == "snapshot_not_found")
    }

    // MARK: Refusals

    @Test(arguments: [
        (#"[]"#, 422, "malformed_document", ""),
        (#"{"upserts": {}}"#, 422, "malformed_document", "/upserts"),
        (#"{"upserts": [], "upserts": []}"#, 400, "malformed_json", ""),
        (#"{"upsert": []}"#, 400, "unknown_member", "/upsert"),
        (#"{"upserts": [{"object": {"_id": 1}}]}"#, 422, "malformed_document", "/upserts/0"),
        (#"{"upserts": [{"class": "Cat", "object": {"_id": 1}}]}"#, 422, "unknown_class", "/upserts/0/class"),
        (#"{"upserts": [{"class": "Home", "object": {}}]}"#, 422, "malformed_document", "/upserts/0/class"),
        (#"{"upserts": [{"class": "Person", "object": {}}]}"#, 422, "missing_value", "/upserts/0/object/_id"),
        (
            #"{"upserts": [{"class": "Person", "object": {"_id": null}}]}"#, 422, "missing_value",
            "/upserts/0/object/_id"
        ),
        (
            #"{"upserts": [{"class": "Person", "object": {"_id": "1"}}]}"#, 422, "type_mismatch",
            "/upserts/0/object/_id"
        ),
        (
            #"{"upserts": [{"class": "Person", "object": {"_id": 1, "age": 1}}]}"#, 422, "unknown_property",
            "/upserts/0/object/age"
        ),
        (
            #"{"upserts": [{"class": "Person", "object": {"_id": 1, "name": null}}]}"#, 422, "missing_value",
            "/upserts/0/object/name"
        ),
        (
            #"{"upserts": [{"class": "Person", "object": {"_id": 1, "past": [{"city": 1}]}}]}"#, 422, "type_mismatch",
            "/upserts/0/object/past/0/city"
        ),
        (
            #"{"upserts": [{"class": "Person", "object": {"_id": 1, "friend": 6}}]}"#, 422, "broken_link",
            "/upserts/0/object"
        ),
        (#"{"deletes": [{"class": "Person"}]}"#, 422, "malformed_document", "/deletes/0"),
        (#"{"deletes": [{"class": "Person", "key": {}}]}"#, 422, "type_mismatch", "/deletes/0/key"),
        (#"{"base": 1}"#, 422, "malformed_document", "/base"),
        (#"{"base": "x"}"#, 422, "malformed_document", "/base"),
        (#"{"upserts": ["#, 400, "malformed_json", ""),
    ])
    func `says where a batch is wrong, and changes nothing`(
        body: String, status: Int, code: String, pointer: String
    ) throws {
        let first = try start()
        let answer = try server.client().request(
            "POST", "\(realm)/changes",
            fields: [("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json")],
            body: Array(body.utf8))
        #expect(answer.status == status, "\(answer.json)")
        #expect(answer.problem == code)
        if !pointer.isEmpty { #expect(answer.json["errors"]?.elements?.first?["pointer"]?.string == pointer) }
        #expect(try server.send("GET", realm).json["currentSnapshot"]?.string == first)
    }

    @Test func `takes no changes of local realms, and none before the first snapshot`() throws {
        #expect(try change(["upserts": []]).problem == "realm_without_snapshot")
        _ = try server.upload(Samples.realm().encoded())
        let local = try server.send("POST", "/v1/apps/shop/realms/ada/changes", ["upserts": []])
        #expect(local.status == 409 && local.problem == "realm_not_synced")
        let missing = try server.send("POST", "/v1/apps/shop/realms/none/changes", ["upserts": []])
        #expect(missing.problem == "realm_not_found")
        try start()
        let version = try server.send(
            "POST", "\(realm)/changes", ["upserts": []], fields: [("Realm-Schema-Version", "7")])
        #expect(version.problem == "schema_version_unknown")
    }

    @Test func `does every batch of many writers, one after the other`() async throws {
        try start()
        await withTaskGroup(of: Int.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    (try? change(["upserts": [upsert(["_id": .int(Int64(writer)), "name": "w"])]]).status) ?? 0
                }
            }
            for await status in group { #expect(status == 201) }
        }
        let current = try #require(try server.send("GET", realm).json["currentSnapshot"]?.string)
        #expect(try server.send("GET", "/v1/snapshots/\(current)").json["objectCounts"]?["Person"] == 8)
    }
}
