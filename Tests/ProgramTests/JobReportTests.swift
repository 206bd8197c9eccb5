import Foundation
import RealmJSON
import Testing

/// The reports that a person sees of a job that runs a real script in a real host.
@Suite struct `What a job tells` {
    private let service: RunningService

    init() throws {
        service = try RunningService()
        #expect(try service.call("PUT", "/v1/apps/shop").status == 201)
        let objects: [JSONValue] = (0..<60).map { ["id": .int(Int64($0) + 100)] }
        let document: JSONValue = [
            "schemaVersion": 1, "schema": Self.schema, "objects": ["Item": .array(objects)],
        ]
        #expect(try service.call("POST", "/v1/apps/shop/realms/alice/snapshots", document).status == 201)
    }

    private static let schema: JSONValue = [["name": "Item", "primaryKey": "id", "properties": ["id": "int"]]]

    private func start(_ script: String, waiting seconds: Int = 0) throws -> JSONValue {
        let request: JSONValue = [
            "targetVersion": 2, "schema": Self.schema,
            "migration": ["language": "javascript", "source": .string(script)],
        ]
        let started = try service.call(
            "POST", "/v1/apps/shop/realms/alice/migrations", request, fields: [("Prefer", "wait=\(seconds)")])
        #expect((200..<300).contains(started.status))
        return started.json
    }

    @Test func `how far its script is, how fast, and how long it will take`() throws {
        let work = try BusyLoop.statements(milliseconds: 60)
        let id = try start("function migrate(m) { m.enumerateObjects('Item', () => { \(work) }); }")["id"]?.string ?? ""
        var seen: [JSONValue] = []
        for _ in 0..<300 {
            let job = try service.call("GET", "/v1/jobs/\(id)").json
            if let progress = job["progress"], progress["phase"]?.string == "script", progress["class"]?.string != nil,
                progress != seen.last
            {
                seen.append(progress)
            }
            guard ["queued", "running"].contains(job["state"]?.string) else {
                #expect(job["state"]?.string == "succeeded")
                break
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
        let done = seen.compactMap { $0["objectsDone"]?.int }
        #expect(done.count >= 3 && done == done.sorted())
        #expect(seen.allSatisfy { $0["class"]?.string == "Item" && $0["objectsTotal"]?.int == 60 })
        #expect(seen.contains { ($0["objectsPerSecond"] ?? .null) != .null && ($0["etaSeconds"] ?? .null) != .null })
    }

    @Test func `which object its script failed at, so that it can be found`() throws {
        let job = try start(
            """
            function fail(item) {
              throw new Error("no such thing");
            }
            function migrate(m) {
              m.enumerateObjects("Item", (o, n) => { if (o.id === 107) fail(o); });
            }
            """, waiting: 30)
        let problem = try #require(job["error"])
        #expect(problem["code"]?.string == "script_failed")
        #expect(problem["detail"]?.string == "no such thing")
        #expect(problem["objectsDone"]?.int == 7)
        #expect(problem["stack"]?.elements?.first?.string?.hasPrefix("fail (2:") == true)
        let item = try #require(problem["errors"]?.elements?.first)
        #expect(item["class"]?.string == "Item" && item["primaryKey"]?.int == 107 && item["line"]?.int == 2)
        let (snapshot, key) = (job["sourceSnapshot"]?.string ?? "", item["key"]?.int ?? -1)
        let found = try service.call("GET", "/v1/snapshots/\(snapshot)/objects/Item?key=\(key)").json
        #expect(found["items"]?.elements?.compactMap { $0["id"]?.int } == [107])
        #expect(try !service.log().contains("no such thing"))
    }

    @Test func `the first and the last lines of its script's log`() throws {
        let job = try start(
            "function migrate() { for (let i = 0; i < 12000; i++) console.warn(`line ${i}`); }", waiting: 60)
        #expect(job["state"]?.string == "succeeded")
        var lines: [JSONValue] = []
        var cursor: String? = ""
        while let next = cursor {
            let query = "limit=1000" + (next.isEmpty ? "" : "&cursor=\(next)")
            let page = try service.call("GET", "/v1/jobs/\(job["id"]?.string ?? "")/log?\(query)").json
            lines += page["items"]?.elements ?? []
            cursor = page["next"]?.string
        }
        let texts = lines.compactMap { $0["text"]?.string }
        #expect(texts.first == "line 0" && texts.last == "line 11999")
        #expect(texts.filter { $0.hasPrefix("line ") }.count == 10_000)
        #expect(texts.contains("2000 lines are left out here."))
        #expect(lines.first?["level"]?.string == "warn")
    }
}
