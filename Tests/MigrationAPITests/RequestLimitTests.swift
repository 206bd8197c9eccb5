import Glibc
import RealmJSON
import RealmModel
import TestDatabase
import TestHTTP
import Testing
import Threads

@testable import MigrationAPI

/// Requests that a client's data can make large end within what the operator gives one, and when their client has left.
struct RequestLimitTests {
    /// A server with limits, and the path of a snapshot of persons, each of whom knows all the others.
    private static func make(_ limits: RequestLimits, persons: Int) throws -> (server: APIServer, path: String) {
        let database = try TestDatabase.make()
        // Here uploads are decoded in the same process, where they would have the limits, too.
        let path = try upload(APIServer(database: database), persons: persons)
        return (try APIServer(requestLimits: limits, database: database), path)
    }

    private static func upload(_ server: APIServer, persons: Int) throws -> String {
        _ = try server.send("PUT", "/v1/apps/shop")
        let everybody = JSONValue.array((0..<persons).map { .int(Int64($0)) })
        let people = (0..<persons).map { number -> JSONValue in
            ["id": .int(Int64(number)), "name": .string("Person \(number)"), "friends": everybody]
        }
        let realm: JSONValue = [
            "schema": [
                [
                    "name": "Person", "primaryKey": "id",
                    "properties": ["id": "int", "name": "string", "friends": "Person[]"],
                ]
            ], "objects": ["Person": .array(people)],
        ]
        let made = try server.upload(realm.encoded())
        return "/v1/snapshots/\(try #require(made.json["id"]?.string, "\(made.text)"))"
    }

    /// Nobody's friends of friends, who have all to be looked at.
    private static let heavy = "objects/Person?where=ANY%20friends.friends.friends.name%20%3D%3D%20'x'"
    private static let large = ["objects/Person?limit=100", heavy, "objects/Person/7?links=true", "objects/Person/7"]

    @Test(arguments: large)
    func `a request goes through no more columns than it may, and says so`(rest: String) throws {
        let (server, path) = try Self.make(RequestLimits(workBytes: 600), persons: 60)
        let refused = try server.send("GET", "\(path)/\(rest)")
        #expect(refused.status == 422)
        #expect(refused.problem == "request_limit_exceeded")
        #expect(refused.json["detail"]?.string?.contains("600 bytes of columns") == true)
        #expect(refused.json["detail"]?.string?.contains("--request-work") == true)
    }

    @Test func `a batch of changes counts by what is made of it`() throws {
        let server = try APIServer(
            documentLimit: 1_000_000, requestLimits: RequestLimits(memoryBytes: 4 << 20))
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop/realms/team", ["kind": "synced"])
        let changes = "/v1/apps/shop/realms/team/changes"
        let refused = try server.send("POST", changes, ["deletes": .array([JSONValue](repeating: 1, count: 70_000))])
        #expect(refused.status == 422 && refused.problem == "request_limit_exceeded", "\(refused.json)")
        // As many bytes, and one value: looked at, and refused for another reason.
        let text = String(repeating: "1", count: 140_000)
        #expect(try server.send("POST", changes, ["deletes": .string(text)]).problem != "request_limit_exceeded")
    }

    @Test func `a request holds no more memory than it may, and a smaller one is answered`() throws {
        let (server, path) = try Self.make(RequestLimits(memoryBytes: 4000), persons: 60)
        let refused = try server.send("GET", "\(path)/objects/Person?limit=60")
        #expect(refused.status == 422)
        #expect(refused.problem == "request_limit_exceeded")
        #expect(refused.json["detail"]?.string?.contains("--request-memory") == true)
        #expect(try server.send("GET", "\(path)/objects/Person?limit=2").status == 200)
    }

    @Test func `a document that takes more memory than a request may hold is refused before it is parsed`() throws {
        let server = try APIServer(requestLimits: RequestLimits(memoryBytes: 1 << 21))
        _ = try server.send("PUT", "/v1/apps/shop")
        func schema(_ classes: Int) -> JSONValue {
            ["schema": .array((0..<classes).map { ["name": .string("C\($0)"), "properties": ["a": "int"]] })]
        }
        let refused = try server.send("PUT", "/v1/apps/shop/schemas/1", schema(1000))
        #expect(refused.problem == "request_limit_exceeded", "\(refused.text)")
        #expect(refused.json["detail"]?.string?.contains("--request-memory") == true)
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/1", schema(10)).status == 201)
    }

