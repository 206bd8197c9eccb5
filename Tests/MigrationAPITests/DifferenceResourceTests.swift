import Foundation
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// The differences between two snapshots of a realm.
@Suite struct `Differences of snapshots` {
    private let synced: SyncedServer
    private let first: String

    init() throws {
        var limits = RequestLimits()
        // Looks at the client before each column, however short.
        limits.watchedBytes = 0
        synced = try SyncedServer(followsJobs: true, requestLimits: limits)
        first = try Self.current(synced)
    }

    private static func current(_ synced: SyncedServer) throws -> String {
        try #require(try synced.send("GET").json["currentSnapshot"]?.string)
    }

    private func difference(_ from: String, _ to: String, _ rest: String = "") throws -> SocketResponse {
        try synced.server.send("GET", "/v1/snapshots/\(from)/diff/\(to)\(rest)")
    }

    private func change() throws -> String {
        let batch: JSONValue = [
            "upserts": [
                ["class": "Note", "object": ["_id": 1, "rating": .null]],
                ["class": "Note", "object": ["_id": 9, "title": "new"]],
            ],
            "deletes": [["class": "Note", "key": 2]],
        ]
        #expect(try synced.send("POST", "/changes", batch).status == 201)
        return try Self.current(synced)
    }

    @Test func `counts what changed by class and property, either way round`() throws {
        let second = try change()
        #expect(
            try difference(first, second).json == [
                "schema": [],
                "classes": [
                    [
                        "class": "Note", "added": 1, "removed": 1, "changed": 1,
                        "properties": [["property": "rating", "changed": 1, "toNull": 1]],
                    ],
                    // The link to the note that is gone.
                    [
                        "class": "Tag", "added": 0, "removed": 0, "changed": 1,
                        "properties": [["property": "notes", "changed": 1, "toNull": 0]],
                    ],
                ],
            ])
        let back = try difference(second, first).json["classes"]?.elements?.first
        #expect(back?["properties"] == [["property": "rating", "changed": 1, "toNull": 0]])
        #expect(try difference(second, second).json == ["schema": [], "classes": []])
    }

    @Test func `lists objects as either snapshot has them, page by page`() throws {
        let second = try change()
        let all = try difference(first, second, "/objects?class=Note").json
        #expect(
            all["items"] == [
                [
                    "key": 1, "before": ["_id": 1, "title": "note 1", "rating": 1],
                    "after": ["_id": 1, "title": "note 1", "rating": .null],
                ],
                ["key": 2, "before": ["_id": 2, "title": "note 2", "rating": 2], "after": .null],
                ["key": 3, "before": .null, "after": ["_id": 9, "title": "new", "rating": .null]],
            ])
        #expect(all["next"] == .null)
        var keys: [JSONValue] = []
        var next = ""
        repeat {
            let page = try difference(first, second, "/objects?class=Note&limit=1\(next)").json
            keys += page["items"]?.elements?.compactMap { $0["key"] } ?? []
            next = page["next"]?.string.map { "&cursor=\($0)" } ?? ""
        } while !next.isEmpty
        #expect(keys == [1, 2, 3])
    }

    @Test func `tells changes of schema, and does not look for classes that neither has`() throws {
        try synced.grow([JSONMember("color", "string?")])
        let second = try Self.current(synced)
        let difference = try difference(first, second).json
        #expect(difference["schema"]?.elements?.count == 1)
        #expect(difference["classes"] == [])
        #expect(try self.difference(first, second, "/objects?class=Nobody").problem == "class_not_found")
        #expect(try self.difference(first, second, "/objects").problem == "invalid_parameter")
    }

    @Test(arguments: ["", "/objects?class=Note"])
    func `is looked for no longer when the client has left`(rest: String) throws {
        let target = "/v1/snapshots/\(first)/diff/\(try change())\(rest)"
        let server = synced.server
        var statuses: [Int] = []
        // The server may hear of it late; then once more.
        for _ in 0..<50 where statuses.last != 503 {
            let count = server.log.statuses.withLock { $0.count }
            let client = try server.client()
            try server.pool.transaction { connection in
                // The request waits for what it is to compare, and the client does not wait for that.
                try connection.execute(script: "LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE")
                try client.send(SocketClient.head("GET", target, [("Authorization", "Bearer \(server.key)")]))
                try wait { try server.isWaitingForLock() }
                client.hangUp()
                usleep(10_000)
            }
            try wait { server.log.statuses.withLock { $0.count } > count }
            statuses = server.log.statuses.withLock { $0 }
        }
        #expect(statuses.last == 503)
    }

    private func wait(until isSo: () throws -> Bool) throws {
        for _ in 0..<20_000 where try !isSo() { usleep(1_000) }
        try #require(try isSo())
    }

    @Test func `is of one realm`() throws {
        let other = try synced.server.upload(Samples.realm().encoded()).json["id"]?.string
        #expect(try difference(first, #require(other)).problem == "invalid_parameter")
        let nobody = "00000000-0000-7000-8000-000000000000"
        #expect(try difference(first, nobody).problem == "snapshot_not_found")
        #expect(try difference(nobody, first).problem == "snapshot_not_found")
    }
}

extension APIServer {
    fileprivate func isWaitingForLock() throws -> Bool {
        try pool.withConnection {
            try $0.query(
                """
                SELECT EXISTS (
                    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                ) AS waits
                """)[0].value("waits")
        }
    }
}
