import AccessStore
import Foundation
import Postgres
import RealmJSON
import RealmModel
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

/// Who did what when.
struct AuditTests {
    private let server: APIServer

    init() throws {
        server = try APIServer()
        for app in ["shop", "other"] { _ = try server.send("PUT", "/v1/apps/\(app)") }
    }

    private func newDirectory() -> String {
        NSTemporaryDirectory() + "audit-\(UInt64.random(in: 0 ... .max))"
    }

    private func entries(_ query: String = "", key: String? = nil) throws -> [JSONValue] {
        let fields = [("Authorization", "Bearer \(key ?? server.key)")]
        let response = try server.client().request("GET", "/v1/audit\(query)", fields: fields)
        #expect(response.status == 200)
        return try #require(response.json["items"]?.elements)
    }

    private func operations(_ query: String = "", key: String? = nil) throws -> [String] {
        try entries(query, key: key).compactMap { $0["operation"]?.string }
    }

    @Test func `what changes something is there, with who did it and what came of it`() throws {
        _ = try server.send("GET", "/v1/apps")
        let made = try server.send(
            "POST", "/v1/keys", ["name": "phone", "scopes": ["read", "write"]], fields: [("X-Request-Id", "mine")])
        let phone = try #require(made.json["key"]?.string)
        let refused = try server.client().request(
            "PUT", "/v1/apps/shop/schemas/1", fields: [("Authorization", "Bearer \(phone)")], body: Array("{".utf8))
        #expect(refused.status == 400)
        let entries = try entries()
        #expect(entries.compactMap { $0["operation"]?.string } == ["putSchemaVersion", "makeKey", "putApp", "putApp"])
        #expect(entries[0]["key"]?["name"] == "phone")
        #expect(entries[0]["key"]?["id"] == made.json["id"])
        #expect(entries[0]["app"] == "shop")
        #expect(entries[0]["status"] == 400)
        #expect(entries[0]["path"] == "/v1/apps/shop/schemas/1")
        #expect(entries[1]["key"]?["name"] == "test")
        #expect(entries[1]["app"]?.isNull == true)
        #expect(entries[1]["status"] == 201)
        #expect(entries[1]["requestId"] == "mine")
        #expect(!entries.description.contains(phone))
    }

    @Test func `a list is narrowed by app, key and time, and comes in pages`() throws {
        let other = try server.access.keys.create(named: "other", scopes: Set(KeyScope.allCases), apps: .all)
        _ = try server.client().request(
            "DELETE", "/v1/apps/other", fields: [("Authorization", "Bearer \(other.secret)")])
        #expect(try operations("?app=other") == ["deleteApp", "putApp"])
        #expect(try operations("?key=\(other.key.id)") == ["deleteApp"])
        let at = try #require(try entries()[0]["at"]?.string)
        #expect(try operations("?since=\(at)") == ["deleteApp"])
        #expect(try operations("?since=2999-01-01T00:00:00Z").isEmpty)
        var (pages, cursor): ([String], String?) = ([], "")
        while let next = cursor {
            let page = try server.send("GET", "/v1/audit?limit=1&cursor=\(next)").json
            pages += (page["items"]?.elements ?? []).compactMap { $0["operation"]?.string }
            cursor = page["next"]?.string
        }
        #expect(pages == ["deleteApp", "putApp", "putApp"])
        for query in ["?key=x", "?since=yesterday", "?app=-", "?who=me"] {
            #expect(try server.send("GET", "/v1/audit\(query)").status == 400)
        }
    }

    @Test func `a key sees what was done in its apps, jobs included`() throws {
        _ = try server.upload(Samples.realm().encoded())
        let job = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        _ = try server.send("POST", "/v1/jobs/\(job.json["id"]?.string ?? "")/cancel")
        let of = try server.access.keys.create(named: "of shop", scopes: [.admin], apps: .named(["shop"])).secret
        #expect(try operations(key: of) == ["cancelJob", "startMigration", "uploadSnapshot", "putApp"])
        #expect(try operations("?app=other", key: of).isEmpty)
        let reader = try server.access.keys.create(named: "reader", scopes: [.read], apps: .all).secret
        let fields = [("Authorization", "Bearer \(reader)")]
        #expect(try server.client().request("GET", "/v1/audit", fields: fields).problem == "scope_missing")
    }