    @Test(arguments: large)
    func `a request has the time that it may have, and says so`(rest: String) throws {
        var limits = RequestLimits(seconds: 0)
        limits.watchedBytes = 0
        let (server, path) = try Self.make(limits, persons: 60)
        let refused = try server.send("GET", "\(path)/\(rest)")
        #expect(refused.status == 422)
        #expect(refused.problem == "request_limit_exceeded")
        #expect(refused.json["detail"]?.string?.contains("0 seconds") == true)
        #expect(refused.json["detail"]?.string?.contains("--request-time") == true)
    }

    @Test func `each piece of a download has what a request has, and a first one that takes more is refused`() throws {
        let (server, path) = try Self.make(RequestLimits(workBytes: 600), persons: 60)
        let response = try server.send("GET", "\(path)/content", fields: [("Accept", "application/json")])
        #expect(response.problem == "request_limit_exceeded", "\(response.status)")
        let (generous, other) = try Self.make(RequestLimits(workBytes: 1 << 20), persons: 60)
        #expect(try generous.send("GET", "\(other)/content", fields: [("Accept", "application/json")]).isComplete)
    }

    /// A service with room for one download of a realm, which is more than sockets hold.
    private static func serviceWithoutRoom() throws -> (APIServer, path: String) {
        let server = try APIServer(documentLimit: 64 << 20, requestLimits: RequestLimits(memoryBytes: 1 << 20))
        _ = try server.send("PUT", "/v1/apps/shop")
        // Of few bytes to write.
        let text = JSONValue.string(String(repeating: "x", count: 1 << 20))
        let realm: JSONValue = [
            "schema": [["name": "Note", "properties": ["text": "string"]]],
            "objects": ["Note": .array(Array(repeating: ["text": text], count: 32))],
        ]
        let made = try server.upload(realm.encoded())
        return (server, "/v1/snapshots/\(try #require(made.json["id"]?.string, "\(made.text)"))/content?format=json")
    }

    private static func ask(_ server: APIServer, _ path: String, by key: String) throws -> SocketClient {
        let client = try server.client()
        try client.send(SocketClient.head("GET", path, [("Authorization", "Bearer \(key)")]))
        return client
    }

    @Test func `a download that nobody reads has its key's next one wait for room, and no other key's`() throws {
        let (server, path) = try Self.serviceWithoutRoom()
        let unread = try Self.ask(server, path, by: server.key)
        #expect(try #require(unread.take(64)) > 0)
        let next = try Self.ask(server, path, by: server.key)
        let other = try server.access.keys.create(named: "other", scopes: [.read], apps: .all).secret
        #expect(try Self.ask(server, path, by: other).response().isComplete)
        // The app, the upload and the other key's download; the log may hear late of them.
        try wait { server.log.statuses.withLock { $0.count } >= 3 }
        #expect(server.log.statuses.withLock { $0.count } == 3)
        unread.hangUp()
        #expect(try next.response().isComplete)
    }

    @Test func `a download that waits for room when its key or its realm goes gets nothing of it`() throws {
        let (server, path) = try Self.serviceWithoutRoom()
        let last = try server.access.keys.create(named: "last", scopes: [.read], apps: .all)
        let unread = try Self.ask(server, path, by: last.secret)
        #expect(try #require(unread.take(64)) > 0)
        let ofKey = try Self.ask(server, path, by: last.secret)
        try wait { server.api.budgets.waiting.answers == 1 }
        #expect(try server.send("DELETE", "/v1/keys/\(last.key.id)").status == 204)
        let refused = try ofKey.response()
        #expect(refused.status == 401, "\(refused.text.prefix(300))")
        let another = try Self.ask(server, path, by: server.key)
        #expect(try #require(another.take(64)) > 0)
        let ofRealm = try Self.ask(server, path, by: server.key)
        try wait { server.api.budgets.waiting.answers == 1 }
        #expect(try server.send("DELETE", "/v1/apps/shop/realms/ada").status == 204)
        another.hangUp()
        #expect(try ofRealm.response().status == 404)
    }

    @Test func `a download whose key goes once it was let in is refused before its first byte`() throws {
        let (server, path) = try Self.serviceWithoutRoom()
        let key = try server.access.keys.create(named: "brief", scopes: [.read], apps: .all)
        // Its removal tells this first; the request finds the key in the database as before.
        server.api.keyWatch.end(key.key.id)
        #expect(try Self.ask(server, path, by: key.secret).response().status == 401)
    }

