import Foundation
import RealmJSON
import TestDatabase
import TestHTTP
import Testing

@Suite(.serialized) struct `The service as a process` {
    private static let people: JSONValue = [
        ["name": "User", "properties": ["firstName": "string", "lastName": "string", "age": "int"]]
    ]
    private static let split = """
        function migrate(migration) {
          migration.enumerateObjects("User", (o, n) => { [n.firstName, n.lastName] = o.full.split(" "); });
        }
        """

    private func upload(_ service: RunningService, app: String, realm: String) throws -> JSONValue {
        _ = try service.call("PUT", "/v1/apps/\(app)", [:])
        let file = try Data(contentsOf: BuiltProgram.root.appendingPathComponent("examples/people.realm"))
        let response = try service.send(
            "POST", "/v1/apps/\(app)/realms/\(realm)/snapshots", type: "application/x-realm", body: Array(file))
        #expect(response.status == 201)
        return try JSONValue.parse(response.body)
    }

    private func script(_ source: String) -> JSONValue { ["language": "javascript", "source": .string(source)] }

    @Test func `takes a realm file in, migrates it by script, and gives it out`() throws {
        let service = try RunningService()
        let mode = try FileManager.default.attributesOfItem(atPath: service.folder.path("data/admin.key"))
        #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let snapshot = try upload(service, app: "notes", realm: "ada")
        #expect(snapshot["objectCounts"] == ["User": 2])
        let declared = try service.call(
            "PUT", "/v1/apps/notes/schemas/3", ["schema": Self.people, "migration": script(Self.split)])
        #expect(declared.status == 201)
        let job = try service.migrate("ada", of: "notes", ["targetVersion": 3])
        #expect(job["state"]?.string == "succeeded")
        let content = try service.send(
            "GET", "/v1/snapshots/\(job["resultSnapshot"]?.string ?? "")/content",
            fields: [("Accept", "application/x-ndjson")])
        #expect(
            content.text.split(separator: "\n").dropFirst() == [
                #"{"class":"User","object":{"_key":0,"firstName":"Ada","lastName":"Lovelace","age":36}}"#,
                #"{"class":"User","object":{"_key":1,"firstName":"Alan","lastName":"Turing","age":41}}"#,
            ])
        #expect(service.stop() == 0)
    }

    @Test func `makes an administrator's key only where the database has none`() throws {
        let url = try TestDatabase.make(alone: true)
        let first = try RunningService(["--database-url", url])
        let second = try RunningService(["--database-url", url], key: first.key)
        #expect(!FileManager.default.fileExists(atPath: second.folder.path("data/admin.key")))
        #expect(try second.call("GET", "/v1/keys").json["items"]?.elements?.count == 1)
        #expect(first.stop() == 0 && second.stop() == 0)
    }

    @Test func `keeps everything over a restart and an end by kill`() throws {
        let service = try RunningService()
        let snapshot = try upload(service, app: "notes", realm: "ada")
        kill(service.process.processIdentifier, SIGKILL)
        service.process.waitUntilExit()
        let again = try RunningService(data: service.folder.path("data"))
        let realm = try again.call("GET", "/v1/apps/notes/realms/ada").json
        #expect(realm["currentSnapshot"] == snapshot["id"])
        #expect(again.stop() == 0)
    }

    @Test func `tells that it is not ready while its PostgreSQL is away, and goes on with its jobs`() throws {
        let service = try RunningService()
        _ = try upload(service, app: "notes", realm: "ada")
        let long = """
            function migrate(migration) {
              let sum = 0;
              for (let i = 0; i < 2e9; i++) { sum = (sum + i) | 0; }
            }
            """
        let started = try service.call(
            "POST", "/v1/apps/notes/realms/ada/migrations",
            ["targetVersion": 3, "schema": Self.people, "migration": script(long)])
        let job = "/v1/jobs/\(started.json["id"]?.string ?? "")"
        try wait { try service.call("GET", job).json["state"] == "running" }
        let file = try String(contentsOfFile: service.folder.path("data/postgres/postmaster.pid"), encoding: .utf8)
        let postmaster = try #require(file.split(separator: "\n").first.flatMap { pid_t($0) })
        kill(postmaster, SIGKILL)
        try wait { try service.send("GET", "/readyz").status == 503 }
        #expect(try service.send("GET", "/livez").status == 200)
        try wait { try service.send("GET", "/readyz").status == 200 }
        try wait { try service.call("GET", job).json["state"] == "succeeded" }
        // An attempt that reads or writes while PostgreSQL is away is lost, and another one does the work.
        let lost = try service.call("GET", job).json["attempts"]?.elements ?? []
        #expect(lost.allSatisfy { $0["error"]?["code"] == "database_unavailable" }, "\(lost)")
        #expect(service.stop() == 0)
    }

    /// Waits until a condition holds, a minute at most.
    private func wait(until condition: () throws -> Bool) throws {
        for _ in 0..<20_000 {
            if try condition() { return }
            usleep(3_000)
        }
        Issue.record("The condition did not come true.")
    }

    @Test func `leaves a realm as it was where its script fails`() throws {
        let service = try RunningService()
        let snapshot = try upload(service, app: "bad", realm: "ada")
        let bad: [(source: String, code: String, line: Int64?)] = [
            ("function migrate(", "script_syntax_error", 1),
            ("const x = 1;", "script_syntax_error", nil),
            ("function migrate() {\n  null.x;\n}", "script_failed", 2),
            ("function migrate() { for (;;) {} }", "script_timeout", nil),
            (
                "function migrate() { const a = []; for (;;) a.push('x'.repeat(1 << 20) + a.length); }",
                "script_memory_exceeded", nil
            ),
            ("function migrate(m) { m.renameProperty('User', 'nope', 'age'); }", "script_failed", 1),
        ]
        for script in bad {
            let job = try service.migrate(
                "ada", of: "bad",
                [
                    "targetVersion": 9, "schema": Self.people, "migration": self.script(script.source),
                    "limits": ["timeoutSeconds": 3, "memoryBytes": 67_108_864],
                ])
            #expect(job["state"]?.string == "failed")
            #expect(job["error"]?["code"]?.string == script.code)
            if let line = script.line { #expect(job["error"]?["errors"]?.elements?.first?["line"]?.int == line) }
            #expect(job["resultSnapshot"]?.isNull == true)
        }
        #expect(try service.call("GET", "/v1/apps/bad/realms/ada").json["currentSnapshot"] == snapshot["id"])
        #expect(try service.call("GET", "/v1/apps/bad/realms/ada/snapshots").json["items"]?.elements?.count == 1)
    }

    @Test func `refuses files that are no realms, and goes on serving`() throws {
        let service = try RunningService(["--upload-limit", "65536"])
        let file = Array(try Data(contentsOf: BuiltProgram.root.appendingPathComponent("examples/people.realm")))
        let bodies: [(type: String, body: [UInt8], status: Int, code: String)] = [
            ("application/x-realm", Array("not a realm at all, but long enough".utf8), 400, "not_a_realm"),
            ("application/x-realm", Array(file.prefix(1000)), 400, "truncated"),
            ("application/x-realm", [UInt8](repeating: 0, count: 70_000), 413, "content_too_large"),
            ("application/json", Array(#"{"schemaVersion": 1, "schema": ["#.utf8), 400, "malformed_json"),
        ]
        _ = try service.call("PUT", "/v1/apps/bad", [:])
        for bad in bodies {
            let response = try service.send(
                "POST", "/v1/apps/bad/realms/ada/snapshots", type: bad.type, body: bad.body)
            #expect(response.status == bad.status)
            #expect(response.fields["content-type"] == "application/problem+json")
            #expect(try JSONValue.parse(response.body)["code"]?.string == bad.code)
        }
        #expect(try service.send("GET", "/v1/apps", key: "wrong").status == 401)
        #expect(try service.call("GET", "/v1/apps/bad/realms/ada").status == 404)
    }

    @Test func `takes an encrypted realm file in, gives one out, and keeps no key`() throws {
        let service = try RunningService()
        let folder = try TemporaryFolder()
        let key = (0..<64).map { String(format: "%02x", $0 * 3 + 7 & 0xff) }.joined()
        let notes = (0..<200).map { #"{"_key":\#($0),"text":"\#(String(repeating: "note \($0) ", count: 8))"}"# }
        let document = try folder.file(
            "notes.json",
            #"{"schemaVersion":0,"schema":[{"name":"Note","properties":{"text":"string"}}],"objects":{"Note":["#
                + notes.joined(separator: ",") + "]}}")
        let converted = try BuiltProgram.run(["convert", document, folder.path("in.realm"), "--output-key", key])
        #expect(converted.status == 0)
        let file = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("in.realm"))))
        _ = try service.call("PUT", "/v1/apps/notes", [:])
        let (realm, header) = ("/v1/apps/notes/realms/ada/snapshots", "Realm-Encryption-Key")
        let refused: [(fields: [(String, String)], body: [UInt8], status: Int, code: String)] = [
            ([], file, 422, "wrong_encryption_key"),
            ([(header, String(key.reversed()))], file, 422, "wrong_encryption_key"),
            ([(header, key)], Array(file.prefix(4096)), 400, "not_a_realm"),
            ([(header, key)], Array(file.dropLast()) + [file[file.count - 1] ^ 1], 400, "damaged"),
            ([(header, "abc")], file, 400, "invalid_header"),
        ]
        for bad in refused {
            let response = try service.send(
                "POST", realm, type: "application/x-realm", body: bad.body, fields: bad.fields)
            #expect(response.status == bad.status)
            #expect(try JSONValue.parse(response.body)["code"]?.string == bad.code)
        }
        let made = try service.send(
            "POST", realm, type: "application/x-realm", body: file, fields: [(header, key)])
        #expect(made.status == 201)
        let snapshot = try JSONValue.parse(made.body)
        #expect(snapshot["objectCounts"] == ["Note": 200])
        let back = try service.send(
            "GET", "/v1/snapshots/\(snapshot["id"]?.string ?? "")/content",
            fields: [("Accept", "application/x-realm"), (header, key)])
        #expect(back.status == 200)
        try Data(back.body).write(to: URL(fileURLWithPath: folder.path("out.realm")))
        let same = try BuiltProgram.run(["diff", document, folder.path("out.realm"), "--key", key])
        #expect(same.output == "no difference in schema and counts\n")
        #expect(service.stop() == 0)
        #expect(try !service.log().contains(key.prefix(12)))
    }

    @Test func `another worker finishes the job of one that was killed`() throws {
        let service = try RunningService(["--workers", "0"])
        let snapshot = try upload(service, app: "farm", realm: "ada")
        var workers = [try startWorker(service)]
        defer {
            for worker in workers where worker.isRunning { worker.terminate() }
            for worker in workers { worker.waitUntilExit() }
        }
        let slow = "function migrate(m) \(try BusyLoop.statements(milliseconds: 2000))"
        let job = try service.call(
            "POST", "/v1/apps/farm/realms/ada/migrations",
            ["targetVersion": 3, "schema": Self.people, "migration": script(slow)]
        ).json
        let path = "/v1/jobs/\(job["id"]?.string ?? "")"
        let running = try #require(
            try wait(seconds: 20) {
                let job = try service.call("GET", path).json
                return job["state"]?.string == "running" ? .some(job) : .none
            })
        #expect(running["attempt"]?.int == 1)
        workers.append(try startWorker(service))
        kill(workers[0].processIdentifier, SIGKILL)
        #expect(try service.call("GET", "/v1/apps/farm/realms/ada").json["currentSnapshot"] == snapshot["id"])
        let ended = try #require(
            try wait(seconds: 120) {
                let job = try service.call("GET", path, fields: [("Prefer", "wait=5")]).json
                return job["state"]?.string == "succeeded" ? .some(job) : .none
            })
        #expect(ended["attempt"]?.int == 2)
        #expect(try service.call("GET", "/v1/apps/farm/realms/ada/snapshots").json["items"]?.elements?.count == 2)
    }

    private func startWorker(_ service: RunningService) throws -> Process {
        let worker = Process()
        worker.executableURL = URL(fileURLWithPath: try BuiltProgram.path())
        worker.arguments = ["worker", "--database-url", service.databaseURL, "--workers", "1", "--lease", "2"]
        worker.standardError = FileHandle.nullDevice
        try worker.run()
        return worker
    }

    /// Asks again and again until there is an answer or the time is over.
    private func wait<Answer>(seconds: Double, _ ask: () throws -> Answer?) throws -> Answer? {
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            if let answer = try ask() { return answer }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return nil
    }
}
