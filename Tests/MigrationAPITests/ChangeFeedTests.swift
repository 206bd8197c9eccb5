import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// The changes of a synced realm, as lines and as events.
@Suite struct ChangeFeedTests {
    /// The lines of an answer.
    private static func lines(_ answer: SocketResponse) throws -> [JSONValue] {
        try String(decoding: answer.body, as: UTF8.self).split(separator: "\n").map {
            try JSONValue.parse(Array($0.utf8))
        }
    }

    private static func feed(
        _ server: PartnerServer, since: String? = nil, version: Int? = nil
    ) throws -> (lines: [JSONValue], snapshot: String) {
        let answer = try server.send("GET", "/changes" + (since.map { "?since=\($0)" } ?? ""), version: version)
        #expect(answer.status == 200, "\(answer.json)")
        let lines = try lines(answer)
        return (Array(lines.dropLast()), try #require(lines.last?["snapshot"]?.string))
    }

    private static func object(_ id: Int64, _ name: String, _ age: Int64) -> JSONValue {
        ["class": "Person", "object": ["_id": .int(id), "name": .string(name), "age": .int(age)]]
    }

    @Test func `begins with everything`() throws {
        let server = try PartnerServer(persons: 2)
        let (lines, snapshot) = try Self.feed(server)
        #expect(lines == [Self.object(0, "person 0", 20), Self.object(1, "person 1", 21)])
        #expect(try server.send("GET").json["currentSnapshot"] == .string(snapshot))
    }

    @Test func `tells what was made, changed and deleted since, each object once`() throws {
        let server = try PartnerServer(persons: 3)
        let (_, first) = try Self.feed(server)
        for age in 1...3 { try server.upsert("Person", ["_id": 1, "age": .int(Int64(age))]) }
        try server.upsert("Person", ["_id": 9, "name": "nine", "age": 9])
        try server.delete("Person", 0)
        let (lines, second) = try Self.feed(server, since: first)
        #expect(
            lines == [
                ["class": "Person", "key": 0, "deleted": true], Self.object(1, "person 1", 3),
                Self.object(9, "nine", 9),
            ])
        #expect(try server.send("GET", "/changes?since=\(second)").body.isEmpty)
    }

    @Test func `tells of an object that was made anew after it was deleted`() throws {
        let server = try PartnerServer(persons: 1)
        let (_, first) = try Self.feed(server)
        try server.delete("Person", 0)
        try server.upsert("Person", ["_id": 0, "name": "again", "age": 1])
        #expect(
            try Self.feed(server, since: first).lines == [
                ["class": "Person", "key": 0, "deleted": true], Self.object(0, "again", 1),
            ])
    }

    @Test func `tells of another schema, and of the objects of what changed`() throws {
        let server = try PartnerServer(persons: 1)
        let (_, first) = try Self.feed(server)
        try server.makePartner()
        let (lines, second) = try Self.feed(server, since: first)
        #expect(lines.first?["schema"]?.elements?.first?["kind"] == "addObjectType")
        #expect(lines.contains { $0["class"] == "PersonV2" && $0["object"]?["age"] == "20" })
        #expect(try Self.feed(server, version: 1).lines == [Self.object(0, "person 0", 20)])
        #expect(try Self.feed(server, version: 2).lines.map { $0["class"] } == ["PersonV2"])
        try server.upsert("Person", ["_id": 0, "age": 5], version: 1)
        #expect(try Self.feed(server, since: second, version: 2).lines.map { $0["object"]?["age"] } == ["5"])
        #expect(try Self.feed(server, since: second, version: 1).lines == [Self.object(0, "person 0", 5)])
    }

    @Test func `says that a snapshot is gone from which nobody can lead on`() throws {
        let server = try PartnerServer(persons: 1)
        let unknown = try server.send("GET", "/changes?since=0190a000-0000-7000-8000-000000000000")
        #expect((unknown.status, unknown.json["code"]) == (410, "snapshot_gone"))
        #expect(try server.send("GET", "/changes?since=x").status == 400)
    }

    @Test func `goes on as events, each batch under the id of its snapshot`() throws {
        let server = try PartnerServer(persons: 1)
        let client = try server.server.client()
        try client.send(
            "GET \(PartnerServer.realm)/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.server.key)\r\n"
                + "Accept: text/event-stream\r\n\r\n")
        let first = try client.read(until: "\"snapshot\"")
        #expect(first.contains("Content-Type: text/event-stream"), "\(first)")
        #expect(first.contains("data: {\"class\":\"Person\",\"object\":"))
        let made = try server.upsert("Person", ["_id": 0, "age": 77])
        let id = try #require(made.json["id"]?.string)
        let more = try client.read(until: "id: \(id)\ndata: {\"snapshot\":\"\(id)\"}")
        #expect(more.contains("\"age\":77"), "\(more)")

        // A client that comes back goes on behind the last event that it has.
        try server.upsert("Person", ["_id": 0, "age": 78])
        let second = try server.server.client()
        try second.send(
            "GET \(PartnerServer.realm)/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.server.key)\r\n"
                + "Accept: text/event-stream\r\nLast-Event-ID: \(id)\r\n\r\n")
        #expect(try second.read(until: "\"snapshot\"").contains("\"age\":78"))
    }
}
