import MigrationJobs
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// The way to a version, tried from every version that realms stand at or may stand at.
@Suite struct `Rehearsals from every version` {
    private let server: APIServer
    private static let path = "/v1/apps/shop"

    private static func schema(_ properties: JSONValue) -> JSONValue { [["name": "Dog", "properties": properties]] }
    /// Version 2 has no age, and 3 has one again.
    private static let schemas: [(version: Int64, schema: JSONValue)] = [
        (1, schema(["name": "string?", "age": "int"])), (2, schema(["name": "string?"])),
        (3, schema(["name": "string?", "age": "int"])), (4, schema(["name": "string?", "age": "int", "size": "int?"])),
    ]
    private static let target = schema(["name": "string?", "age": "int", "size": "int"])

    init() throws {
        server = try APIServer(followsJobs: true)
        #expect(try server.send("PUT", Self.path).status == 201)
        for (version, schema) in Self.schemas { try declare(version, schema) }
    }

    private func declare(_ version: Int64, _ schema: JSONValue, script: String? = nil) throws {
        var members = [JSONMember("schema", schema)]
        if let script {
            members.append(JSONMember("migration", ["language": "javascript", "source": .string(script)]))
        }
        let answer = try server.send("PUT", "\(Self.path)/schemas/\(version)", .object(members))
        #expect(answer.status == 201, "\(answer.text)")
    }

    private func upload(_ name: String, _ version: Int64, _ dogs: JSONValue) throws -> String {
        let schema = try #require(Self.schemas.first { $0.version == version }).schema
        let document: JSONValue = [
            "schemaVersion": .int(version), "schema": schema, "objects": ["Dog": dogs],
        ]
        let answer = try server.upload(document.encoded(), to: "\(Self.path)/realms/\(name)")
        #expect(answer.status == 201, "\(answer.text)")
        return try #require(answer.json["id"]?.string)
    }

    private func rehearse(_ members: [JSONMember] = []) throws -> (path: String, job: JSONValue) {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        let answer = try server.send(
            "POST", "\(Self.path)/rehearsals", .object([JSONMember("targetVersion", 5)] + members),
            fields: [("Prefer", "wait=30")])
        #expect(answer.status == 202, "\(answer.text)")
        return (try #require(answer.fields["location"]), answer.json)
    }

    private func hops(_ path: String) throws -> [JSONValue] {
        try #require(try server.send("GET", "\(path)/report").json["hops"]?.elements)
    }

    /// From 1 the age is carried over 2; from 3 the script throws; from 4 a null becomes zero; 2 is made up.
    @Test func `say which of them fail, lose and carry over, on realms and on made-up objects`() throws {
        try declare(
            5, Self.target,
            script: """
                function migrate(migration, version) {
                  let count = 0;
                  migration.enumerateObjects("Dog", (before, now) => {
                    count++;
                    if (before.name === "bad") throw new Error("a bad dog");
                    if (version === 4) now.name = null;
                    else now.size = 1;
                  });
                  console.log(`${count} dogs`);
                }
                """)
        let dogs: JSONValue = [["_key": 0, "name": "Rex", "age": 3]]
        _ = try upload("older", 1, dogs)
        let newer = try upload("newer", 1, dogs)
        _ = try upload("bad", 3, [["_key": 0, "name": "bad", "age": 3]])
        let lossy = try upload("lossy", 4, [["_key": 0, "name": "Rex", "age": 3, "size": .null]])
        let (path, job) = try rehearse()
        #expect(job["state"] == "succeeded" && job["kind"] == "rehearsal" && job["realm"] == .null, "\(job)")
        let hops = try hops(path)
        #expect(hops.map { $0["fromVersion"] } == [1, 2, 3, 4])
        #expect(hops.map { $0["outcome"] } == ["carriesOver", "clean", "fails", "loses"], "\(hops)")
        #expect(hops.map { $0["data"] } == ["realm", "madeUp", "realm", "realm"])
        #expect(hops.map { $0["realmCount"] } == [2, 0, 1, 1])
        #expect(hops[0]["realm"] == "newer" && hops[0]["snapshot"] == .string(newer))
        #expect(hops[1]["snapshot"] == .null && hops[3]["snapshot"] == .string(lossy))
        #expect(hops[0]["report"]?["carriedOver"]?.elements?.first?["removedIn"] == 2)
        let log = try server.send("GET", "\(path)/log").json["items"]?.elements ?? []
        #expect(
            log.contains { $0["text"] == "version 2: 16 dogs" } && log.contains { $0["text"] == "version 1: 1 dogs" })
        #expect(hops[2]["report"]?["error"]?["detail"]?.string?.contains("a bad dog") == true)
        let losses = hops[3]["report"]?["losses"]?.elements ?? []
        #expect(losses.contains { $0["property"] == "name" && $0["kind"] == "null" && $0["count"] == 1 }, "\(losses)")
        // Nothing has changed, and nothing is left.
        for name in ["older", "newer", "bad", "lossy"] {
            let list = try server.send("GET", "\(Self.path)/realms/\(name)/snapshots").json["items"]?.elements
            #expect(list?.count == 1)
        }
        try tellInEachForm(path)
    }

    private func tellInEachForm(_ path: String) throws {
        let junit = try server.send("GET", "\(path)/report?format=junit").text
        #expect(junit.contains("<testsuite name=\"version 1 (newer)\"") && junit.contains("version 2 (made up)"))
        let sarif = try server.send("GET", "\(path)/report?format=sarif").json["runs"]?.elements?.first
        let failed = sarif?["results"]?.elements?.first { $0["ruleId"] == "migrationFailed" }
        #expect(failed?["properties"]?["realm"] == "version 3 (bad)")
        let page = try server.send("GET", "\(path)/report?format=html").text
        #expect(page.contains("<h1>Rehearsal of shop</h1>") && page.contains("carries over"))
    }