    @Test func `what a killed process has left is there after the next start`() throws {
        let directory = newDirectory()
        mkdir(directory, 0o700)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        func entry(_ operation: String) -> AuditEntry {
            AuditEntry(
                id: .version7(), at: .now, key: .version7(), keyName: "gone", app: "shop", operation: operation,
                path: "/", requestID: "r")
        }
        let (ended, begun) = (entry("ended"), entry("begun"))
        do {
            let journal = try AuditJournal(in: directory)
            for entry in [ended, begun] { try journal.begin(entry) }
            try journal.end(ended.id, status: 201)
            // A process that is alive keeps its journal to itself.
            #expect(AuditJournal.left(in: directory).entries.isEmpty)
        }
        // Cut off in the middle of a line, as on a full disk.
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: directory).first)
        let file = try #require(FileHandle(forWritingAtPath: "\(directory)/\(name)"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(#"{"id":"0190"#.utf8))
        try file.close()

        let log = try AuditLog(server.access, directory: directory, age: .seconds(3600), log: server.log)
        defer { log.stop() }
        let found = try entries().filter { $0["key"]?["name"] == "gone" }
        #expect(found.compactMap { $0["operation"]?.string }.sorted() == ["begun", "ended"])
        #expect(found.first { $0["operation"] == "ended" }?["status"] == 201)
        #expect(found.first { $0["operation"] == "begun" }?["status"]?.isNull == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
    }

    @Test(arguments: ["a%00b", String(repeating: "a", count: 5000)])
    func `a path that names no app is noted, and holds up nothing`(name: String) throws {
        #expect(try server.send("PUT", "/v1/apps/\(name)").status == 422)
        #expect(try server.send("PUT", "/v1/apps/third").status == 201)
        let found = try entries()
        // Entries of one millisecond come in any order.
        #expect(found.compactMap { $0["status"]?.int }.sorted() == [201, 201, 201, 422])
        #expect(found.first { $0["status"]?.int == 422 }?["app"]?.isNull == true)
    }

    @Test func `an entry that the database can't have holds up no other, and no start`() throws {
        let directory = newDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            let journal = try AuditJournal(in: directory)
            for name in ["one", "a\u{0}b", "two"] {
                try journal.begin(
                    AuditEntry(
                        id: .version7(), at: .now, key: .version7(), keyName: name, token: nil, app: nil,
                        operation: "left",
                        path: "/", requestID: "r", job: nil))
            }
        }
        let log = try AuditLog(server.access, directory: directory, age: .seconds(3600), log: server.log)
        defer { log.stop() }
        let names = try entries().filter { $0["operation"] == "left" }.compactMap { $0["key"]?["name"]?.string }
        #expect(names.sorted() == ["one", "two"])
        #expect(server.log.failures.withLock { $0.count } == 1)
    }

    @Test func `entries come into the database by themselves, and their files go`() throws {
        let start = ContinuousClock.now
        var found = 0
        while found < 2, ContinuousClock.now - start < .seconds(10) {
            found = try server.access.audit.list(AuditFilter()).items.count
            Thread.sleep(forTimeInterval: 0.05)
        }
        #expect(found == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.journals).count == 1)
    }

    @Test func `while the database is away one journal takes everything`() throws {
        let directory = newDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let log = try AuditLog(server.access, directory: directory, age: .seconds(3600), log: server.log)
        defer { log.stop() }
        func rename(_ table: String, _ name: String) throws {
            try server.pool.withConnection { try $0.execute(script: "ALTER TABLE \(table) RENAME TO \(name)") }
        }
        func journals() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: directory).count }
        func note(_ name: String) throws -> AuditLog.Mark {
            try log.begin(
                AuditEntry(
                    id: .version7(), at: .now, key: .version7(), keyName: name, token: nil, app: nil, operation: "late",
                    path: "/", requestID: "r", job: nil))
        }
        try rename("audit_entry", "away")
        let open = try note("open")
        for number in 0..<5 {
            try note("\(number)").end(status: 200)
            #expect(throws: PostgresError.self) { try log.flush() }
        }
        #expect(try journals() == 2)
        try rename("away", "audit_entry")
        try log.flush()
        #expect(try journals() == 1)
        open.end(status: 201)
        try log.flush()
        #expect(try journals() == 1)
        let kept = try server.access.audit.list(AuditFilter()).items.filter { $0.operation == "late" }
        #expect(kept.map(\.keyName).sorted() == ["0", "1", "2", "3", "4", "open"])
        #expect(kept.allSatisfy { $0.status != nil })
    }

    @Test func `nothing is changed that can't be noted`() throws {
        let directory = newDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let log = try AuditLog(server.access, directory: directory, age: .seconds(3600), log: server.log)
        log.stop()
        #expect(throws: AuditJournalError.self) { try AuditJournal(in: "/nowhere/at/all") }
    }

    @Test func `entries are removed when they are old enough`() throws {
        _ = try entries()
        try server.access.audit.remove(olderThan: .seconds(3600))
        #expect(try entries().count == 2)
        try server.access.audit.remove(olderThan: .zero, portion: 1)
        #expect(try entries().isEmpty)
    }
}
