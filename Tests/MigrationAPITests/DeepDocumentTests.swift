import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Documents as deep as they may be, and deeper: the threads that read them have the stack for it, in every build.
@Suite struct `Deep documents` {
    static let opening = #"{"a":"#

    @Test(arguments: [1, 400, 490, 499, 500, 501, 5_000])
    func `that are cut off are refused`(levels: Int) throws {
        let server = try APIServer()
        for (opening, closing) in [(Self.opening, "}"), ("[", "]")] {
            let cut = try send(server, String(repeating: opening, count: levels))
            #expect(cut.problem == "malformed_json")
            let whole = try send(
                server, String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels))
            #expect(whole.status / 100 == 4)
        }
        #expect(try server.send("GET", "/v1/apps").status == 200)
    }

    @Test(arguments: [400, 485, 494])
    func `as values of a change are taken or refused`(levels: Int) throws {
        let synced = try SyncedServer()
        for (opening, closing) in [(Self.opening, "}"), ("[", "]")] {
            let value = String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)
            let batch = #"{"upserts":[{"class":"Note","object":{"_id":1,"title":\#(value)}}]}"#
            let answer = try synced.server.client().request(
                "POST", SyncedServer.realm + "/changes",
                fields: [
                    ("Authorization", "Bearer \(synced.server.key)"), ("Content-Type", "application/json"),
                ], body: Array(batch.utf8))
            #expect(answer.status / 100 == 4)
        }
        #expect(try synced.send("GET").status == 200)
    }

    private func send(_ server: APIServer, _ body: String) throws -> SocketResponse {
        try server.client().request(
            "POST", "/v1/schema-diffs",
            fields: [("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json")],
            body: Array(body.utf8))
    }
}