    @Test func `take samples in place of the newest of their version`() throws {
        try declare(5, Self.target)
        let first = try upload("ada", 1, [])
        let second = try upload("ada", 1, [["_key": 0, "name": "Rex", "age": 3]])
        let (path, job) = try rehearse([JSONMember("samples", [.string(first)])])
        #expect(job["samples"] == [.string(first)])
        #expect(try hops(path).map { $0["snapshot"] } == [.string(first), .null, .null, .null])
        let (again, _) = try rehearse()
        #expect(try hops(again).first?["snapshot"] == .string(second))
        #expect(try hops(again).first?["report"]?["sample"] == "1 of 1 realm of version 1 tried")
    }

    @Test func `say how many realms of a version they tried, and try more where that is asked`() throws {
        try declare(5, Self.target)
        for name in ["ada", "bob", "cat"] { _ = try upload(name, 3, [["_key": 0, "name": "Rex", "age": 3]]) }
        let (path, _) = try rehearse()
        let sample = "1 of 3 realms of version 3 tried"
        #expect(try hops(path).map { $0["report"]?["sample"] }[2] == .string(sample))
        for form in ["junit", "sarif", "html"] {
            #expect(try server.send("GET", "\(path)/report?format=\(form)").text.contains(sample), "\(form)")
        }
        #expect(try server.send("GET", "\(path)/report?format=html").text.contains("none of them fails"))
        let (more, job) = try rehearse([JSONMember("realmsPerVersion", 2)])
        #expect(job["realmsPerVersion"] == 2)
        let tried = try hops(more).filter { $0["fromVersion"] == 3 }
        #expect(tried.map { $0["realm"] } == ["cat", "bob"])
        #expect(tried.allSatisfy { $0["report"]?["sample"] == "2 of 3 realms of version 3 tried" })
        let wrong: JSONValue = ["targetVersion": 5, "realmsPerVersion": 101]
        #expect(try server.send("POST", "\(Self.path)/rehearsals", wrong).problem == "malformed_document")
    }

    @Test func `fail for what they are told to, and have a report with values for who asks for them`() throws {
        try declare(
            5, Self.target,
            script:
                "function migrate(m) { m.enumerateObjects('Dog', (before, now) => { now.name = ''; now.size = 1; }); }")
        _ = try upload("ada", 4, [["_key": 0, "name": "Rex & co", "age": 3, "size": 2]])
        let (path, job) = try rehearse([JSONMember("failOn", ["valueToEmpty"])])
        #expect(job["state"] == "failed" && job["error"]?["code"] == "rehearsal_failed", "\(job)")
        #expect(job["error"]?["errors"]?.elements?.contains { $0["property"] == "name" } == true)
        func lost(_ query: String) throws -> JSONValue? {
            let hops = try server.send("GET", "\(path)/report\(query)").json["hops"]?.elements ?? []
            return hops.last?["report"]?["emptied"]?.elements?.first { $0["property"] == "name" }
        }
        #expect(try lost("")?["examples"] == [["key": 0]])
        #expect(try lost("?values=true")?["examples"] == [["key": 0, "before": "Rex & co", "after": ""]])
        #expect(try lost("")?["to"] == "empty" && lost("")?["share"] == 1.0)
        let pages = try ["", "&values=true"].map { try server.send("GET", "\(path)/report?format=html\($0)").text }
        #expect(!pages[0].contains("Rex") && pages[1].contains("Rex &amp; co"))
        for form in ["junit", "sarif"] {
            let text = try server.send("GET", "\(path)/report?format=\(form)&values=true").text
            #expect(text.contains("valueToEmpty") && !text.contains("Rex"), "\(form)")
        }
    }

    @Test func `have nothing to try where there is no version before`() throws {
        #expect(try server.send("PUT", "/v1/apps/new").status == 201)
        let schema: JSONValue = ["schema": Self.target]
        #expect(try server.send("PUT", "/v1/apps/new/schemas/1", schema).status == 201)
        let workers = JobWorkers(server.jobs, events: server.events, host: nil, log: server.log)
        workers.start()
        defer { workers.stop() }
        let answer = try server.send(
            "POST", "/v1/apps/new/rehearsals", ["targetVersion": 1], fields: [("Prefer", "wait=30")])
        #expect(try hops(try #require(answer.fields["location"])) == [])
    }

    @Test func `refuse what there is not`() throws {
        let path = "\(Self.path)/rehearsals"
        #expect(try server.send("POST", path, ["targetVersion": 9]).problem == "schema_version_unknown")
        #expect(try server.send("POST", path, [:]).problem == "malformed_document")
        #expect(try server.send("POST", path, ["targetVersion": 4, "steps": "chain"]).problem == "unknown_member")
        #expect(try server.send("POST", path, ["targetVersion": 4, "samples": ["x"]]).problem == "malformed_document")
        let none: JSONValue = ["0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"]
        #expect(try server.send("POST", path, ["targetVersion": 4, "samples": none]).problem == "snapshot_not_found")
        // One of another app is none.
        #expect(try server.send("PUT", "/v1/apps/other").status == 201)
        let foreign = try server.upload(Samples.realm().encoded(), to: "/v1/apps/other/realms/ada").json["id"] ?? .null
        let wanted: JSONValue = ["targetVersion": 4, "samples": [foreign]]
        #expect(try server.send("POST", path, wanted).problem == "snapshot_not_found")
        #expect(try server.send("POST", "/v1/apps/nobody/rehearsals", ["targetVersion": 4]).problem == "app_not_found")
    }
}