    @Test func `an upload whose export waits for room is done once`() throws {
        let (server, path) = try Self.serviceWithoutRoom()
        let unread = try Self.ask(server, path, by: server.key)
        #expect(try #require(unread.take(64)) > 0)
        #expect(try server.send("PUT", "/v1/apps/shop/exports", ["format": "sqlite"]).status == 200)
        let realm: JSONValue = [
            "schema": [["name": "Note", "properties": ["text": "string"]]], "objects": ["Note": [["text": "milk"]]],
        ]
        let client = try server.client()
        let fields = [
            ("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json"), ("Prefer", "wait=60"),
            ("Content-Length", "\(realm.encoded().count)"),
        ]
        try client.send(SocketClient.head("POST", "/v1/apps/shop/realms/ada/snapshots", fields))
        try client.send(realm.encoded())
        func snapshots() throws -> Int? {
            try server.send("GET", "/v1/apps/shop/realms/ada/snapshots").json["items"]?.elements?.count
        }
        try wait { try snapshots() == 2 }
        unread.hangUp()
        let made = try client.response()
        #expect(made.isComplete, "\(made.status) \(made.text.prefix(200))")
        #expect(try snapshots() == 2)
    }

    @Test func `checks and Swift wait for a host, and end with their client meanwhile`() throws {
        var limits = RequestLimits()
        limits.hosts = 1
        let server = try APIServer(requestLimits: limits)
        _ = try server.send("PUT", "/v1/apps/shop")
        func declare(_ version: Int, _ source: String, by client: SocketClient) throws {
            let body: JSONValue = [
                "schema": Samples.schema, "migration": ["language": "javascript", "source": .string(source)],
            ]
            let fields = [
                ("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json"),
                ("Content-Length", "\(body.encoded().count)"),
            ]
            try client.send(SocketClient.head("PUT", "/v1/apps/shop/schemas/\(version)", fields))
            try client.send(body.encoded())
        }
        let endless = try (0..<2).map { _ in try server.client() }
        for (number, client) in endless.enumerated() { try declare(number + 1, "while (true) {}", by: client) }
        let last = try server.client()
        try declare(3, "function migrate(migration) {}", by: last)
        for client in endless { client.hangUp() }
        let declared = try last.response()
        #expect(declared.status == 201, "\(declared.text)")
        #expect(try server.send("GET", "/v1/apps/shop/schemas/1").status == 404)
        #expect(try server.send("GET", "/v1/apps/shop/schemas/2").status == 404)
    }

    @Test func `a query ends when its client has left, and nobody is told of a failure`() throws {
        let server = try APIServer()
        let path = try Self.upload(server, persons: 150)
        let client = try server.client()
        // Ten million friends are looked at.
        try client.send(
            SocketClient.head("GET", "\(path)/\(Self.heavy)", [("Authorization", "Bearer \(server.key)")]))
        client.hangUp()
        // The log may hear of the upload late.
        try wait { server.log.statuses.withLock { $0.last } == 503 }
        #expect(server.log.failures.withLock { $0 }.isEmpty)
    }

    @Test func `a declaration that is checked when its client leaves is not made`() throws {
        let server = try APIServer(documentLimit: 2 << 20)
        _ = try server.send("PUT", "/v1/apps/shop")
        let properties = JSONValue.object((0..<15).map { JSONMember("p\($0)", "int?") })
        let classes = (0..<2000).map { ["name": .string("C\($0)"), "properties": properties] as JSONValue }
        let body = (["schema": .array(classes)] as JSONValue).encoded()
        let client = try server.client()
        let fields = [
            ("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json"),
            ("Content-Length", "\(body.count)"),
        ]
        try client.send(SocketClient.head("PUT", "/v1/apps/shop/schemas/1", fields))
        try client.send(body)
        usleep(100_000)
        client.hangUp()
        try wait { server.log.statuses.withLock { $0.count } == 2 }
        #expect(server.log.statuses.withLock { $0.last } == 503)
        #expect(try server.send("GET", "/v1/apps/shop/schemas/1").status == 404)
        #expect(try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema]).status == 201)
    }

    private func wait(until isSo: () throws -> Bool) throws {
        for _ in 0..<20_000 where try !isSo() { usleep(1_000) }
        try #require(try isSo())
    }
}
